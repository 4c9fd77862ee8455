import type { Message } from '../model/conversation.ts';
import type { MessageRow, Place } from './rows.ts';
import { Largest } from './section.ts';
import type { Section } from './stats.ts';
import type { Seen } from './walk.ts';

/** Sizes of messages, added up from their blocks. */
export class Messages {
  /** Messages that lie in several records and are not complete yet. */
  readonly #open = new Map<Message, MessageRow>();
  readonly #largest: Largest<MessageRow>;

  constructor(top: number) {
    this.#largest = new Largest(top);
  }

  add(seen: Seen): void {
    const { message } = seen;
    const known = this.#open.get(message);
    const own = placeOf(seen);
    const row = {
      ...(known ?? own),
      blocks: (known?.blocks ?? 0) + 1,
      tokens: (known?.tokens ?? 0) + own.tokens,
      bytes: (known?.bytes ?? 0) + own.bytes,
    };
    if (row.blocks < message.blocks.length) {
      this.#open.set(message, row);
      return;
    }
    this.#open.delete(message);
    this.#largest.add(row);
  }

  section(): Section<MessageRow> {
    return this.#largest.section();
  }
}

/** Where a block is, and its size. */
export function placeOf({ conversation, message, block, bytes }: Seen): Place {
  return {
    conversation: conversation.id,
    message: message.number,
    record: block.record,
    role: message.role,
    live: message.live,
    tokens: block.tokens,
    bytes,
  };
}
