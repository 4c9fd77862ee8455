import { existsSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type Application, applyDecisions, withoutGaps } from './apply/splices.ts';
import { type Checkpoint, type CommitRequest, commit } from './commit/commit.ts';
import { writeFailure } from './commit/failure.ts';
import { fileSink, type Sink } from './commit/sink.ts';
import { CtxError, EXIT, usageError, writeError } from './errors.ts';
import { chunks } from './load/chunks.ts';
import { type OpenedSource, openSource, type Stamp } from './load/file.ts';
import { sourceHash } from './load/hash.ts';
import { defaultOutput } from './load/paths.ts';
import type { Source } from './load/source.ts';
import { type Prepared, type PrepareOptions, prepare } from './prepare.ts';
import { archiveFacts, buildReport } from './report/build.ts';
import type { Report } from './report/report.ts';
import { openStash, readRuns, type Stash } from './stash/store.ts';
import { checkOutput } from './verify/output.ts';

export interface CompactOptions extends PrepareOptions {
  /** Where the output goes; the default is `<stem>.compact<ext>` beside the input. */
  readonly output?: string;
  /** Where the stash goes; the default is `<output>.stash`. */
  readonly stash?: string;
  readonly inPlace?: boolean;
  /** Write the output to this stream-like receiver instead of a file. */
  readonly deliver?: (path: string) => Promise<void>;
  /** Replace an existing output whatever it is. */
  readonly force?: boolean;
  /** Write a copy when there is nothing to do. */
  readonly copyUnchanged?: boolean;
  /** Keep the compressed bytes of a compressed input in the stash: restore gives the very file. */
  readonly exactArchive?: boolean;
  /** Skip the integrity check. */
  readonly noVerify?: boolean;
  /** Time of the run, ISO 8601: the core reads no clock. */
  readonly now: string;
  readonly checkpoint?: Checkpoint;
}

/** `compact` up to the plan: reads, decides, writes nothing. */
export async function explainSource(
  source: Source,
  options: PrepareOptions & { readonly stash?: string },
): Promise<{ report: Report; prepared: Prepared }> {
  const stash = inputStash(source.path, options.stash);
  try {
    const prepared = await prepare(source, options, stash);
    const report = buildReport(prepared, {
      command: 'explain',
      path: source.path,
      output: null,
      stash: null,
      verify: null,
      bytesAfter: plannedBytes(source, prepared),
    });
    return { report, prepared };
  } finally {
    stash?.close();
  }
}

/** Size of the output that a plan would write. */
function plannedBytes(source: Source, { transcript, plan }: Prepared): number {
  let size = source.size;
  for (const { start, end, data } of applyDecisions(transcript, plan.decisions).splices()) {
    size += Buffer.byteLength(data) - (end - start);
  }
  return size;
}

/**
 * Compacts a transcript on disk: writes the output and its stash, in the order of a commit (commit/commit.ts).
 * @throws CtxError: 3 input, 4 format, 5 stash, 6 write conflict or failure, 70 when the integrity check fails.
 */
export async function compactFile(path: string, options: CompactOptions): Promise<Report> {
  const real = options.inPlace === true ? realpathSync(path) : path;
  const source = openSource(real);
  try {
    return await compactSource(source, source.stamp, options);
  } finally {
    source.close();
  }
}

/** The same over an open source; `stamp` is null for bytes that no one else can change. */
export async function compactSource(
  source: Source | OpenedSource,
  stamp: Stamp | null,
  options: CompactOptions,
): Promise<Report> {
  const output =
    options.inPlace === true ? source.path : (options.output ?? defaultOutput(source.path));
  const stashPath = options.stash ?? `${output}.stash`;
  // One file for both: the output would take the place of the originals.
  if (resolve(stashPath) === resolve(output) && options.deliver === undefined)
    throw usageError(`the stash and the output would be one file: ${output}`);
  if (options.inPlace === true) refuseReadOnly(output, options);
  const stash = inputStash(source.path, options.stash);
  try {
    const { prepared, application } = await withCache(stashPath, options, (own) =>
      planned(source, own, stash),
    );
    const done = { command: 'compact' as const, path: source.path };
    if (prepared.plan.decisions.length === 0) {
      const copied =
        options.copyUnchanged === true ? await copyOut(source, prepared, output, options) : null;
      return buildReport(prepared, { ...done, output: copied, stash: null, verify: null });
    }
    if (options.inPlace !== true && options.deliver === undefined)
      refuseOverwrite(output, source.path, options);
    const written = await commit(
      request(prepared, application, stamp, output, stashPath, stash, options),
      delivery(options),
    );
    const verify = options.noVerify === true ? null : { ok: true, violations: [] };
    return buildReport(prepared, { ...done, output: written.output, stash: written.stash, verify });
  } finally {
    stash?.close();
  }
}

/** Answers that an earlier run to the same output got are used again. */
async function withCache<T>(
  path: string,
  options: CompactOptions,
  work: (options: CompactOptions) => Promise<T>,
): Promise<T> {
  if (options.summarizer?.external === undefined || !existsSync(path)) return work(options);
  const cache = openStash(path);
  try {
    return await work({ ...options, summaries: { ...options.summaries, cache } });
  } finally {
    cache.close();
  }
}

/** A rename needs no right to write the file itself, but somebody took that right away on purpose. */
function refuseReadOnly(path: string, options: CompactOptions): void {
  const { mode } = statSync(path);
  if (options.force === true || (mode & 0o222) !== 0) return;
  throw writeError(`${path} is read-only`, {
    hint: 'make it writable, or replace it with --force',
  });
}

/** The plan and its splices. What only making them needed is let go: the index of a session is large. */
async function planned(
  source: Source,
  options: CompactOptions,
  stash: Stash | undefined,
): Promise<{ prepared: Prepared; application: Application }> {
  const prepared = await prepare(source, options, stash);
  const application = applyDecisions(prepared.transcript, prepared.plan.decisions);
  return { prepared: { ...prepared, transcript: withoutGaps(prepared.transcript) }, application };
}

function request(
  prepared: Prepared,
  application: Application,
  stamp: Stamp | null,
  output: string,
  stash: string,
  held: Stash | undefined,
  options: CompactOptions,
): CommitRequest {
  const { transcript, plan, counter, window } = prepared;
  return {
    transcript,
    application,
    stamp,
    output,
    stash,
    ...(options.deliver === undefined ? {} : { spool: tmpdir() }),
    inPlace: options.inPlace ?? false,
    exactArchive: options.exactArchive ?? false,
    run: {
      at: options.now,
      format: transcript.format.name,
      counter: counter.name,
      window: window.source === 'default' ? null : window.tokens,
      strategies: plan.strategies.filter((step) => step.acted > 0).map((step) => step.name),
      tokens: plan.tokens,
    },
    summaries: prepared.summaries,
    ...(held === undefined ? {} : { inputStash: held }),
    checkpoint: options.checkpoint ?? (async () => {}),
    check: (written) => {
      if (options.noVerify === true) return;
      const violations = checkOutput(prepared, written);
      const [first] = violations;
      if (first === undefined) return;
      throw new CtxError(
        'integrity',
        EXIT.internal,
        `the output failed its integrity check: ${first.text} (${first.code})`,
        {
          hint: 'nothing was replaced; please report this with the transcript, if you can share it',
        },
      );
    },
  };
}

function delivery(options: CompactOptions): ((sink: Sink) => Promise<void>) | undefined {
  const { deliver } = options;
  if (deliver === undefined) return undefined;
  return async (sink) => {
    await deliver(sink.temporary);
    sink.discard();
  };
}

async function copyOut(
  source: Source,
  prepared: Prepared,
  output: string,
  options: CompactOptions,
): Promise<Report['output']> {
  if (options.inPlace === true || source.files !== undefined) return null;
  if (options.deliver === undefined) refuseOverwrite(output, source.path, options);
  let sink: Sink | undefined;
  try {
    sink = fileSink(output, 0o600, ...(options.deliver === undefined ? [] : [tmpdir()]));
    const { archive } = source;
    for (const chunk of archive === undefined ? chunks(source, 0, source.size) : [archive.raw()])
      sink.write(chunk);
    sink.close();
    await (delivery(options)?.(sink) ?? sink.place());
    const { sha256 } = prepared.transcript;
    return { path: output, bytes: source.size, sha256, ...archiveFacts(source) };
  } catch (cause) {
    sink?.discard();
    throw writeFailure(output, cause);
  }
}

/** An earlier output of ours that nobody has touched may be replaced; anything else is somebody's file. */
function refuseOverwrite(output: string, input: string, options: CompactOptions): void {
  if (!existsSync(output)) return;
  if (existsSync(input) && realpathSync(output) === realpathSync(input)) {
    throw usageError(
      `the output would be the input ${input}`,
      'use --in-place to compact it where it is',
    );
  }
  if (options.force === true || isOwnOutput(output, options.stash ?? `${output}.stash`)) return;
  throw writeError(`${output} exists and is not an untouched output of ctx`, {
    hint: 'name another file with -o, or replace it with --force',
  });
}

function isOwnOutput(output: string, stashPath: string): boolean {
  if (!existsSync(stashPath)) return false;
  const stash = openStash(stashPath);
  try {
    const source = openSource(output);
    const sha256 = sourceHash(source);
    source.close();
    return readRuns(stash).some((run) => run.output.sha256 === sha256);
  } catch (cause) {
    // A compressed file that can not be read is somebody's, too.
    if (cause instanceof CtxError) return false;
    throw cause;
  } finally {
    stash.close();
  }
}

/** The stash that belongs to an input: the one beside it (or beside the file behind a link), else the named one. */
export function inputStash(path: string, named?: string): Stash | undefined {
  const behind = existsSync(path) ? realpathSync(path) : path;
  const found = [`${path}.stash`, `${behind}.stash`, ...(named === undefined ? [] : [named])].find(
    (candidate) => existsSync(candidate),
  );
  return found === undefined ? undefined : openStash(found);
}
