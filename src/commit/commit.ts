import { append } from '../append.ts';
import { piecePlaces } from '../apply/places.ts';
import { type PiecePlace, spliceBytes, type Undo } from '../apply/splice-bytes.ts';
import type { Application } from '../apply/splices.ts';
import { writeError } from '../errors.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { type Stamp, sameStamp, stampOf } from '../load/file.ts';
import type { Splice } from '../model/splice.ts';
import type { PlacedMarker, RunLine } from '../stash/lines.ts';
import { readRuns, type Stash } from '../stash/store.ts';
import { readSummary, type Summaries, summaryLine } from '../stash/summaries.ts';
import { StashWriter } from '../stash/writer.ts';
import { originalFacts, placedMarker, runLine } from './facts.ts';
import { writeFailure } from './failure.ts';
import { openSink, storeArchive } from './packed.ts';
import type { Sink, SinkFacts } from './sink.ts';

/** Lets the event loop run and throws when the run was interrupted. */
export type Checkpoint = () => Promise<void>;

export interface CommitRequest {
  readonly transcript: Transcript;
  readonly application: Application;
  readonly stamp: Stamp | null;
  readonly output: string;
  readonly stash: string;
  /** Folder for the temporary file when the output goes to standard output. */
  readonly spool?: string;
  readonly inPlace: boolean;
  /** Keep the compressed bytes of the input in the stash. */
  readonly exactArchive?: boolean;
  readonly run: Pick<RunLine, 'at' | 'format' | 'counter' | 'window' | 'strategies' | 'tokens'>;
  /** Answers of summarizers that this run got. */
  readonly summaries: Summaries;
  /** Stash of the input, carried forward when the output has another. */
  readonly inputStash?: Stash;
  readonly checkpoint: Checkpoint;
  /** The integrity check of the written bytes; throws to refuse them. */
  readonly check: (written: Written) => void;
}

export interface Written {
  /** Path of the written bytes, before they are at their place. */
  readonly temporary: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly run: RunLine;
  readonly stash: string;
}

export interface Committed {
  readonly output: SinkFacts & { readonly path: string };
  readonly stash: { readonly path: string; readonly entries: number; readonly bytes: number };
  readonly run: RunLine;
}

/**
 * The order of a commit: originals stored, fsynced and read back; the input compared with what
 * was indexed; the output written beside its target and fsynced; the run recorded; the integrity check; the
 * rename. Whatever fails leaves the input and any earlier output as they were.
 */
export async function commit(
  request: CommitRequest,
  deliver: (sink: Sink) => Promise<void> | void = place,
): Promise<Committed> {
  const writer = guarded(request.stash, () => new StashWriter(request.stash));
  let sink: Sink | undefined;
  try {
    carryForward(request, writer);
    for (const [key, answer] of request.summaries) writer.addSummary(key, summaryLine(key, answer));
    const stored = await storeOriginals(request, writer);
    compareInput(request);
    const undoSizes = new Map<string, number>();
    sink = guarded(request.output, () => openSink(request, () => undoSizes));
    const undo = await writeOutput(request, sink, stored.places, undoSizes);
    const written = guarded(request.output, sink.close);
    const { bytes, sha256 } = written;
    const run = runLine(request, undo, stored.markers, { bytes, sha256 });
    const summary = guarded(request.stash, () => writer.finish([run]));
    compareInput(request);
    request.check({ temporary: sink.temporary, bytes, sha256, run, stash: request.stash });
    await request.checkpoint();
    // As late as can be: what a client appends until the rename would be lost in place.
    compareInput(request);
    await delivered(request.output, sink, deliver);
    writer.release();
    return {
      output: { path: request.output, ...written },
      stash: { path: request.stash, ...summary },
      run,
    };
  } catch (cause) {
    sink?.discard();
    writer.abort();
    throw cause;
  }
}

function place(sink: Sink): void {
  sink.place();
}

async function delivered(
  path: string,
  sink: Sink,
  deliver: (sink: Sink) => Promise<void> | void,
): Promise<void> {
  try {
    await deliver(sink);
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

/** Each output stands alone with its own stash: what the input's stash holds goes along. */
function carryForward({ inputStash, stash }: CommitRequest, writer: StashWriter): void {
  if (inputStash === undefined || inputStash.path === stash) return;
  guarded(stash, () => {
    for (const [ref, [offset, length]] of inputStash.refs) {
      if (!writer.has(ref))
        writer.addLine(ref, Buffer.concat([inputStash.read(offset, offset + length), NEWLINE]));
    }
    for (const key of inputStash.summaries.keys()) {
      const answer = readSummary(inputStash, key);
      if (answer !== undefined) writer.addSummary(key, summaryLine(key, answer));
    }
    writer.addRuns(readRuns(inputStash));
  });
}

const NEWLINE = Buffer.from('\n');

async function storeOriginals(
  request: CommitRequest,
  writer: StashWriter,
): Promise<{ places: PiecePlace[]; markers: PlacedMarker[] }> {
  const places: PiecePlace[] = [];
  const markers: PlacedMarker[] = [];
  let count = 0;
  for (const original of request.application.originals()) {
    const pieces = original.pieces.map(({ start, end }) =>
      Buffer.from(request.transcript.source.read(start, end)),
    );
    guarded(request.stash, () =>
      writer.add(originalFacts(original, pieces, request.transcript), pieces),
    );
    const { source } = request.transcript;
    append(
      places,
      piecePlaces(original, pieces, (start, end) => source.read(start, end)),
    );
    // What goes without a trace leaves no marker to know again.
    if (original.textHash !== '') markers.push(placedMarker(original));
    count += 1;
    if (count % 256 === 0) await request.checkpoint();
  }
  guarded(request.stash, () => storeArchive(request, writer));
  guarded(request.stash, () => writer.seal());
  return { places: places.toSorted((left, right) => left.start - right.start), markers };
}

/** Refuses when the input is not what was indexed. */
function compareInput({ transcript, stamp }: CommitRequest): void {
  if (stamp === null) return;
  const { path } = transcript.source;
  if (isSame(path, stamp)) return;
  throw writeError(`${path} changed while it was read`, {
    hint: 'close its client and run again; nothing was written',
  });
}

/** A file that is gone is not the same either. */
function isSame(path: string, known: Stamp): boolean {
  try {
    return sameStamp(known, stampOf(path));
  } catch {
    return false;
  }
}

async function writeOutput(
  request: CommitRequest,
  sink: Sink,
  places: readonly PiecePlace[],
  sizes: Map<string, number>,
): Promise<Undo[]> {
  const { source } = request.transcript;
  const track = trackSizes(source.files ?? [], sizes);
  const bytes = spliceBytes(source, track(request.application.splices()), places);
  for (let step = bytes.next(); ; step = bytes.next()) {
    if (step.done === true) return step.value;
    const chunk = step.value;
    guarded(request.output, () => sink.write(chunk));
    if (chunk.length > 65_536) await request.checkpoint();
  }
}

/** Remembers by how much each file of a folder grows or shrinks. */
function trackSizes(
  files: readonly { path: string; start: number; end: number }[],
  sizes: Map<string, number>,
): (splices: Generator<Splice>) => Generator<Splice> {
  return function* (splices) {
    for (const splice of splices) {
      const file = files.find(({ start, end }) => splice.start >= start && splice.end <= end);
      if (file !== undefined) {
        const change = Buffer.byteLength(splice.data) - (splice.end - splice.start);
        sizes.set(file.path, (sizes.get(file.path) ?? 0) + change);
      }
      yield splice;
    }
  };
}
