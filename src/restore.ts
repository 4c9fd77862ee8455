import { copyFileSync, existsSync, realpathSync, statSync } from 'node:fs';
import { undoBytes } from './apply/undo.ts';
import { writeFailure } from './commit/failure.ts';
import { fileSink, folderSink, packedSink, type Sink, type SinkFacts } from './commit/sink.ts';
import { stashError, usageError, writeError } from './errors.ts';
import { collect } from './load/chunks.ts';
import { openSource, sameStamp, stampOf } from './load/file.ts';
import { sourceHash } from './load/hash.ts';
import { packingOf } from './load/packing.ts';
import { defaultRestored } from './load/paths.ts';
import { type ArchiveFacts, memorySource, type Source, type SourceFile } from './load/source.ts';
import { plural } from './marker/marker.ts';
import { restoreBlocks } from './restore-blocks.ts';
import { parentOf, runBehind } from './stash/behind.ts';
import type { RunLine } from './stash/lines.ts';
import {
  openStash,
  pieceReader,
  readEntry,
  readRuns,
  resolveRef,
  type Stash,
} from './stash/store.ts';

export interface RestoreOptions {
  readonly stash?: string;
  readonly output?: string;
  /** Undo only the last run of a chain. */
  readonly last?: boolean;
  /** Restore only these originals, where they stand. */
  readonly refs?: readonly string[];
  readonly inPlace?: boolean;
  readonly force?: boolean;
  readonly format?: string;
  /** Where the original goes when nothing is named and it was not compacted in place. */
  readonly fallback?: string;
}

export interface Restored {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The file itself when it is compressed. */
  readonly archive?: ArchiveFacts;
  /** exact: byte for byte; appended: exact with what a client appended; blocks: block by block. */
  readonly how: 'exact' | 'appended' | 'blocks';
  readonly runs: number;
  readonly warnings: readonly string[];
  /** Only some originals were restored: the file still holds markers, and the stash was copied beside it. */
  readonly partly: boolean;
  /** Refs that have no place any more. */
  readonly lost: readonly string[];
}

/**
 * Undoes runs: exactly while the file still begins with the bytes that were written, else block by block.
 * @throws CtxError: 3 input, 5 stash, 6 write.
 */
export function restoreFile(path: string, options: RestoreOptions): Restored {
  const real = existsSync(path) ? realpathSync(path) : path;
  const source = openSource(real);
  const stash = openStash(stashPathOf(path, real, options));
  try {
    const plan = planRestore(source, stash, options);
    const target = targetOf(path, real, plan.inPlace, options);
    const written = writeRestored(source, plan, target, real);
    // What still holds markers needs its stash beside it.
    const partly = target !== real && (options.refs !== undefined || options.last === true);
    if (partly && !existsSync(`${target}.stash`)) copyFileSync(stash.path, `${target}.stash`);
    return { path: target, partly, ...written, ...plan.result };
  } finally {
    source.close();
    stash.close();
  }
}

interface RestorePlan {
  readonly source: Source;
  readonly inPlace: boolean;
  /** The compressed file that the input was, when the stash has it. */
  readonly archive?: Buffer;
  readonly result: Pick<Restored, 'how' | 'runs' | 'warnings' | 'lost'>;
}

function planRestore(source: Source, stash: Stash, options: RestoreOptions): RestorePlan {
  const runs = readRuns(stash);
  const refs = options.refs?.map((ref) => resolveRef(stash, ref));
  const first = runBehind(source, runs);
  const inPlace = options.inPlace ?? (first ?? runs.at(-1))?.inPlace ?? false;
  if (first === undefined || refs !== undefined) {
    return { inPlace, ...blockPlan(source, stash, runs, refs, options, first !== undefined) };
  }
  let bytes = source;
  let undone = 0;
  let appended = false;
  let archive: string | undefined;
  for (let run: RunLine | undefined = first; run !== undefined; ) {
    appended ||= source.files === undefined && bytes.size > run.output.bytes;
    bytes = undoneSource(bytes, run, stash);
    checkInput(bytes, run, stash);
    undone += 1;
    archive = run.archive;
    run = options.last === true ? undefined : parentOf(run, runs);
  }
  const warnings = [
    ...(appended ? ['what a client appended after the run is kept'] : []),
    ...leftMarkers(bytes, runs, options),
  ];
  return {
    source: bytes,
    inPlace,
    ...(appended || archive === undefined ? {} : { archive: archiveOf(stash, archive) }),
    result: { how: appended ? 'appended' : 'exact', runs: undone, warnings, lost: [] },
  };
}

function archiveOf(stash: Stash, ref: string): Buffer {
  return readEntry(stash, ref).pieces[0] as Buffer;
}

/** The chain of runs may be broken (originals were restored one by one in between): what is left is said. */
function leftMarkers(bytes: Source, runs: readonly RunLine[], options: RestoreOptions): string[] {
  if (options.last === true) return [];
  const text = bytes.read(0, bytes.size);
  const refs = new Set(runs.flatMap((run) => run.placed.map(({ ref }) => ref)));
  const left = [...refs].filter((ref) => text.includes(`] [ref: ${ref}]`));
  if (left.length === 0) return [];
  return [
    `${plural(left.length, 'marker')} of earlier runs may be left in the result; run restore on it with --stash`,
  ];
}

/** What an undo gives back begins with the input that the run recorded. */
function checkInput(bytes: Source, { input }: RunLine, stash: Stash): void {
  const same =
    bytes.size >= input.bytes &&
    sourceHash(bytes, bytes.files === undefined ? input.bytes : bytes.size) === input.sha256;
  if (same) return;
  throw stashError(
    'restore-mismatch',
    `the stash ${stash.path} does not give back the bytes that its run recorded`,
    { hint: 'restore the stash from a copy; nothing was written' },
  );
}

function undoneSource(source: Source, run: RunLine, stash: Stash): Source {
  const piece = pieceReader(stash);
  if (source.files !== undefined) return undoneFolder(source, source.files, run, piece);
  return memorySource(collect(undoBytes(source, run.undo, piece)), source.path);
}

/** Every file of a folder on its own, so that its borders are known afterwards. */
function undoneFolder(
  source: Source,
  files: readonly SourceFile[],
  run: RunLine,
  piece: PieceReader,
): Source {
  const parts: Buffer[] = [];
  let size = 0;
  const placed = files.map((file) => {
    const own = run.undo
      .filter(([at, length]) => at >= file.start && at + length <= file.end)
      .map(([at, length, undone]) => [at - file.start, length, undone] as const);
    const bytes = collect(undoBytes(memorySource(source.read(file.start, file.end)), own, piece));
    parts.push(bytes);
    size += bytes.length;
    return { path: file.path, start: size - bytes.length, end: size };
  });
  return memorySource(Buffer.concat(parts), source.path, placed);
}

type PieceReader = ReturnType<typeof pieceReader>;

function blockPlan(
  source: Source,
  stash: Stash,
  runs: readonly RunLine[],
  refs: readonly string[] | undefined,
  options: RestoreOptions,
  untouched: boolean,
): Omit<RestorePlan, 'inPlace'> {
  const { bytes, restored, lost } = restoreBlocks(source, stash, runs, refs, options.format);
  if (restored === 0) {
    const markers = new Set(runs.flatMap((run) => run.placed.map(({ ref }) => ref))).size;
    throw stashError(
      'nothing-to-restore',
      `${source.path} holds none of the ${plural(markers, 'marker')} that ${stash.path} knows; nothing was written`,
      { hint: 'it may be restored already; otherwise name its own stash with --stash' },
    );
  }
  const warnings = untouched
    ? []
    : ['the file was rewritten since ctx wrote it; it was restored block by block'];
  return { source: bytes, result: { how: 'blocks', runs: 0, warnings, lost } };
}

function stashPathOf(path: string, real: string, options: RestoreOptions): string {
  if (options.stash !== undefined) return options.stash;
  const beside = [path, real].map((name) => `${name.replace(/[/\\]+$/, '')}.stash`);
  const found = beside.find((name) => existsSync(name));
  if (found !== undefined) return found;
  throw stashError('stash-missing', `there is no stash beside ${path}`, {
    hint: 'name it with --stash FILE',
  });
}

function targetOf(path: string, real: string, inPlace: boolean, options: RestoreOptions): string {
  if (options.output !== undefined) {
    if (existsSync(options.output) && realpathSync(options.output) === real) {
      throw usageError(
        `the output would be the input ${path}`,
        'use --in-place to restore it where it is',
      );
    }
    return checked(options.output, options);
  }
  return inPlace ? real : checked(options.fallback ?? defaultRestored(path), options);
}

function checked(target: string, options: RestoreOptions): string {
  if (!existsSync(target) || options.force === true) return target;
  throw writeError(`${target} exists`, {
    hint: 'name another file with -o, or replace it with --force',
  });
}

function writeRestored(
  source: Source,
  { source: restored, archive }: RestorePlan,
  target: string,
  real: string,
): SinkFacts {
  const stamp = source.files === undefined ? stampOf(real) : undefined;
  let sink: Sink | undefined;
  try {
    sink =
      restored.files === undefined
        ? packed(fileSink(target, statSync(real).mode & 0o777), archive ?? source)
        : folderSink(target, restored.files, () => new Map());
    sink.write(archive ?? Buffer.from(restored.read(0, restored.size)));
    const file = sink.close();
    const written = archive === undefined ? file : exactFacts(restored, archive, file);
    if (stamp !== undefined && !sameStamp(stamp, stampOf(real))) {
      throw writeError(`${real} changed while it was restored`, {
        hint: 'close its client and run again; nothing was written',
      });
    }
    sink.place();
    return written;
  } catch (cause) {
    sink?.discard();
    throw writeFailure(target, cause);
  }
}

/** What is restored is compressed as the file is that it is restored from; a kept archive is written as it is. */
function packed(sink: Sink, from: Source | Buffer): Sink {
  if (Buffer.isBuffer(from) || from.archive === undefined) return sink;
  return packedSink(sink, from.archive.method);
}

/** The facts of a kept archive, which is written as it is: those of its content come first, as for any file. */
function exactFacts(content: Source, archive: Buffer, file: SinkFacts): SinkFacts {
  const method = packingOf(archive, '');
  return {
    bytes: content.size,
    sha256: sourceHash(content),
    ...(method === undefined ? {} : { archive: { method, ...file } }),
  };
}
