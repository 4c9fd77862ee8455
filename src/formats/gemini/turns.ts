import type { BlockDraft, MessageDraft } from '../builder.ts';
import type { Part } from './parts.ts';

/** One content as the client sends it. Contents with results that follow one another answer one reply. */
export interface Turn {
  readonly kind: 'user' | 'reply' | 'results';
  readonly parts: readonly Part[];
  readonly records: readonly number[];
  readonly facts: Partial<Pick<MessageDraft, 'real' | 'injected' | 'fixed' | 'live'>>;
}

/** Messages of contents: results join, and a result that is sent from two places is one block with both. */
export function joinTurns(turns: readonly Turn[]): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  let open: Results | undefined;
  for (const turn of turns) {
    if (turn.kind === 'results' && open !== undefined) open.add(turn);
    else {
      open = new Results(turn);
      drafts.push(open.draft);
      if (turn.kind !== 'results') open = undefined;
    }
  }
  return drafts;
}

class Results {
  readonly draft: MessageDraft;
  /** Blocks of results by call and text. */
  readonly #places = new Map<string, number>();

  constructor(turn: Turn) {
    this.draft = {
      role: turn.kind === 'reply' ? 'assistant' : 'user',
      blocks: [],
      records: [],
      ...turn.facts,
    };
    this.add(turn);
  }

  add({ parts, records }: Turn): void {
    const { draft } = this;
    for (const record of records) if (!draft.records.includes(record)) draft.records.push(record);
    for (const { block, hash } of parts) {
      const key = hash === undefined ? undefined : `${block.callId} ${hash}`;
      const known = key === undefined ? undefined : this.#places.get(key);
      if (known !== undefined)
        draft.blocks[known] = withCopy(draft.blocks[known] as BlockDraft, block);
      else {
        if (key !== undefined) this.#places.set(key, draft.blocks.length);
        draft.blocks.push(block);
      }
    }
  }
}

/** The same text in a second place that is sent as well. */
function withCopy(block: BlockDraft, { record, pointer, tokens, isError }: BlockDraft): BlockDraft {
  const failed = block.isError ?? isError;
  return {
    ...block,
    tokens: block.tokens + tokens,
    also: [...(block.also ?? []), { record, pointer: pointer ?? '' }],
    ...(failed === undefined ? {} : { isError: failed }),
  };
}
