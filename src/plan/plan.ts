import { append } from '../append.ts';
import type { EffectRules } from '../effects/call.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { commas, type MarkerHint } from '../marker/marker.ts';
import type { Meter } from '../measure/meter.ts';
import type { Report, StrategyReport, Warning } from '../report/report.ts';
import { isRetrievalTool } from '../specs/match.ts';
import type { ProtectRule } from '../specs/protect.ts';
import type { Amount, StrategySpec } from '../specs/spec.ts';
import { checkSpec } from '../specs/validate.ts';
import type { RefBook } from '../stash/refs.ts';
import type { Helper } from '../summarize/helper.ts';
import { budgetOf, missedBudget } from './budget.ts';
import {
  refuseFailed,
  refuseNative,
  refuseRemoval,
  refuseUnknownEntries,
  unknownConversation,
  unknownTools,
  upperBound,
} from './checks.ts';
import type { Decision } from './decision.ts';
import { RETRIEVED_RULE } from './guard.ts';
import type { ManualPlan } from './manual.ts';
import type { Originals } from './reader.ts';
import type { Selection } from './selection.ts';
import { runSteps } from './steps.ts';
import { makeTools } from './tools.ts';
import { sum, View } from './view.ts';

export interface PlanOptions {
  readonly specs: readonly StrategySpec[];
  /** Run the emergency cut after the strategies. */
  readonly emergency: boolean;
  readonly window: { readonly tokens: number; readonly assumed: boolean };
  readonly meter: Meter;
  readonly helper: Helper;
  readonly protectEnds?: boolean;
  readonly hint?: MarkerHint;
  /** Rules of a person; retrieval results and rule files are protected without one. */
  readonly protect?: readonly ProtectRule[];
  readonly selection?: Selection;
  /** Blocks that resuming does not send may be edited too: it saves bytes, no tokens. */
  readonly includeDead?: boolean;
  /** Steps run from the least to the most destructive until this is met. */
  readonly targetTokens?: Amount;
  /** Entries of a plan that were edited. */
  readonly manual?: ManualPlan;
  /** Tokens of the first input, when this is an untouched output of ours. */
  readonly firstTokens?: number;
  /** Least tokens that the whole plan must save. */
  readonly minSavings?: number;
  /** Originals that the stash holds already, as text. */
  readonly originals?: Originals;
  /** What the user says of tools and their effects. */
  readonly effects?: EffectRules;
  /** Refs that the stash holds already. */
  readonly refs?: RefBook;
  /** Hide tool results by the format's own mark instead of replacing them. */
  readonly native?: boolean;
}

/** What would be done to a transcript, and why: data, applied by `applyPlan`. */
export interface Plan {
  readonly decisions: readonly Decision[];
  readonly views: readonly View[];
  readonly strategies: readonly StrategyReport[];
  readonly warnings: readonly Warning[];
  readonly tokens: { readonly before: number; readonly after: number };
  readonly budget: Report['budget'];
}

/**
 * Runs the strategies over each conversation.
 * @throws CtxError: 2 when a spec can't run on this transcript, 7 when nothing could be summarized, 130 when interrupted.
 */
export async function makePlan(transcript: Transcript, options: PlanOptions): Promise<Plan> {
  const warnings: Warning[] = options.specs.flatMap((spec) => [
    ...checkSpec(spec, options.window).warnings,
  ]);
  for (const spec of options.specs) refuseRemoval(spec, transcript);
  refuseUnknownEntries(options.manual, transcript);
  if (options.native === true) refuseNative(transcript);
  append(
    warnings,
    options.specs.flatMap((spec) => unknownTools(spec, transcript)),
  );
  append(warnings, unknownConversation(options.selection?.conversation, transcript));
  const views = freshViews(transcript, options);
  const before = sum(views.map((view) => view.tokens));
  const target =
    options.targetTokens === undefined
      ? undefined
      : budgetOf(options.targetTokens, views, options.firstTokens);
  const tools = makeTools(transcript, options, warnings);
  const budget = target === undefined ? {} : { budget: target };
  const strategies = await runSteps({ ...options, ...budget }, views, tools);
  for (const view of views) noteRetrieved(view);
  refuseFailed(strategies, warnings);
  const after = sum(views.map((view) => view.tokens));
  if (target !== undefined) append(warnings, missedBudget(target, after));
  const least = options.minSavings;
  if (
    least !== undefined &&
    before - after < least &&
    views.some((view) => view.decisions.length > 0)
  ) {
    const text = `the plan would save ${commas(before - after)} tokens, less than --min-savings ${commas(least)}: nothing is done`;
    const kept = freshViews(transcript, options);
    const undone = strategies.map(withdrawn);
    const none = { decisions: [], views: kept, strategies: undone };
    return {
      ...none,
      tokens: { before, after: before },
      warnings: [...warnings, { code: 'min-savings', text }],
      budget: null,
    };
  }
  const decisions = views.flatMap((view) => view.decisions);
  append(warnings, upperBound(decisions, options.helper));
  return {
    decisions,
    views,
    strategies,
    warnings: distinct(warnings),
    tokens: { before, after },
    budget: target === undefined ? null : { target, met: after <= target },
  };
}

/** No target takes what was fetched back; the report says why. */
function noteRetrieved(view: View): void {
  for (const { index, kind, tool } of view.conversation.blocks)
    if (kind === 'toolResult' && isRetrievalTool(tool))
      view.note(index, 'protected', RETRIEVED_RULE);
}

/** The account of a step whose decisions are not carried out. */
function withdrawn(step: StrategyReport): StrategyReport {
  if (step.acted === 0) return step;
  const why = `not done: ${step.why}`;
  return { ...step, why, acted: 0, saved: 0, savedBytes: 0, noop: 'min-savings' };
}

function freshViews(transcript: Transcript, options: PlanOptions): View[] {
  return transcript.conversations.map(
    (conversation) => new View(conversation, options.includeDead),
  );
}

/** Each conversation may say the same. */
function distinct(warnings: readonly Warning[]): Warning[] {
  return [
    ...new Map(warnings.map((warning) => [`${warning.code} ${warning.text}`, warning])).values(),
  ];
}
