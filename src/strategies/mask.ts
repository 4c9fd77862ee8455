import { plural } from '../marker/marker.ts';
import { singleTurnHint } from '../masking/hint.ts';
import { takeUnits, withinCapacity } from '../masking/passes.ts';
import { noopOf, type Survey, survey } from '../masking/survey.ts';
import { observationUnits, savingOf, type Unit } from '../masking/units.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/** Observation masking: what a read brought back becomes one line; everything else stays exact. */
export const mask: Strategy = {
  method: 'mask',
  destructive: 4,
  decide: maskObservations,
};

async function maskObservations(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const seen = survey(view, spec, tools);
  if (typeof seen === 'string')
    return { decisions: [], fired: false, why: seen, facts: { noop: seen } };
  for (const warning of singleTurnHint(seen.skipped, seen.found.length)) tools.warn(warning);
  const units = await maskUnits(view, spec, tools, seen);
  const passes = maskPasses(units, seen);
  const decisions = passes.flat().flatMap(({ edits }) => edits);
  const candidates = decisions.length + [...seen.skipped.values()].reduce((a, b) => a + b, 0);
  const noop = decisions.length > 0 ? null : noopOf(seen.skipped, noReason(units));
  return {
    decisions,
    fired: true,
    why: `${decisions.length} of ${plural(candidates, 'result')} masked${noop === null ? '' : ` (${noop})`}`,
    facts: { passes: passes.length, skipped: Object.fromEntries(seen.skipped), noop },
  };
}

function noReason(units: readonly Unit[]): string {
  return units.length > 0 ? 'min-tokens-saved' : 'no-observations';
}

/** What masking may take, each group as a unit. */
export async function maskUnits(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  { policy, found, skipped }: Survey,
): Promise<Unit[]> {
  const units = await observationUnits(view, spec, policy, tools, found, skipped);
  return withinCapacity(view, units, policy, skipped);
}

/** Passes until one would save too little, the goal is met or the number of passes is reached. */
function maskPasses(units: readonly Unit[], { policy, toFree }: Survey): Unit[][] {
  const { maxSourceTokens, minTokensSaved } = policy;
  const most = policy.passes === 'auto' ? Number.POSITIVE_INFINITY : policy.passes;
  const passes: Unit[][] = [];
  let left = units;
  let goal = toFree;
  while (passes.length < most) {
    const taken = takeUnits(left, { maxSourceTokens, toFree: goal });
    const saved = savingOf(taken);
    if (taken.length === 0 || saved < minTokensSaved) break;
    const gone = new Set(taken.map(({ messages }) => messages));
    passes.push(taken);
    left = left.filter(({ messages }) => !gone.has(messages));
    goal -= saved;
  }
  return passes;
}
