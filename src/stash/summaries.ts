import { sha256Hex } from '../hash/hash.ts';
import type { SummaryAnswer } from '../summarize/summarizer.ts';
import type { Stash } from './store.ts';
import { parseLine } from './table.ts';

/** Answers of summarizers, by the hash of all that they depend on: a second run costs nothing and is identical. */
export type Summaries = ReadonlyMap<string, SummaryAnswer>;

interface SummaryLine {
  readonly t: 'summary';
  readonly key: string;
  readonly sha256: string;
  readonly answer: SummaryAnswer;
}

/** The line that keeps an answer. */
export function summaryLine(key: string, answer: SummaryAnswer): Buffer {
  const line: SummaryLine = { t: 'summary', key, sha256: sha256Hex(answer.text), answer };
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/** An answer of a stash; undefined when it has none, or when its line is damaged: then it is asked for again. */
export function readSummary(stash: Stash, key: string): SummaryAnswer | undefined {
  const place = stash.summaries.get(key);
  if (place === undefined) return undefined;
  const line = parseLine(stash.read(place[0], place[0] + place[1])) as SummaryLine | undefined;
  if (line?.key !== key || typeof line.answer?.text !== 'string') return undefined;
  return sha256Hex(line.answer.text) === line.sha256 ? line.answer : undefined;
}
