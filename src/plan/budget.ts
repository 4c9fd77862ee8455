import { commas } from '../marker/marker.ts';
import type { Warning } from '../report/report.ts';
import { resolveAmount } from '../specs/resolve.ts';
import type { Amount } from '../specs/spec.ts';
import type { Decision } from './decision.ts';
import { clusters, savingOf } from './gaps.ts';
import { sum, type View } from './view.ts';

/**
 * Tokens to come down to, system prompt and tool definitions included: a share is one of the messages alone. Of an
 * untouched output it is one of what its first input had (`before`), or a second run would go further.
 */
export function budgetOf(amount: Amount, views: readonly View[], before?: number): number {
  if ('count' in amount) return amount.count;
  const overhead = sum(views.map((view) => view.conversation.overhead));
  const messages = (before ?? sum(views.map((view) => view.tokens))) - overhead;
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
  const gaps = decisions.filter((decision) => decision.type === 'gap');
  const singles = decisions.filter((decision) => decision.type !== 'gap');
  const units = [...clusters(view, gaps), ...singles.map((decision) => [decision])];
  const saving = (unit: readonly Decision[]) => sum(unit.map((one) => savingOf(view, one)));
  const place = (unit: readonly Decision[]) =>
    unit.reduce((first, one) => Math.min(first, placeOf(view, one)), Number.POSITIVE_INFINITY);
  const ordered = units
    .map((unit) => ({ unit, saves: saving(unit), at: place(unit) }))
    .toSorted((left, right) => right.saves - left.saves || left.at - right.at);
  let left = toFree;
  const needed = new Set<Decision>();
  for (const { unit, saves } of ordered) {
    if (left <= 0) break;
    left -= saves;
    for (const decision of unit) needed.add(decision);
  }
  return decisions.filter((decision) => needed.has(decision));
}

export function missedBudget(target: number, tokens: number): Warning[] {
  if (tokens <= target) return [];
  return [
    {
      code: 'target-missed',
      text: `${commas(tokens)} tokens are left, more than the target of ${commas(target)}: what is left is protected, shortened already, or too small to save anything`,
    },
  ];
}

function placeOf(view: View, decision: Decision): number {
  if (decision.type === 'gap') return view.message(decision.messages[0] ?? 0).blocks[0] ?? 0;
  return decision.type === 'capsule' ? 0 : (decision.block ?? 0);
}
