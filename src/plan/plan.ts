import { type EffectRules, NO_RULES } from '../effects/call.ts';
import { CtxError, EXIT, usageError } from '../errors.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { elements, findPointer } from '../json/scan.ts';
import type { MarkerHint } from '../marker/marker.ts';
import type { Meter } from '../measure/meter.ts';
import type { StepFacts, StrategyReport, Warning } from '../report/report.ts';
import { formatSpec } from '../specs/format.ts';
import type { StrategySpec } from '../specs/spec.ts';
import { checkSpec } from '../specs/validate.ts';
import { RefBook } from '../stash/refs.ts';
import { emergencyCut } from '../strategies/emergency.ts';
import { strategyFor } from '../strategies/registry.ts';
import type { Outcome, Tools } from '../strategies/strategy.ts';
import type { Helper } from '../summarize/helper.ts';
import { strategyName } from './blocks.ts';
import type { Decision } from './decision.ts';
import { type Originals, Reader } from './reader.ts';
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
}

/**
 * Runs the strategies in order over each conversation. Each sees what the ones before it left, and utilization is
 * counted anew before each.
 * @throws CtxError with exit 2 when a spec can't run on this transcript.
 */
export async function makePlan(transcript: Transcript, options: PlanOptions): Promise<Plan> {
  const warnings: Warning[] = options.specs.flatMap((spec) => [
    ...checkSpec(spec, options.window).warnings,
  ]);
  for (const spec of options.specs) refuseRemoval(spec, transcript);
  if (options.native === true) refuseNative(transcript);
  warnings.push(...options.specs.flatMap((spec) => unknownTools(spec, transcript)));
  const views = transcript.conversations.map((conversation) => new View(conversation));
  const before = sum(views.map((view) => view.tokens));
  const tools = makeTools(transcript, options, warnings);
  const strategies: StrategyReport[] = [];
  for (const spec of options.specs) {
    const strategy = await strategyFor(spec.method);
    const decide = (view: View, own: Tools) => strategy.decide(view, spec, own);
    strategies.push(await runStep(strategyName(spec), views, tools, decide));
  }
  if (options.emergency) strategies.push(await runStep('emergency', views, tools, emergencyCut));
  refuseFailed(strategies, warnings);
  const decisions = views.flatMap((view) => view.decisions);
  warnings.push(...upperBound(decisions, options.helper));
  return {
    decisions,
    views,
    strategies,
    warnings,
    tokens: { before, after: sum(views.map((view) => view.tokens)) },
  };
}

/**
 * A summarizer outside that gave nothing at all, with nothing in its place: the run did not do what it was asked for.
 * One failure among others is a warning, and its messages stay as they are.
 */
function refuseFailed(strategies: readonly StrategyReport[], warnings: readonly Warning[]): void {
  const asked = strategies.filter(({ helper }) => helper?.invoked === true);
  const useless = asked.every(
    ({ helper, fallback }) =>
      helper !== null && helper.calls + helper.cached === helper.failed && fallback === null,
  );
  if (asked.length === 0 || !useless) return;
  const failures = warnings.filter(({ code }) => code === 'summary-failed');
  const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
  throw new CtxError(
    'summarizer-failed',
    EXIT.summarizer,
    `nothing could be summarized: ${failures[0]?.text ?? ''}${more}`,
    { hint: 'nothing was written; --summarizer extractive needs nobody' },
  );
}

function upperBound(decisions: readonly Decision[], helper: Helper): Warning[] {
  const { name, preview, permitted } = helper;
  const made = decisions.some(({ method }) => method === 'summarize' || method === 'capsule');
  if (!made || !preview || !permitted) return [];
  const text = `${name} was not asked, so that what its summaries save is an upper bound`;
  return [{ code: 'upper-bound', text }];
}

/** A tool that the transcript does not have takes nothing: mostly a typing error. */
function unknownTools({ target }: StrategySpec, { conversations }: Transcript): Warning[] {
  if (target.type !== 'tools') return [];
  const known = new Set(
    conversations.flatMap(({ blocks }) => blocks.flatMap(({ tool }) => tool ?? [])),
  );
  const missing = [...target.include, ...target.exclude].filter((name) => !known.has(name));
  return missing.map((name) => ({
    code: 'unknown-tool',
    text: `no tool is named ${name} here; the transcript has ${[...known].toSorted().slice(0, 12).join(', ') || 'none'}`,
  }));
}

/** An explicit removing spec is refused where the format can't remove; a preset's step is skipped. */
function refuseRemoval(spec: StrategySpec, { format }: Transcript): void {
  const removes =
    spec.target.type === '*' && !(spec.method === 'truncate' && spec.blockThreshold !== undefined);
  if (!removes || format.removal === true || spec.preset !== undefined) return;
  throw usageError(
    `--${spec.method} '${formatSpec(spec)}' would remove messages, which ${format.title} does not allow: ${format.removal}`,
    `use a block target, for example --${spec.method} 'toolResults:preserveRecent=4'`,
  );
}

function refuseNative({ format }: Transcript): void {
  if (format.native !== undefined) return;
  throw usageError(
    `--native: ${format.title} has no mark of its own that hides a tool result`,
    'without it the results are replaced by markers',
  );
}

async function runStep(
  name: string,
  views: readonly View[],
  tools: (view: View, index: number) => Tools,
  decide: (view: View, tools: Tools) => Promise<Outcome>,
): Promise<StrategyReport> {
  const before = sum(views.map((view) => view.tokens));
  const outcomes: Outcome[] = [];
  for (const [index, view] of views.entries()) {
    const outcome = await decide(view, tools(view, index));
    for (const decision of outcome.decisions) view.add(decision);
    outcomes.push(outcome);
  }
  const decisions = outcomes.flatMap((outcome) => outcome.decisions);
  return {
    name,
    fired: outcomes.some((outcome) => outcome.fired),
    why: [...new Set(outcomes.map((outcome) => outcome.why))].join(' | '),
    acted: sum(
      decisions.map((decision) => (decision.type === 'gap' ? decision.messages.length : 1)),
    ),
    saved: before - sum(views.map((view) => view.tokens)),
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

function makeTools(
  transcript: Transcript,
  options: PlanOptions,
  warnings: Warning[],
): (view: View, index: number) => Tools {
  const reader = new Reader(transcript, options.originals);
  const refs = options.refs ?? new RefBook();
  return (view, conversation) => ({
    conversation,
    meter: options.meter,
    window: options.window,
    protectEnds: options.protectEnds ?? true,
    hint: options.hint ?? 'none',
    removal: transcript.format.removal,
    strictAlternation: transcript.format.strictAlternation,
    helper: options.helper,
    content: (block, scope) => {
      const content = reader.content(block, scope);
      return { content, ref: refs.assign(reader.contentHash(block, content)) };
    },
    native: (block) => (options.native === true ? reader.native(block) : undefined),
    gapRef: (messages) => refs.assign(reader.recordsHash(recordsOf(messages))),
    items: (messages) => reader.items(messages, view.conversation.blocks),
    jsonSize: (block) => reader.jsonSize(block),
    call: (block) => ({ tool: block.tool ?? '', args: reader.args(block) }),
    effects: options.effects ?? NO_RULES,
    takesBlock: (message) => {
      const bytes = reader.record(message.records.at(-1) as number);
      const content = findPointer(bytes, 0, '/content');
      return content !== undefined && elements(bytes, content.start).length > 0;
    },
    warn: (warning) => warnings.push(warning),
  });
}

/** Records of messages, ascending; a record may hold several messages. */
export function recordsOf(messages: readonly { readonly records: readonly number[] }[]): number[] {
  const records = new Set(messages.flatMap((message) => message.records));
  return [...records].toSorted((left, right) => left - right);
}
