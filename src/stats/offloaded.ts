import type { Conversation } from '../model/conversation.ts';
import type { CopyStats, PlaceholderStats, StashStats } from './stats.ts';

/** What earlier runs left in the transcript, and what became of it. */
export function placeholderStats(
  conversations: readonly Conversation[],
  stash: StashStats | null,
): PlaceholderStats {
  const methods: Record<string, number> = {};
  let count = 0;
  let tokens = 0;
  let originals = 0;
  for (const { blocks, messages } of conversations) {
    for (const { placeholder, message, tokens: own } of blocks) {
      if (placeholder === undefined) continue;
      count += 1;
      methods[placeholder.method] = (methods[placeholder.method] ?? 0) + 1;
      if (messages[message]?.live !== true) continue;
      tokens += own;
      originals += placeholder.tokens;
    }
  }
  return { count, tokens, originals, methods, stash };
}

/** Strings that no model sees, by what the client calls them; the largest first. */
export function copyStats(conversations: readonly Conversation[]): CopyStats {
  const names = new Map<string, { name: string; count: number; bytes: number }>();
  for (const { name, bytes } of conversations.flatMap(({ copies }) => copies ?? [])) {
    const known = names.get(name) ?? { name, count: 0, bytes: 0 };
    names.set(name, { name, count: known.count + 1, bytes: known.bytes + bytes });
  }
  const rows = [...names.values()].toSorted((left, right) => right.bytes - left.bytes);
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    names: rows,
  };
}
