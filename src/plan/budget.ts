import { commas } from '../marker/marker.ts';
import type { Warning } from '../report/report.ts';
import { resolveAmount } from '../specs/resolve.ts';
import type { Amount } from '../specs/spec.ts';
import type { Decision } from './decision.ts';
import { sum, type View } from './view.ts';

/** Tokens to come down to, system prompt and tool definitions included: a share is one of the messages alone. */
export function budgetOf(amount: Amount, views: readonly View[]): number {
  if ('count' in amount) return amount.count;
  const overhead = sum(views.map((view) => view.conversation.overhead));
  const messages = sum(views.map((view) => view.tokens)) - overhead;
  return overhead + Math.floor(resolveAmount(amount, messages));
}

/**
 * Of what a step decided the part that is needed: the largest savings first, of equal ones the oldest. A capsule and the
 * edits that it speaks of go together.
 */
export function neededDecisions(
  decisions: readonly Decision[],
  view: View,
  toFree: number,
): readonly Decision[] {
  if (toFree <= 0) return [];
  if (decisions.some(({ type }) => type === 'capsule')) return decisions;
  const ordered = decisions.toSorted(
    (left, right) => savedBy(right) - savedBy(left) || placeOf(view, left) - placeOf(view, right),
  );
  let left = toFree;
  return ordered.filter((decision) => {
    if (left <= 0) return false;
    left -= savedBy(decision);
    return true;
  });
}

export function missedBudget(target: number, tokens: number): Warning[] {
  if (tokens <= target) return [];
  return [
    {
      code: 'target-missed',
      text: `${commas(tokens)} tokens are left, more than the target of ${commas(target)}: what is left is protected, or too small to save anything`,
    },
  ];
}

function savedBy({ tokensBefore, tokensAfter }: Decision): number {
  return tokensBefore - tokensAfter;
}

function placeOf(view: View, decision: Decision): number {
  if (decision.type === 'gap') return view.message(decision.messages[0] ?? 0).blocks[0] ?? 0;
  return decision.type === 'capsule' ? 0 : (decision.block ?? 0);
}
