import type { DuplicateRow } from './rows.ts';
import type { Seen } from './walk.ts';

type Group = { -readonly [Name in keyof DuplicateRow]: DuplicateRow[Name] };

/** Outputs that come again in one conversation. Only live ones count: on the others nothing can be saved. */
export class Duplicates {
  readonly #groups = new Map<string, Group>();

  add({ conversation, message, block, bytes, hash }: Seen): void {
    if (hash === undefined || !message.live) return;
    const key = `${conversation.id}\n${hash.slice(0, 32)}`;
    const group = this.#groups.get(key);
    if (group === undefined) {
      this.#groups.set(key, {
        hash: hash.slice(0, 12),
        conversation: conversation.id,
        tool: block.tool ?? null,
        message: message.number,
        times: 1,
        each: block.tokens,
        tokens: 0,
        bytes: 0,
      });
      return;
    }
    group.times += 1;
    group.tokens += block.tokens;
    group.bytes += bytes;
  }

  /** What costs most first. */
  rows(): DuplicateRow[] {
    return [...this.#groups.values()]
      .filter(({ times }) => times > 1)
      .toSorted((left, right) => right.tokens - left.tokens);
  }
}
