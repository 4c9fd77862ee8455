import type { Block } from '../model/conversation.ts';
import type { Identity, PieceSpan } from '../model/splice.ts';
import type { Decision } from '../plan/decision.ts';

/** An original that leaves the transcript: its pieces as absolute spans, and what it was. */
export interface Original {
  readonly ref: string;
  readonly pieces: readonly PieceSpan[];
  /** Literals with the same text that leave with it. */
  readonly copies: readonly PieceSpan[];
  readonly decision: Decision;
  readonly block?: Block;
  /** A copy for the stash: its bytes stay where they are. */
  readonly stays: boolean;
  /** Identifies the text of the marker that stands in its place. */
  readonly textHash: string;
  readonly identity: Identity;
}
