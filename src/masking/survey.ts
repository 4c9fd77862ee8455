import { gate, noteClosed } from '../plan/eligible.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Tools } from '../strategies/strategy.ts';
import { Examiner } from './examiner.ts';
import { type Group, groupsOf } from './groups.ts';
import { type Observation, observations } from './observations.ts';
import { type Policy, policyOf, tokensToFree } from './policy.ts';
import type { Skipped } from './skipped.ts';
import { type Tail, tailOf } from './tail.ts';

/** What a step of the masking family finds before it decides anything. */
export interface Survey {
  readonly policy: Policy;
  readonly tail: Tail;
  readonly groups: ReadonlyMap<number, Group>;
  readonly examiner: Examiner;
  readonly found: readonly Observation[];
  readonly skipped: Skipped;
  readonly toFree: number;
  /** The gate's figures. */
  readonly why: string;
}

/** Reads the conversation by the step's rules; a text when its gate is closed or its goal is met already. */
export function survey(view: View, spec: StrategySpec, tools: Tools): Survey | string {
  const { open, why } = gate(view, spec, tools);
  if (!open) {
    noteClosed(view, spec, tools);
    return why;
  }
  const policy = policyOf(spec);
  const toFree = tokensToFree(view.tokens, policy, tools.window.tokens);
  if (toFree <= 0) return 'the tokens are below the threshold already';
  const tail = tailOf(view, policy, tools.protectEnds);
  const groups = groupsOf(view);
  const examiner = new Examiner(view, policy, tail, tools);
  const skipped: Skipped = new Map();
  const found = observations(view, groups.values(), examiner, skipped);
  return { policy, tail, groups, examiner, found, skipped, toFree, why };
}

/** Why nothing was to be done, for a report. */
export function noopOf(skipped: Skipped, otherwise: string): string {
  const reasons = [...skipped].toSorted((a, b) => b[1] - a[1]).map(([reason]) => reason);
  return reasons[0] ?? otherwise;
}
