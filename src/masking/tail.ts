import { type Protection, protect, type spread } from '../plan/protect.ts';
import type { View } from '../plan/view.ts';

/** Messages that the masking family leaves exact, and where the tail of them begins. */
export interface Tail {
  readonly kept: Protection;
  /** Index of the first message of the tail, its groups included; one past the last message without a tail. */
  readonly start: number;
}

interface TailSize {
  readonly preserveRecentTurns: number;
  readonly preserveRecentMessages: number;
}

/**
 * The protected tail: everything from the Nth last real user message on, and the last messages; a group with one
 * member in it is in it whole (masking and summary, section 1). The live end is protected as for every strategy.
 */
export function tailOf(view: View, size: TailSize, protectEnds: boolean): Tail {
  const own = view.messages().filter((message) => !message.injected && message.gap === undefined);
  const kept = new Map<number, string>();
  const turns = own.filter((message) => message.real);
  const turnsFrom = turns.at(-size.preserveRecentTurns)?.index ?? 0;
  if (size.preserveRecentTurns > 0) {
    const from = turns.length < size.preserveRecentTurns ? 0 : turnsFrom;
    for (const { index } of own) if (index >= from) kept.set(index, 'recent-turn');
  }
  if (size.preserveRecentMessages > 0) {
    for (const { index } of own.slice(-size.preserveRecentMessages))
      if (!kept.has(index)) kept.set(index, 'recent-message');
  }
  spreadSame(own, kept);
  const start = Math.min(
    ...kept.keys(),
    ...lastOf(view, protectEnds),
    view.conversation.messages.length,
  );
  for (const [index, reason] of protect(view, protectEnds))
    if (!kept.has(index)) kept.set(index, reason);
  return { kept, start };
}

/** A group in the tail is there for one reason. */
function spreadSame(own: Parameters<typeof spread>[0], kept: Map<number, string>): void {
  const groups = new Map<number, string>();
  for (const { index, group } of own) {
    const reason = kept.get(index);
    if (reason !== undefined && !groups.has(group)) groups.set(group, reason);
  }
  for (const { index, group } of own) {
    const reason = groups.get(group);
    if (reason !== undefined && !kept.has(index)) kept.set(index, reason);
  }
}

/** The live end counts as tail even where no number asks for one. */
function lastOf(view: View, protectEnds: boolean): number[] {
  return [...protect(view, protectEnds)].flatMap(([index, reason]) =>
    reason === 'last-message' ? [index] : [],
  );
}
