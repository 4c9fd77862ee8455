import type { BlockKind, Role } from '../model/conversation.ts';
import type { Tally } from './tally.ts';

/** Who a text came from; `marker` stands for messages that an earlier run removed. */
export type Origin = Role | 'injected' | 'marker';

export interface KindRow extends Tally {
  readonly kind: BlockKind;
  /** For texts; null for what the kind says already. */
  readonly origin: Origin | null;
}

export interface ToolCounts extends Tally {
  readonly calls: number;
  readonly results: number;
  /** Results that are known to have failed. */
  readonly errors: number;
}

export interface ToolRow extends ToolCounts {
  /** Null for results of calls that the file does not hold. */
  readonly tool: string | null;
}

export interface FileCounts extends Tally {
  readonly calls: number;
}

/** A call about several files is shared between them equally, and counts as a call of each. */
export interface FileRow extends FileCounts {
  readonly path: string;
}

/** What rows of messages and of blocks share. */
export interface Place {
  readonly conversation: string;
  readonly message: number;
  readonly record: number;
  readonly role: Role;
  readonly live: boolean;
  readonly tokens: number;
  readonly bytes: number;
}

export interface MessageRow extends Place {
  readonly blocks: number;
}

export interface LargestRow extends Place {
  readonly index: number;
  readonly kind: BlockKind;
  readonly tool: string | null;
  readonly callId: string | null;
}

/** An output that live messages hold more than once. */
export interface DuplicateRow {
  /** First 12 digits of the sha256 of its text. */
  readonly hash: string;
  readonly conversation: string;
  readonly tool: string | null;
  /** Message that has it first. */
  readonly message: number;
  readonly times: number;
  /** Tokens of one. */
  readonly each: number;
  /** Tokens, and bytes in the file, of all but the first. */
  readonly tokens: number;
  readonly bytes: number;
}
