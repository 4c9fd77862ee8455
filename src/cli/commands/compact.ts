import { createReadStream, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeFailure } from '../../commit/failure.ts';
import { type CompactOptions, compactSource, explainSource } from '../../compact.ts';
import { CtxError, EXIT, usageError } from '../../errors.ts';
import { openSource, type Stamp } from '../../load/file.ts';
import { memorySource, type Source } from '../../load/source.ts';
import type { MarkerHint } from '../../marker/marker.ts';
import type { CounterName } from '../../measure/counter.ts';
import { parseWindow } from '../../measure/window.ts';
import type { PrepareOptions } from '../../prepare.ts';
import type { Report } from '../../report/report.ts';
import { rememberStash } from '../../stash/list.ts';
import { renderError } from '../errors.ts';
import { expandFiles, isGlob, outputPath, stashList } from '../files.ts';
import { type GuardFlags, guardOptions } from '../guard-options.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json.ts';
import { type Limit, overLimit, parseCount, parseLimit, parseTokens } from '../limit.ts';
import { spareMemory } from '../memory.ts';
import type { StepFlag } from '../options.ts';
import { plannedOptions, writePlan } from '../plan.ts';
import { printReport } from '../print.ts';
import { progressFor } from '../progress.ts';
import { readSteps } from '../steps.ts';
import {
  chosenSummarizer,
  effectRules,
  type MaskingFlags,
  overrideSpecs,
  type SummarizerFlags,
  summaryTerms,
} from '../summaries.ts';
import { summaryProgress } from '../summary-progress.ts';

export interface CompactFlags extends MaskingFlags, SummarizerFlags, GuardFlags {
  readonly steps: readonly StepFlag[];
  readonly explain?: boolean;
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly outDir?: string;
  readonly stash?: string;
  readonly inPlace?: boolean;
  readonly force?: boolean;
  readonly verify?: boolean;
  readonly emergency?: boolean;
  readonly window?: string;
  readonly counter?: string;
  readonly format?: string;
  readonly protectEnds?: boolean;
  readonly markerHint?: string;
  readonly failIfOver?: string;
  readonly targetTokens?: string;
  readonly minSavings?: string;
  readonly plan?: string;
  readonly planOut?: string;
  readonly interactive?: boolean;
  readonly all?: boolean;
  readonly plain?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: 'auto' | 'always' | 'never';
  readonly debug?: boolean;
}

/** `ctx compact` and `ctx explain`: every file on its own; the exit code is the worst one. */
export async function compactCommand(
  names: readonly string[],
  flags: CompactFlags,
  io: Io,
): Promise<number> {
  const options = await prepareOptions(flags, io);
  const limit = flags.failIfOver === undefined ? undefined : parseLimit(flags.failIfOver);
  const files = await expandFiles(names, io.cwd);
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
    const code = await oneFile(file, lines, flags, options, limit, io);
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

async function oneFile(
  file: string,
  lines: boolean,
  flags: CompactFlags,
  options: PrepareOptions,
  limit: Limit | undefined,
  io: Io,
): Promise<number> {
  const progress = progressFor(io, file, flags.quiet === true);
  const summaries = summaryProgress(io, options.summarizer, flags.quiet === true);
  try {
    const asking = { summaries: summaryTerms(flags, io, summaries.add) };
    const own = { ...options, ...asking, progress: progress.add };
    const { report, planned } = await reportFor(file, flags, own, io).finally(summaries.end);
    if (flags.planOut !== undefined) writePlan(flags.planOut, report, own, planned);
    progress.end();
    const over = limit === undefined ? undefined : overLimit(report, limit);
    const warnings =
      over === undefined
        ? report.warnings
        : [...report.warnings, { code: 'over-limit', text: over }];
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

/** A file that failed has its line too, so that every input is accounted for. */
function errorLine(path: string, cause: unknown): unknown {
  const { message } = cause as Error;
  const facts =
    cause instanceof CtxError
      ? { code: cause.code, exit: cause.exitCode }
      : { code: 'internal', exit: EXIT.internal };
  return { schema: 'ctx.error/1', path, ...facts, message };
}

async function reportFor(
  file: string,
  flags: CompactFlags,
  options: PrepareOptions,
  io: Io,
): Promise<{ readonly report: Report; readonly planned: Report['blocks'] }> {
  const { source, stamp } = await openInput(file, flags, io);
  spareMemory(source.size);
  try {
    if (flags.dryRun === true) {
      const { report, prepared } = await explainSource(source, withStash(options, flags));
      const planned = report.blocks;
      if (flags.interactive !== true) return { report, planned };
      const { chooseBlocks } = await import('../choose.ts');
      const blocks = await chooseBlocks(report, prepared);
      return { report: blocks === undefined ? report : { ...report, blocks }, planned };
    }
    const report = await compactSource(source, stamp, compactOptions(file, flags, options, io));
    if (report.stash !== null) rememberStash(stashList(io.env), report.stash.path);
    return { report, planned: report.blocks };
  } finally {
    source.close();
  }
}

async function openInput(
  file: string,
  flags: CompactFlags,
  io: Io,
): Promise<{ source: Source; stamp: Stamp | null }> {
  if (file === '-') return { source: memorySource(await io.stdin.read(), '-'), stamp: null };
  const source = openSource(resolvePath(file, io));
  // In place means the file behind a link, not the link.
  const path = flags.inPlace === true && isLink(file) ? realpathSync(file) : file;
  return { source: { ...source, path }, stamp: source.stamp };
}

function isLink(path: string): boolean {
  return lstatSync(path.replace(/[/\\]+$/, '')).isSymbolicLink();
}

function resolvePath(file: string, io: Io): string {
  return io.cwd === process.cwd() ? file : resolve(io.cwd, file);
}

function compactOptions(
  file: string,
  flags: CompactFlags,
  options: PrepareOptions,
  io: Io,
): CompactOptions {
  const toStdout = flags.output === '-' || (file === '-' && flags.output === undefined);
  const named = flags.output !== undefined || flags.outDir !== undefined || toStdout;
  return {
    ...withStash(options, flags),
    output: toStdout ? '-' : (flags.output ?? outputPath(file, io.cwd, flags.outDir)),
    inPlace: flags.inPlace ?? false,
    force: flags.force ?? false,
    copyUnchanged: named,
    noVerify: flags.verify === false,
    now: io.now(),
    checkpoint: io.checkpoint,
    ...(toStdout ? { deliver: (path: string) => pipeOut(path, io) } : {}),
  };
}

function withStash<T extends PrepareOptions>(
  options: T,
  flags: CompactFlags,
): T & { stash?: string } {
  return flags.stash === undefined ? options : { ...options, stash: flags.stash };
}

/** The spooled and verified output, to standard output. */
async function pipeOut(path: string, io: Io): Promise<void> {
  for await (const chunk of createReadStream(path)) io.stdout.write(chunk as Buffer);
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
    ...(flags.plan === undefined ? {} : plannedOptions(flags.plan)),
  };
}

const FLAG_NAMES: Readonly<Record<string, string>> = { planOut: 'plan-out' };

/** Flags that contradict one another, before any file is read. */
function checkFlags(files: readonly string[], flags: CompactFlags): void {
  const single = ['output', 'stash', 'plan', 'planOut', 'interactive'] as const;
  for (const name of single) {
    if (files.length > 1 && flags[name] !== undefined) {
      throw usageError(
        `--${FLAG_NAMES[name] ?? name} is for one file, but there are ${files.length} inputs`,
        name === 'output' || name === 'stash' ? 'use --out-dir' : 'name one file',
      );
    }
  }
  if (flags.output !== undefined && flags.outDir !== undefined)
    throw usageError('--output and --out-dir exclude one another');
  if (flags.inPlace === true && (flags.output !== undefined || flags.outDir !== undefined)) {
    throw usageError('--in-place excludes --output and --out-dir');
  }
  if (flags.interactive === true && flags.planOut === undefined)
    throw usageError(
      '--interactive needs --plan-out FILE, so that the choice is kept',
      'apply it with ctx compact FILE --plan plan.json',
    );
  if (flags.plan !== undefined && flags.steps.length > 0)
    throw usageError('--plan has its own steps', 'leave the steps and presets out');
  if (flags.json === true && flags.plain === true)
    throw usageError('--json and --plain exclude one another');
  const piped = files.includes('-') || flags.output === '-';
  if (piped && flags.inPlace === true) throw usageError('--in-place needs a file');
  if (piped && flags.stash === undefined && flags.dryRun !== true) {
    throw usageError(
      'compacting through a pipe needs --stash FILE, so that the originals are kept',
      'or --dry-run to look only',
    );
  }
}
