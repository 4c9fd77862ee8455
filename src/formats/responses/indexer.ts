import { append } from '../../append.ts';
import { buildConversation, type ConversationFacts } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import { RESPONSES_ITEMS } from '../dialects.ts';
import type { GapEditor, IndexContext, Indexed, Indexer, Notice } from '../format.ts';
import { stringAt } from '../value.ts';
import { callIdOf } from './items.ts';
import { type ResponseItem, readResponseItem } from './read.ts';

export interface ItemIndexerOptions {
  readonly gaps: GapEditor;
  readonly facts: (drafts: Drafts) => Omit<ConversationFacts, 'id'>;
  /** Why no message may leave. */
  readonly fixed?: string;
  readonly notices?: readonly Notice[];
}

const ROLES = { user: 'user', system: 'system', reply: 'assistant', result: 'user' } as const;
const UNFINISHED = ['in_progress', 'incomplete'];

/** Indexes a list of Responses items, one a record. */
export class ItemIndexer implements Indexer {
  readonly #options: ItemIndexerOptions;
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #messages: MessageDraft[] = [];
  readonly #pending = new Set<string>();
  #open: ResponseItem['part'] | undefined;

  constructor(options: ItemIndexerOptions, context: IndexContext) {
    this.#options = options;
    this.#drafts = new Drafts(context, RESPONSES_ITEMS);
    this.#id = context.id;
  }

  /** What a model wrote in a row is one message, with its reasoning; so are outputs in a row. */
  record(value: unknown, record: number): void {
    const item = readResponseItem(value, record, '', this.#drafts);
    if (item === undefined) return;
    if (UNFINISHED.includes(stringAt(value, 'status') ?? '')) this.#pending.add(callIdOf(value));
    const last = this.#messages.at(-1);
    const joins = item.part === 'reply' || item.part === 'result';
    if (joins && this.#open === item.part && last !== undefined) {
      append(last.blocks, item.blocks);
      last.records.push(record);
    } else this.#messages.push(newDraft(item, record, this.#options.fixed));
    this.#open = item.part;
  }

  finish(): Indexed {
    const drafts = this.#messages.map((draft) => withPending(draft, this.#pending));
    const facts = this.#options.facts(this.#drafts);
    const { gaps, notices } = this.#options;
    return {
      conversations: [buildConversation(drafts, { ...facts, id: this.#id })],
      findings: this.#drafts.findings,
      gaps,
      ...(notices === undefined ? {} : { notices }),
    };
  }
}

function newDraft(item: ResponseItem, record: number, always: string | undefined): MessageDraft {
  const fixed = item.fixed ?? (item.part === 'system' ? 'system-message' : always);
  return {
    role: ROLES[item.part],
    blocks: [...item.blocks],
    records: [record],
    real: item.real === true,
    ...(fixed === undefined ? {} : { fixed }),
  };
}

/** A call that has not ended, and what stands for its output, stay. */
function withPending(draft: MessageDraft, pending: ReadonlySet<string>): MessageDraft {
  const open = ({ callId }: { readonly callId?: string }) =>
    callId !== undefined && callId !== '' && pending.has(callId);
  if (!draft.blocks.some(open)) return draft;
  const blocks = draft.blocks.map((block) =>
    block.kind === 'toolResult' && open(block) ? { ...block, pending: true } : block,
  );
  return { ...draft, blocks, fixed: draft.fixed ?? 'pending' };
}
