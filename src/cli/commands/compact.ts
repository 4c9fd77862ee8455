import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeFailure } from '../../commit/failure.ts';
import { EXIT, usageError } from '../../errors.ts';
import type { MarkerHint } from '../../marker/marker.ts';
import type { CounterName } from '../../measure/counter.ts';
import { parseWindow } from '../../measure/window.ts';
import type { PrepareOptions } from '../../prepare.ts';
import { type CompactFlags, checkFlags } from '../compact-flags.ts';
import { errorLine, renderError } from '../errors.ts';
import { expandFiles, isGlob, outputPath } from '../files.ts';
import { guardOptions } from '../guard-options.ts';
import type { Io } from '../io.ts';
import { journalsOf, journalWarnings } from '../journal.ts';
import { jsonText } from '../json.ts';
import { type Limit, overLimit, parseCount, parseLimit, parseTokens } from '../limit.ts';
import { openPlan, type Planned, planWarnings, writePlan } from '../plan.ts';
import { rememberedFlags, withPlanFlags } from '../plan-flags.ts';
import { printReport } from '../print.ts';
import { progressFor } from '../progress.ts';
import { runFile } from '../run-file.ts';
import { readSteps } from '../steps.ts';
import { chosenSummarizer, effectRules, overrideSpecs, summaryTerms } from '../summaries.ts';
import { summaryProgress } from '../summary-progress.ts';

/** `ctx compact` and `ctx explain`: every file on its own; the exit code is the worst one. */
export async function compactCommand(
  names: readonly string[],
  own: CompactFlags,
  io: Io,
): Promise<number> {
  const plan = own.plan === undefined ? undefined : openPlan(own.plan);
  const flags = plan === undefined ? own : withPlanFlags(own, plan.flags);
  const options = { ...(await prepareOptions(flags, io)), ...plan?.options };
  const limit = flags.failIfOver === undefined ? undefined : parseLimit(flags.failIfOver);
  const named = await expandFiles(names, io.cwd);
  const files =
    flags.fromJournal === true ? journalsOf(named, flags.inPlace === true, io.cwd) : named;
  checkFlags(files, flags);
  if (flags.interactive === true && !io.stdin.isTTY)
    throw usageError(
      '--interactive needs a terminal',
      'write the plan with --plan-out and edit the file',
    );
  checkOutputs(files, flags, io);
  if (flags.outDir !== undefined && flags.dryRun !== true) makeFolder(flags.outDir);
  let worst: number = EXIT.ok;
  for (const file of files) {
    const lines = files.length > 1 || flags.outDir !== undefined || names.some(isGlob);
    const code = await oneFile({ file, lines, flags, options, limit, plan }, io);
    worst = Math.max(worst, code);
    if (code === EXIT.interrupted) break;
  }
  return worst;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

/** Two inputs of one name would go to one output, and the second would take the place of the first. */
function checkOutputs(files: readonly string[], flags: CompactFlags, io: Io): void {
  if (flags.inPlace === true || flags.dryRun === true) return;
  const inputs = new Map<string, string>();
  for (const file of files) {
    const output = resolve(io.cwd, outputPath(file, io.cwd, flags.outDir));
    const other = inputs.get(output);
    if (other !== undefined) {
      throw usageError(
        `the outputs of ${other} and ${file} would be one file`,
        'compact them in two runs, with different folders for --out-dir',
      );
    }
    inputs.set(output, file);
  }
}

interface Job {
  readonly file: string;
  /** One line a file. */
  readonly lines: boolean;
  readonly flags: CompactFlags;
  readonly options: PrepareOptions;
  readonly limit: Limit | undefined;
  readonly plan: Planned | undefined;
}

async function oneFile({ file, lines, flags, options, limit, plan }: Job, io: Io): Promise<number> {
  const progress = progressFor(io, file, flags.quiet === true);
  const summaries = summaryProgress(io, options.summarizer, flags.quiet === true);
  try {
    const asking = { summaries: summaryTerms(flags, io, summaries.add) };
    const own = { ...options, ...asking, progress: progress.add };
    const { report, planned } = await runFile(file, flags, own, io).finally(summaries.end);
    if (flags.planOut !== undefined)
      writePlan(flags.planOut, report, own, rememberedFlags(flags), planned);
    progress.end();
    const over = limit === undefined ? undefined : overLimit(report, limit);
    const warnings = [
      ...report.warnings,
      ...journalWarnings(file, report, io.cwd),
      ...(plan === undefined ? [] : planWarnings(plan, report)),
      ...(over === undefined ? [] : [{ code: 'over-limit', text: over }]),
    ];
    await printReport({ ...report, warnings }, { ...flags, lines }, 1, io);
    if (over === undefined) return EXIT.ok;
    io.stderr.write(`ctx: ${over}\n`);
    return EXIT.checkFailed;
  } catch (cause) {
    progress.end();
    if (flags.json === true && lines) io.stdout.write(`${jsonText(errorLine(file, cause))}\n`);
    return renderError(cause, io, flags.debug === true);
  }
}

async function prepareOptions(flags: CompactFlags, io: Io): Promise<PrepareOptions> {
  const { specs, emergency } = readSteps(flags.steps, flags.emergency);
  const counter =
    flags.counter === undefined || flags.counter === 'auto'
      ? undefined
      : (flags.counter as CounterName);
  return {
    ...(await chosenSummarizer(flags, io)),
    ...(await guardOptions(flags)),
    effects: effectRules(flags),
    specs: overrideSpecs(specs, flags),
    ...(flags.targetTokens === undefined
      ? {}
      : { targetTokens: parseTokens('--target-tokens', flags.targetTokens) }),
    ...(flags.minSavings === undefined
      ? {}
      : { minSavings: parseCount('--min-savings', flags.minSavings) }),
    emergency,
    protectEnds: flags.protectEnds ?? true,
    hint: (flags.markerHint ?? 'none') as MarkerHint,
    ...(flags.window === undefined ? {} : { window: parseWindow(flags.window) }),
    ...(counter === undefined ? {} : { counter }),
    ...(flags.format === undefined ? {} : { format: flags.format }),
  };
}
