import { createHash } from 'node:crypto';
import { append } from './append.ts';
import { piecePlaces } from './apply/places.ts';
import { type PiecePlace, spliceBytes, type Undo } from './apply/splice-bytes.ts';
import { applyDecisions } from './apply/splices.ts';
import { undoBytes } from './apply/undo.ts';
import { originalFacts, placedMarker, runLine } from './commit/facts.ts';
import { stashError } from './errors.ts';
import { collect } from './load/chunks.ts';
import { memorySource } from './load/source.ts';
import { type Prepared, type PrepareOptions, prepare } from './prepare.ts';
import { findPreset } from './presets/presets.ts';
import { buildReport } from './report/build.ts';
import type { Report } from './report/report.ts';
import { type Decoded, decodeEntry, rawEntry } from './retrieve/decode.ts';
import { parseSpec } from './specs/parse.ts';
import type { Method, StrategySpec } from './specs/spec.ts';
import { parentOf, runBehind } from './stash/behind.ts';
import { buildStash } from './stash/build.ts';
import {
  pieceReader,
  readEntry,
  readRuns,
  resolveRef,
  type Stash,
  stashFromBytes,
} from './stash/store.ts';
import { readSummary } from './stash/summaries.ts';

/** A step as it is written: a preset's name, or a method with its spec. */
export type Step = string | readonly [method: Method, spec: string];

export interface MemoryOptions extends Omit<PrepareOptions, 'specs'> {
  /** Steps in order; the preset auto when absent. */
  readonly steps?: readonly Step[];
  /** Stash of the transcript, when it was compacted before. */
  readonly stash?: Uint8Array;
  /** Time of the run, ISO 8601; the library reads no clock. */
  readonly now?: string;
}

export interface Compacted {
  readonly bytes: Buffer;
  /** The stash with every original; null when nothing was offloaded. */
  readonly stash: Buffer | null;
  readonly report: Report;
}

/**
 * Compacts a transcript in memory: no disk, no network.
 * @throws CtxError with the exit code that the command line would give.
 */
export async function compact(bytes: Uint8Array, options: MemoryOptions = {}): Promise<Compacted> {
  const prepared = await plan(bytes, options);
  if (prepared.plan.decisions.length === 0) {
    const report = buildReport(prepared, {
      command: 'compact',
      path: '',
      output: null,
      stash: null,
      verify: null,
    });
    return { bytes: Buffer.from(bytes), stash: null, report };
  }
  return apply(prepared, options);
}

/** load -> detect -> index -> measure -> plan, in memory. */
export async function plan(bytes: Uint8Array, options: MemoryOptions = {}): Promise<Prepared> {
  const { specs, emergency } = readSteps(options.steps ?? ['auto']);
  const stash = options.stash === undefined ? undefined : stashFromBytes(options.stash);
  return prepare(
    memorySource(bytes),
    { ...options, specs, emergency: options.emergency ?? emergency },
    stash,
  );
}

/** Applies a plan in memory. */
export function apply(
  prepared: Prepared,
  options: Pick<MemoryOptions, 'now' | 'stash'> = {},
): Compacted {
  const { transcript, plan: made, counter, window } = prepared;
  const application = applyDecisions(transcript, made.decisions);
  const places: PiecePlace[] = [];
  const originals = [...application.originals()].map((original) => {
    const pieces = original.pieces.map(({ start, end }) =>
      Buffer.from(transcript.source.read(start, end)),
    );
    const { source } = transcript;
    append(
      places,
      piecePlaces(original, pieces, (start, end) => source.read(start, end)),
    );
    return {
      facts: originalFacts(original, pieces, transcript),
      pieces,
      marker: placedMarker(original),
    };
  });
  const { bytes, undo } = spliced(
    prepared,
    application,
    places.toSorted((left, right) => left.start - right.start),
  );
  const facts = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  const earlier = options.stash === undefined ? undefined : stashFromBytes(options.stash);
  const run = runLine(
    {
      transcript,
      application,
      output: '',
      inPlace: false,
      ...(earlier === undefined ? {} : { inputStash: earlier }),
      run: {
        at: options.now ?? '',
        format: transcript.format.name,
        counter: counter.name,
        window: window.source === 'default' ? null : window.tokens,
        strategies: made.strategies.filter((step) => step.acted > 0).map((step) => step.name),
        tokens: made.tokens,
      },
    },
    undo,
    originals.flatMap(({ marker }) => (marker.text === '' ? [] : [marker])),
    facts,
  );
  const carried =
    earlier === undefined
      ? []
      : [...earlier.refs.keys()].map((ref) => entryParts(readEntry(earlier, ref)));
  const runs = [...(earlier === undefined ? [] : readRuns(earlier)), run];
  const known = earlier === undefined ? [] : [...earlier.summaries.keys()];
  const answers = known.flatMap((key) => {
    const answer = readSummary(earlier as Stash, key);
    return answer === undefined ? [] : [[key, answer] as const];
  });
  const stash = buildStash(
    [...carried, ...originals],
    runs,
    new Map([...answers, ...prepared.summaries]),
  );
  const output = { path: '', ...facts };
  const summary = {
    path: '',
    entries: carried.length + new Set(originals.map(({ facts: { ref } }) => ref)).size,
    bytes: stash.length,
  };
  return {
    bytes,
    stash,
    report: buildReport(prepared, {
      command: 'compact',
      path: '',
      output,
      stash: summary,
      verify: null,
    }),
  };
}

/**
 * One original out of a stash.
 * @throws CtxError with exit 5: unknown or ambiguous ref, damaged entry.
 */
export function retrieve(stash: Uint8Array, ref: string): Decoded & { readonly raw: Buffer } {
  const opened = stashFromBytes(stash);
  const entry = readEntry(opened, resolveRef(opened, ref));
  return { ...decodeEntry(entry), raw: rawEntry(entry) };
}

/**
 * The bytes before all runs of a stash. Bytes that a client appended follow.
 * @throws CtxError with exit 5 when the stash knows no run that wrote these bytes.
 */
export function restore(bytes: Uint8Array, stash: Uint8Array): Buffer {
  const opened = stashFromBytes(stash);
  const runs = readRuns(opened);
  let current: Buffer = Buffer.from(bytes);
  let run = runBehind(memorySource(current), runs);
  if (run === undefined)
    throw stashError('nothing-to-restore', 'the stash knows no run that wrote these bytes');
  while (run !== undefined) {
    current = collect(undoBytes(memorySource(current), run.undo, pieceReader(opened)));
    run = parentOf(run, runs);
  }
  return current;
}

function entryParts({ pieces, ...facts }: ReturnType<typeof readEntry>): {
  facts: typeof facts;
  pieces: readonly Buffer[];
} {
  return { facts, pieces };
}

function spliced(
  { transcript }: Prepared,
  application: ReturnType<typeof applyDecisions>,
  places: readonly PiecePlace[],
): { bytes: Buffer; undo: Undo[] } {
  const chunks: Buffer[] = [];
  const steps = spliceBytes(transcript.source, application.splices(), places);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { bytes: Buffer.concat(chunks), undo: step.value };
    chunks.push(Buffer.from(step.value));
  }
}

function readSteps(steps: readonly Step[]): { specs: StrategySpec[]; emergency: boolean } {
  const read = steps.map((step) =>
    typeof step === 'string' ? findPreset(step) : { specs: [parseSpec(...step)], emergency: false },
  );
  return {
    specs: read.flatMap(({ specs }) => specs),
    emergency: read.some(({ emergency }) => emergency),
  };
}
