import type { Buffer as Bytes } from 'node:buffer';
import { HEADER, type OriginalFacts, originalLine, type RunLine, type TocLine } from './lines.ts';
import { type Summaries, summaryLine } from './summaries.ts';

/** A whole stash in memory: header, originals, runs, tables of contents. For callers that touch no disk. */
export function buildStash(
  originals: readonly { readonly facts: OriginalFacts; readonly pieces: readonly Bytes[] }[],
  runs: readonly RunLine[],
  answers: Summaries = new Map(),
): Bytes {
  const parts: Bytes[] = [Buffer.from(HEADER)];
  const refs: Record<string, readonly [number, number]> = {};
  let offset = (parts[0] as Bytes).length;
  for (const { facts, pieces } of originals) {
    if (refs[facts.ref] !== undefined) continue;
    const line = originalLine(facts, pieces);
    refs[facts.ref] = [offset, line.length - 1];
    parts.push(line);
    offset += line.length;
  }
  const places: Record<string, readonly [number, number]> = {};
  for (const [key, answer] of answers) {
    const line = summaryLine(key, answer);
    places[key] = [offset, line.length - 1];
    parts.push(line);
    offset += line.length;
  }
  let summaries = answers.size === 0 ? undefined : places;
  let prev: number | null = null;
  let own = refs;
  for (const run of runs) {
    const line = Buffer.from(`${JSON.stringify(run)}\n`);
    const kept = summaries === undefined ? {} : { summaries };
    const toc: TocLine = { t: 'toc', run: run.id, at: offset, refs: own, ...kept, prev };
    const table = Buffer.from(`${JSON.stringify(toc)}\n`);
    parts.push(line, table);
    prev = offset + line.length;
    offset += line.length + table.length;
    own = {};
    summaries = undefined;
  }
  return Buffer.concat(parts);
}
