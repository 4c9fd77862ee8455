import { detectFormat } from './detect/detect.ts';
import { readHead } from './detect/head.ts';
import type { EffectRules } from './effects/call.ts';
import { writeError } from './errors.ts';
import type { Format, Placed } from './formats/format.ts';
import { helperFor } from './helper-for.ts';
import { indexTranscript, type Progress, type Transcript } from './indexing/transcript.ts';
import type { Source } from './load/source.ts';
import type { MarkerHint } from './marker/marker.ts';
import type { CounterName } from './measure/counter.ts';
import { counterForModel, createCounter } from './measure/counters.ts';
import { createMeter, type Meter } from './measure/meter.ts';
import { pricesOf } from './measure/prices.ts';
import { resolveWindow } from './measure/window.ts';
import { cacheEffect } from './plan/cache.ts';
import type { ManualPlan } from './plan/manual.ts';
import { makePlan, type Plan } from './plan/plan.ts';
import type { Selection } from './plan/selection.ts';
import type { CacheReport, Warning, WindowFacts } from './report/report.ts';
import { decodeEntry } from './retrieve/decode.ts';
import type { ProtectRule } from './specs/protect.ts';
import type { Amount, StrategySpec } from './specs/spec.ts';
import { parentOf, runBehind } from './stash/behind.ts';
import { NO_STASH, placedBy } from './stash/placed.ts';
import { RefBook } from './stash/refs.ts';
import { readEntry, readRuns, refHash, type Stash } from './stash/store.ts';
import type { Summaries } from './stash/summaries.ts';
import type { HelperEvent } from './summarize/helper.ts';
import type { Summarizer, SummaryAnswer } from './summarize/summarizer.ts';

export interface PrepareOptions {
  readonly specs: readonly StrategySpec[];
  readonly emergency?: boolean;
  /** Name of a format; detected by content when absent. */
  readonly format?: string;
  /** Window in tokens; looked up by the transcript's model when absent. */
  readonly window?: number;
  /** Counter; picked by the transcript's model when absent. */
  readonly counter?: CounterName;
  readonly protectEnds?: boolean;
  readonly hint?: MarkerHint;
  /** Hide tool results by the format's own mark instead of replacing them. */
  readonly native?: boolean;
  /** The built-in extractive one when absent. */
  readonly summarizer?: Summarizer;
  /** How an external summarizer is asked; its texts stay here without `allowTransfer`. */
  readonly summaries?: SummaryTerms;
  /** What the user says of tools and their effects. */
  readonly effects?: EffectRules;
  readonly progress?: Progress;
  readonly protect?: readonly ProtectRule[];
  readonly selection?: Selection;
  readonly includeDead?: boolean;
  /** Stop once the live tokens are down to a count, or to a share of the live message tokens. */
  readonly targetTokens?: Amount;
  /** Entries of an edited plan. */
  readonly manual?: ManualPlan;
  /** sha256 of the bytes that a plan was made for. */
  readonly plannedFor?: string;
  /** Least tokens that a run must save; with less nothing is done. */
  readonly minSavings?: number;
}

/** Terms for a summarizer that texts are sent to. */
export interface SummaryTerms {
  readonly allowTransfer?: boolean;
  /** Calls at once; 4 when absent. */
  readonly concurrency?: number;
  /** The plan is only shown: nobody is asked. */
  readonly preview?: boolean;
  /** A further stash whose answers are used again. */
  readonly cache?: Stash;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: HelperEvent) => void;
}

/** A transcript with its plan: everything that explain shows and compact applies. */
export interface Prepared {
  readonly transcript: Transcript;
  readonly meter: Meter;
  readonly counter: { readonly name: CounterName; readonly exact: boolean };
  readonly window: WindowFacts;
  readonly plan: Plan;
  /** Answers that were got for it. */
  readonly summaries: Summaries;
  readonly cache: CacheReport | null;
  readonly warnings: readonly Warning[];
}

/** load -> detect -> index -> measure -> plan. Reads only. */
export async function prepare(
  source: Source,
  options: PrepareOptions,
  stash?: Stash,
): Promise<Prepared> {
  const measured = measureTranscript(source, options, stash);
  const { transcript, meter, counter } = measured;
  if (options.plannedFor !== undefined && options.plannedFor !== transcript.sha256)
    throw writeError(`the plan was made for other bytes than those of ${source.path}`, {
      hint: 'make a new one with ctx explain FILE --plan-out plan.json; nothing was written',
    });
  const model = lastModel(transcript);
  const window = await windowOf(measured, options.window);
  const summaries = new Map<string, SummaryAnswer>();
  const plan = await makePlan(transcript, {
    specs: options.specs,
    emergency: options.emergency ?? false,
    window: { tokens: window.tokens, assumed: window.source === 'default' },
    meter,
    helper: helperFor(options, stash, summaries),
    ...(options.effects === undefined ? {} : { effects: options.effects }),
    ...(options.protect === undefined ? {} : { protect: options.protect }),
    ...(options.selection === undefined ? {} : { selection: options.selection }),
    includeDead: options.includeDead ?? false,
    ...(options.targetTokens === undefined ? {} : { targetTokens: options.targetTokens }),
    ...firstTokens(source, stash),
    ...(options.manual === undefined ? {} : { manual: options.manual }),
    ...(options.minSavings === undefined ? {} : { minSavings: options.minSavings }),
    ...(stash === undefined ? {} : { originals: (ref) => originalText(stash, ref) }),
    protectEnds: options.protectEnds ?? true,
    native: options.native ?? false,
    hint: options.hint ?? 'none',
    refs: new RefBook(stash === undefined ? [] : knownRefs(stash)),
  });
  return {
    transcript,
    meter,
    counter,
    window,
    plan,
    summaries,
    cache: await cacheOf(plan, model),
    warnings: [...transcriptWarnings(transcript, options), ...plan.warnings],
  };
}

/** Tokens before the first run, when the source is exactly what the last one wrote. */
function firstTokens(source: Source, stash: Stash | undefined): { firstTokens?: number } {
  const runs = stash === undefined ? [] : readRuns(stash);
  let run = runs.length === 0 ? undefined : runBehind(source, runs);
  if (run === undefined || run.output.bytes !== source.size) return {};
  for (let parent = parentOf(run, runs); parent !== undefined; parent = parentOf(run, runs))
    run = parent;
  return { firstTokens: run.tokens.before };
}

/** Prices are looked up only for a plan that changes something. */
async function cacheOf(plan: Plan, model: string | undefined): Promise<CacheReport | null> {
  if (plan.decisions.length === 0) return null;
  return cacheEffect(plan.views, model === undefined ? undefined : await pricesOf(model));
}

/** The window that a transcript is judged by; `flag` is what the user named. */
export function windowOf(
  { transcript, lastWindow }: Measured,
  flag?: number,
): Promise<WindowFacts> {
  const model = transcript.conversations.at(-1)?.model;
  return resolveWindow({
    ...(flag === undefined ? {} : { flag }),
    ...(model === undefined ? {} : { model }),
    ...(lastWindow === undefined ? {} : { stash: lastWindow }),
  });
}

/** Text of a stored original; undefined when the stash does not have it, or not as text. */
function originalText(stash: Stash, ref: string): string | undefined {
  if (!stash.refs.has(ref)) return undefined;
  const decoded = decodeEntry(readEntry(stash, ref));
  return decoded.type === 'media' ? undefined : decoded.text;
}

export interface Measured {
  readonly transcript: Transcript;
  readonly meter: Meter;
  readonly counter: { readonly name: CounterName; readonly exact: boolean };
  /** Window of the stash's last run. */
  readonly lastWindow?: number;
}

/** load -> detect -> index, measured with the counter that the options, the stash or the model ask for. */
export function measureTranscript(
  source: Source,
  options: Pick<PrepareOptions, 'format' | 'counter' | 'progress'>,
  stash?: Stash,
): Measured {
  const format = detectFormat(readHead(source), source.path, options.format);
  if (format.layout !== 'json') source.release();
  const runs = stash === undefined ? [] : readRuns(stash);
  const placed = stash === undefined ? NO_STASH : placedBy(runs);
  const last = runs.at(-1);
  const asked = options.counter ?? (last?.counter as CounterName | undefined);
  const read = (name: CounterName) => indexWith(source, format, name, placed, options.progress);
  let name = asked ?? 'o200k_base';
  let { transcript, meter } = read(name);
  const fitting = counterForModel(lastModel(transcript));
  if (asked === undefined && fitting.name !== name) {
    name = fitting.name;
    ({ transcript, meter } = read(name));
  }
  const exact = fitting.exact && fitting.name === name;
  const window = last?.window ?? undefined;
  return {
    transcript,
    meter,
    counter: { name, exact },
    ...(window === undefined ? {} : { lastWindow: window }),
  };
}

function lastModel({ conversations }: Transcript): string | undefined {
  return conversations.findLast(({ model }) => model !== undefined)?.model;
}

function indexWith(
  source: Source,
  format: Format,
  name: CounterName,
  placed: Placed,
  progress: Progress | undefined,
): { transcript: Transcript; meter: Meter } {
  const meter = createMeter(createCounter(name), format.vendor);
  const context = { meter, placed, id: 'main' };
  return { transcript: indexTranscript(source, format, context, progress), meter };
}

function knownRefs(stash: Stash): (readonly [string, string])[] {
  return [...stash.refs.keys()].map((ref) => [ref, refHash(stash, ref)]);
}

/** What was found in a transcript, and what the options risk. */
export function transcriptWarnings(
  transcript: Transcript,
  options: Pick<PrepareOptions, 'protectEnds'> = {},
): Warning[] {
  const warnings: Warning[] = [...(transcript.notices ?? [])];
  const broken = transcript.findings.filter((finding) => finding.code === 'broken-record').length;
  if (broken > 0)
    warnings.push({
      code: 'broken-record',
      text: `${broken} record(s) are not JSON and are kept as they are`,
    });
  const without = transcript.findings.filter(({ code }) => code === 'no-conversation').length;
  if (without > 0)
    warnings.push({
      code: 'no-conversation',
      text: `${without} line(s) hold no messages and are kept as they are`,
    });
  if (options.protectEnds === false)
    warnings.push({
      code: 'ends-not-protected',
      text: 'the first user message and the live end are not protected',
    });
  const lost = transcript.findings.filter(
    (finding) => finding.code === 'unresolved-placeholder',
  ).length;
  if (lost > 0)
    warnings.push({
      code: 'unresolved-placeholder',
      text: `${lost} marker(s) have neither an identity nor a stash; they are left alone`,
    });
  return warnings;
}
