import type { StepFacts, StrategyReport } from '../report/report.ts';
import type { StrategySpec } from '../specs/spec.ts';
import { emergencyCut } from '../strategies/emergency.ts';
import { strategyFor } from '../strategies/registry.ts';
import type { Outcome, Strategy, Tools } from '../strategies/strategy.ts';
import { strategyName } from './blocks.ts';
import { neededDecisions } from './budget.ts';
import type { ManualPlan } from './manual.ts';
import { sum, type View } from './view.ts';

export interface Steps {
  readonly specs: readonly StrategySpec[];
  readonly emergency: boolean;
  /** Tokens to come down to; everything that is eligible when absent. */
  readonly budget?: number;
  readonly manual?: ManualPlan;
}

interface Step {
  readonly spec: StrategySpec;
  readonly strategy: Strategy;
}

/** Rounds at most; in practice the second one finds nothing. */
const ROUNDS = 4;

/**
 * Runs the steps in order, each on what the ones before it left; those that decide against the final view run last.
 * With a budget the least destructive run first, and each gives only what is still needed. Where steps open the way
 * for one another they go on in rounds until nothing is left to do: a second run then finds nothing either.
 */
export async function runSteps(
  { specs, emergency, budget, manual }: Steps,
  views: readonly View[],
  tools: (view: View, index: number) => Tools,
): Promise<StrategyReport[]> {
  const steps = await Promise.all(
    specs.map(async (spec) => ({ spec, strategy: await strategyFor(spec.method) })),
  );
  const ordered = budget === undefined ? steps : byDestruction(steps);
  // What decides against the final view also looks at what the emergency cut left.
  const late = budget === undefined ? ordered.filter(({ strategy }) => strategy.last === true) : [];
  const early = ordered.filter((step) => !late.includes(step));
  const jobs: Job[] = [
    ...early.map((step) => jobOf(step, budget)),
    ...(emergency ? [{ name: 'emergency', decide: emergencyCut }] : []),
    ...late.map((step) => jobOf(step)),
  ];
  const reports: StrategyReport[] = [];
  if (manual !== undefined && manual.actions.size > 0) {
    const { manualStep } = await import('./manual.ts');
    const decide = (view: View, own: Tools) => manualStep(view, own, manual);
    reports.push(await runStep({ name: 'plan', decide }, views, tools));
  }
  const offset = reports.length;
  for (const job of jobs) reports.push(await runStep(job, views, tools));
  if (!openWays(ordered)) return reports;
  for (let round = 2; round <= ROUNDS && isActive(reports, round); round += 1) {
    let found = 0;
    for (const [at, job] of jobs.entries()) {
      const more = await runStep(job, views, tools);
      found += more.acted;
      reports[offset + at] = joined(reports[offset + at] as StrategyReport, more);
    }
    if (found === 0) break;
  }
  return reports;
}

interface Job {
  readonly name: string;
  readonly decide: (view: View, tools: Tools) => Promise<Outcome>;
  readonly budget?: number;
}

function jobOf({ spec, strategy }: Step, budget?: number): Job {
  return {
    name: strategyName(spec),
    decide: (view, own) => strategy.decide(view, spec, own),
    ...(budget === undefined ? {} : { budget }),
  };
}

/** Steps by size and age alone never open the way for one another. */
function openWays(steps: readonly Step[]): boolean {
  return steps.length > 1 && steps.some(({ spec }) => !BY_SIZE.includes(spec.method));
}

const BY_SIZE: readonly StrategySpec['method'][] = ['drop', 'truncate', 'summarize'];

/** One step alone leaves nothing for itself; after the second round what acted may have opened a way again. */
function isActive(reports: readonly StrategyReport[], round: number): boolean {
  return round > 2 || reports.filter((report) => report.acted > 0).length > 1;
}

function joined(first: StrategyReport, more: StrategyReport): StrategyReport {
  if (more.acted === 0) return first;
  return {
    ...first,
    fired: true,
    why: `${first.why}; then ${more.why}`,
    acted: first.acted + more.acted,
    saved: first.saved + more.saved,
    savedBytes: first.savedBytes + more.savedBytes,
    passes: first.passes === null ? more.passes : first.passes + (more.passes ?? 0),
    fallback: first.fallback ?? more.fallback,
    noop: null,
  };
}

/** A budget takes the place of the conditions that say when to act. */
function byDestruction(steps: readonly Step[]): readonly Step[] {
  return steps
    .map(({ spec: { contextUtilization: _when, ...spec }, strategy }) => ({ spec, strategy }))
    .toSorted((left, right) => destruction(left) - destruction(right));
}

function destruction({ spec, strategy }: Step): number {
  return strategy.destructive + (spec.target.type === '*' ? 1 : 0);
}

/** The part of a step that the budget needs. */
function needed(made: Outcome, view: View, toFree: number): Outcome {
  const decisions = neededDecisions(made.decisions, view, toFree);
  if (decisions.length === made.decisions.length) return { ...made, decisions };
  return { ...made, decisions, why: `${made.why}; ${decisions.length} needed for the target` };
}

async function runStep(
  { name, decide, budget }: Job,
  views: readonly View[],
  tools: (view: View, index: number) => Tools,
): Promise<StrategyReport> {
  const before = sum(views.map((view) => view.tokens));
  const outcomes: Outcome[] = [];
  for (const [index, view] of views.entries()) {
    const toFree =
      budget === undefined ? undefined : sum(views.map(({ tokens }) => tokens)) - budget;
    const own = tools(view, index);
    const made = await decide(view, toFree === undefined ? own : { ...own, toFree });
    const outcome = toFree === undefined ? made : needed(made, view, toFree);
    for (const decision of outcome.decisions) view.add(decision);
    for (const { block, duplicates } of outcome.held ?? []) view.hold(block, duplicates);
    outcomes.push(outcome);
  }
  const decisions = outcomes.flatMap((outcome) => outcome.decisions);
  return {
    name,
    fired: outcomes.some((outcome) => outcome.fired),
    why: whyOf(outcomes),
    acted: sum(
      decisions.map((decision) => (decision.type === 'gap' ? decision.messages.length : 1)),
    ),
    saved: before - sum(views.map((view) => view.tokens)),
    savedBytes: sum(
      decisions.map((made) =>
        made.type === 'leaf' && made.block === undefined ? made.bytesBefore - made.bytesAfter : 0,
      ),
    ),
    ...stepFacts(outcomes),
  };
}

/** Facts of a step over all conversations: counts add up, of the rest the first that says something stands. */
function stepFacts(outcomes: readonly Outcome[]): StepFacts {
  const facts = outcomes.flatMap((outcome) => outcome.facts ?? []);
  const passes = facts.flatMap((fact) => fact.passes ?? []);
  const skipped = new Map<string, number>();
  for (const fact of facts) {
    for (const [reason, count] of Object.entries(fact.skipped ?? {}))
      skipped.set(reason, (skipped.get(reason) ?? 0) + count);
  }
  const acted = outcomes.some((outcome) => outcome.decisions.length > 0);
  return {
    fallback: facts.find((fact) => fact.fallback)?.fallback ?? null,
    helper: facts.find((fact) => fact.helper)?.helper ?? null,
    passes: passes.length === 0 ? null : sum(passes),
    skipped: Object.fromEntries(skipped),
    noop: acted ? null : (facts.find((fact) => fact.noop)?.noop ?? null),
  };
}

/** Reasons that are shown of a step over many conversations. */
const MOST_REASONS = 2;

/** Why a step did what it did; over many conversations the first reasons stand for the others. */
function whyOf(outcomes: readonly Outcome[]): string {
  const acted = outcomes.toSorted((left, right) => Number(right.fired) - Number(left.fired));
  const reasons = [...new Set(acted.map(({ why }) => why))];
  const left = reasons.length - MOST_REASONS;
  const more = left > 0 ? [`and ${left} more of ${outcomes.length} conversations`] : [];
  return [...reasons.slice(0, MOST_REASONS), ...more].join(' | ');
}
