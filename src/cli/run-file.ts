import { createReadStream } from 'node:fs';
import { type CompactOptions, compactSource, explainSource } from '../compact.ts';
import type { Source } from '../load/source.ts';
import type { PrepareOptions } from '../prepare.ts';
import type { Report } from '../report/report.ts';
import { rememberStash } from '../stash/list.ts';
import { candidates, choiceOf, type Droppable, droppable, keyOf } from './choices.ts';
import type { CompactFlags } from './compact-flags.ts';
import { outputPath, stashList } from './files.ts';
import { openInput } from './input.ts';
import type { Io } from './io.ts';
import { spareMemory } from './memory.ts';

/** Shows or writes one file: its report, and the rows that the steps alone would give. */
export async function runFile(
  file: string,
  flags: CompactFlags,
  options: PrepareOptions,
  io: Io,
): Promise<{ readonly report: Report; readonly planned: Report['blocks'] }> {
  const { source, stamp } = await openInput(file, flags, io);
  spareMemory(source.size);
  try {
    if (flags.dryRun === true) {
      const own = withStash(options, flags);
      const { report, prepared } = await explainSource(source, own);
      const planned = report.blocks;
      if (flags.interactive !== true) return { report, planned };
      const { chooseBlocks } = await import('./choose.ts');
      const could = await droppableBlocks(source, report, own);
      const manual = choiceOf(report, could, await chooseBlocks(report, could, prepared));
      const chosen = (await explainSource(source, { ...own, manual })).report;
      const first = new Map(planned.map((row) => [keyOf(row), row]));
      const steps = chosen.blocks.map((row) =>
        manual.kept.has(keyOf(row)) ? (first.get(keyOf(row)) ?? row) : row,
      );
      return { report: chosen, planned: steps };
    }
    const report = await compactSource(source, stamp, compactOptions(file, flags, options, io));
    if (report.stash !== null) rememberStash(stashList(io.env), report.stash.path);
    return { report, planned: report.blocks };
  } finally {
    source.close();
  }
}

/** What of the blocks that a plan keeps may be dropped: asked of a plan that tries. */
async function droppableBlocks(
  source: Source,
  report: Report,
  options: PrepareOptions & { readonly stash?: string },
): Promise<Droppable> {
  const kept = candidates(report);
  const actions = new Map(kept.map((key) => [key, 'dropped'] as const));
  const manual = { kept: new Set(kept), actions };
  return droppable((await explainSource(source, { ...options, manual })).report);
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
    exactArchive: flags.exactArchive ?? false,
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
