import { append } from '../../append.ts';
import type { Conversation } from '../../model/conversation.ts';
import { buildConversation, type ConversationFacts } from '../build.ts';
import type { BlockDraft, MessageDraft } from '../builder.ts';

/** An event that is sent: its record, and the id by which a condensation forgets it. */
export interface Sent {
  readonly record: number;
  readonly id: string;
}

type Turn = Omit<MessageDraft, 'blocks' | 'records' | 'live'>;

interface Entry extends Turn {
  readonly blocks: BlockDraft[];
  readonly records: number[];
  readonly ids: string[];
  readonly summary?: boolean;
}

/**
 * Events of a session as messages: the actions that come from one answer of the model are one message, what came
 * back for them is one message. A condensation makes earlier events dead.
 */
export class Thread {
  readonly #entries: Entry[] = [];
  readonly #replies = new Map<string, Entry>();
  readonly #answers = new Map<string, Entry>();
  readonly #forgotten: ((id: string) => boolean)[] = [];

  /** A message of its own. */
  add(event: Sent, turn: Turn, blocks: BlockDraft[]): void {
    this.#entries.push({ ...turn, blocks, records: [event.record], ids: [event.id] });
  }

  /** Whether an answer of the model has been seen: its text and reasoning repeat on each of its actions. */
  knows(reply: string): boolean {
    return this.#replies.has(reply);
  }

  /** A call out of an answer of the model. */
  call(event: Sent, reply: string, blocks: readonly BlockDraft[]): void {
    this.#join(this.#replies, event, reply, 'assistant', blocks);
  }

  /** What came back for a call of an answer. */
  answer(event: Sent, reply: string, blocks: readonly BlockDraft[]): void {
    this.#join(this.#answers, event, reply, 'user', blocks);
  }

  /** The client's own compaction; of several summaries the last one is sent. */
  condense(event: Sent, forgets: (id: string) => boolean, blocks: BlockDraft[]): void {
    this.#forgotten.push(forgets);
    if (blocks.length === 0) return;
    const entry = { role: 'user' as const, fixed: 'compaction-summary', summary: true };
    this.#entries.push({ ...entry, blocks, records: [event.record], ids: [event.id] });
  }

  conversation(facts: ConversationFacts): Conversation {
    const last = this.#entries.findLast(({ summary }) => summary === true);
    const drafts = this.#entries.map(({ ids, summary, ...draft }) => {
      const gone = ids.every((id) => this.#forgotten.some((forgets) => forgets(id)));
      const replaced = summary === true && last?.ids !== ids;
      return { ...draft, live: !gone && !replaced };
    });
    return buildConversation(drafts, facts);
  }

  #join(
    entries: Map<string, Entry>,
    event: Sent,
    key: string,
    role: 'user' | 'assistant',
    blocks: readonly BlockDraft[],
  ): void {
    const known = entries.get(key);
    if (known === undefined) {
      const entry = { role, blocks: [...blocks], records: [event.record], ids: [event.id] };
      entries.set(key, entry);
      this.#entries.push(entry);
      return;
    }
    append(known.blocks, blocks);
    known.records.push(event.record);
    known.ids.push(event.id);
  }
}
