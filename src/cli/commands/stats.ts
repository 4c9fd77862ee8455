import { resolve } from 'node:path';
import { EXIT, usageError } from '../../errors.ts';
import { openSource } from '../../load/file.ts';
import { memorySource, type Source } from '../../load/source.ts';
import type { CounterName } from '../../measure/counter.ts';
import { parseWindow } from '../../measure/window.ts';
import { GLYPHS } from '../../report/bar.ts';
import { safe } from '../../report/safe.ts';
import { didYouMean } from '../../specs/nearest.ts';
import type { Sections, Stats } from '../../stats/stats.ts';
import { type StatsOptions, statsOf } from '../../stats.ts';
import { errorLine, renderError } from '../errors.ts';
import { expandFiles, isGlob } from '../files.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json.ts';
import { spareMemory } from '../memory.ts';
import { progressFor } from '../progress.ts';
import { type ColorMode, styleFor } from '../style.ts';

export interface StatsFlags {
  readonly by?: string;
  readonly top?: number;
  readonly stash?: string;
  readonly window?: string;
  readonly counter?: string;
  readonly format?: string;
  readonly plain?: boolean;
  readonly json?: boolean;
  readonly color?: ColorMode;
  readonly debug?: boolean;
}

/** Names of `--by`, and the part of the document that each chooses. */
const BY: ReadonlyMap<string, keyof Sections> = new Map([
  ['kind', 'kinds'],
  ['tool', 'tools'],
  ['file', 'files'],
  ['message', 'messages'],
  ['block', 'blocks'],
  ['duplicate', 'duplicates'],
]);

/** `ctx stats`: every file on its own; the exit code is the worst one. */
export async function statsCommand(
  names: readonly string[],
  flags: StatsFlags,
  io: Io,
): Promise<number> {
  const options = statsOptions(flags);
  const files = await expandFiles(names, io.cwd);
  checkFlags(files, flags);
  const several = files.length > 1 || names.some(isGlob);
  let worst: number = EXIT.ok;
  let first = true;
  for (const file of files) {
    const code = await oneFile(file, { several, first }, options, flags, io);
    if (code === EXIT.ok) first = false;
    worst = Math.max(worst, code);
  }
  return worst;
}

interface Turn {
  readonly several: boolean;
  readonly first: boolean;
}

async function oneFile(
  file: string,
  { several, first }: Turn,
  options: StatsOptions,
  flags: StatsFlags,
  io: Io,
): Promise<number> {
  const progress = progressFor(io, file, flags.json === true);
  try {
    const source = await openInput(file, io);
    spareMemory(source.size);
    const stats = await statsOf(source, { ...options, progress: progress.add }).finally(() =>
      source.close(),
    );
    progress.end();
    if (!first && flags.json !== true) io.stdout.write('\n');
    await print(stats, several, flags, io);
    return EXIT.ok;
  } catch (cause) {
    progress.end();
    if (flags.json === true && several) io.stdout.write(`${jsonText(errorLine(file, cause))}\n`);
    return renderError(cause, io, flags.debug === true);
  }
}

async function print(stats: Stats, several: boolean, flags: StatsFlags, io: Io): Promise<void> {
  const out = io.stdout;
  if (flags.json === true) {
    out.write(`${jsonText(stats, several ? 0 : 2)}\n`);
    return;
  }
  if (flags.plain === true) {
    const { renderStatsPlain } = await import('../../report/stats-plain.ts');
    out.write(renderStatsPlain(stats));
    return;
  }
  const { renderStatsHead } = await import('../../report/stats-summary.ts');
  const { renderCharts } = await import('../../report/stats-table.ts');
  const style = styleFor(out, io.env, flags.color);
  // Where colours are unwanted or there is no terminal, the drawing characters are plain ones too.
  const glyphs = out.isTTY && style.level > 0 ? GLYPHS.blocks : GLYPHS.ascii;
  const chart = { style, glyphs, width: out.isTTY ? out.columns || 80 : undefined };
  const charts = renderCharts(stats, chart);
  out.write(renderStatsHead(stats, chart) + (charts === '' ? '' : `\n${charts}`));
}

async function openInput(file: string, io: Io): Promise<Source> {
  if (file === '-') return memorySource(await io.stdin.read(), '-');
  const source = openSource(io.cwd === process.cwd() ? file : resolve(io.cwd, file));
  return { ...source, path: file };
}

function statsOptions(flags: StatsFlags): StatsOptions {
  const { by, top, stash, window, counter, format } = flags;
  const named = counter === undefined || counter === 'auto' ? undefined : (counter as CounterName);
  if (top === 0)
    throw usageError('--top 0 shows nothing', 'name a number of rows, or leave it out');
  return {
    ...(by === undefined ? {} : { sections: sectionsIn(by) }),
    ...(top === undefined ? {} : { top }),
    ...(stash === undefined ? {} : { stash }),
    ...(window === undefined ? {} : { window: parseWindow(window) }),
    ...(named === undefined ? {} : { counter: named }),
    ...(format === undefined ? {} : { format }),
  };
}

function sectionsIn(text: string): (keyof Sections)[] {
  return text.split(',').map((name) => {
    const section = BY.get(name.trim());
    if (section !== undefined) return section;
    const known = [...BY.keys()];
    throw usageError(
      `--by: there is no section ${safe(name.slice(0, 40))}`,
      `${didYouMean(name, known)}accepted: ${known.join(', ')}`,
    );
  });
}

function checkFlags(files: readonly string[], flags: StatsFlags): void {
  if (flags.json === true && flags.plain === true)
    throw usageError('--json and --plain exclude one another');
  if (files.length > 1 && flags.stash !== undefined)
    throw usageError(`--stash names one file, but there are ${files.length} inputs`);
}
