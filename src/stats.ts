import { inputStash } from './compact.ts';
import type { Source } from './load/source.ts';
import { measureTranscript, type PrepareOptions, transcriptWarnings, windowOf } from './prepare.ts';
import { openStash, readFacts, type Stash } from './stash/store.ts';
import { buildStats } from './stats/build.ts';
import { SECTION_NAMES } from './stats/groups.ts';
import type { Sections, StashStats, Stats } from './stats/stats.ts';

export interface StatsOptions
  extends Pick<PrepareOptions, 'format' | 'window' | 'counter' | 'progress'> {
  /** The transcript's stash, when it is not beside it. */
  readonly stash?: string;
  /** Rows that a section shows; 10 when absent. */
  readonly top?: number;
  /** Sections wanted; all when absent. */
  readonly sections?: readonly (keyof Sections)[];
}

/**
 * Where the tokens and bytes of a transcript went. Reads only.
 * @throws CtxError: 3 input, 4 format, 5 stash.
 */
export async function statsOf(source: Source, options: StatsOptions = {}): Promise<Stats> {
  const stash = options.stash === undefined ? inputStash(source.path) : openStash(options.stash);
  try {
    const measured = measureTranscript(source, options, stash);
    return buildStats(measured.transcript, {
      counter: measured.counter,
      window: await windowOf(measured, options.window),
      stash: stash === undefined ? null : stashStats(stash),
      warnings: transcriptWarnings(measured.transcript),
      top: options.top ?? 10,
      sections: new Set(options.sections ?? SECTION_NAMES),
    });
  } finally {
    stash?.close();
  }
}

/** What a stash holds, by what its entries say of themselves: their bytes are not read. */
function stashStats(stash: Stash): StashStats {
  let bytes = 0;
  let tokens = 0;
  let damaged = 0;
  for (const [ref, [, length]] of stash.refs) {
    bytes += length;
    const counted = tokensIn(stash, ref);
    if (counted === undefined) damaged += 1;
    else tokens += counted;
  }
  return { path: stash.path, entries: stash.refs.size, bytes, tokens, damaged };
}

/** Undefined for a damaged entry: it is counted, and the statistics of the rest are still of use. */
function tokensIn(stash: Stash, ref: string): number | undefined {
  try {
    const { tokens } = readFacts(stash, ref);
    return Number.isFinite(tokens) ? tokens : undefined;
  } catch {
    return undefined;
  }
}
