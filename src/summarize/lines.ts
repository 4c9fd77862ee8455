import { classifyLine, type Verdict } from './classify.ts';
import { looksLikeCode } from './code.ts';
import { kinOf } from './shape.ts';
import { type Source, sourceOf } from './source.ts';
import type { SummaryItem } from './summarizer.ts';

/** A line that may go into the summary. */
export interface Candidate extends Verdict {
  readonly text: string;
  readonly kin: string;
  readonly item: number;
  /** Place in the whole session. */
  readonly order: number;
}

/** Classification reads no more than this much of a line. */
const HEAD = 400;

/** `12\ttext`, `12→text`, `12:text`: a line number that a tool put before a file's line. */
const LINE_NUMBER = /^\s{0,8}\d{1,7}(?:\t|→|\||[:-](?!\d))/;

/** A tool result of mostly code is a file that was read: what looks like an error in it is the code's. */
const CODE_SHARE = 0.4;

const ENOUGH_LINES = 20;

/** Every distinct line worth anything, in order; of equal lines the one that scores best. */
export function collectLines(items: readonly SummaryItem[]): Candidate[] {
  const best = new Map<string, Candidate>();
  let order = 0;
  for (const [index, item] of items.entries()) {
    const source = sourceOf(item, index, items.length);
    if (source === undefined) continue;
    const rows = readRows(item.text, source);
    const kins = countKins(rows);
    const context = {
      source,
      code: isCode(rows, source),
      // Many lines of few kinds: a log or a listing, where a line that is like no other tells something.
      uniform: rows.length >= ENOUGH_LINES && kins.size * 4 <= rows.length,
      rows: rows.length,
    };
    let afterTrace = false;
    let errors = 0;
    for (const [at, row] of rows.entries()) {
      const lone = context.uniform && (kins.get(row.kin) ?? 0) <= 2;
      const place = { first: at === 0, last: at === rows.length - 1, lone, afterTrace, errors };
      const verdict = classifyLine(row.head, context, place);
      afterTrace = row.head.startsWith('Traceback (most') || (afterTrace && /^\s/.test(row.head));
      if (verdict.error) errors += 1;
      order += 1;
      if (verdict.score > 0) keepBetter(best, { ...row, ...verdict, item: index, order });
    }
  }
  return [...best.values()].toSorted((a, b) => a.order - b.order);
}

interface Row {
  readonly text: string;
  readonly head: string;
  readonly kin: string;
}

function readRows(text: string, source: Source): Row[] {
  const rows: Row[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end > start && end - start <= source.longest) {
      const line = text.slice(start, end);
      const head = line.slice(0, HEAD).replace(LINE_NUMBER, '').trimEnd();
      if (head !== '' && line.trim() !== '') rows.push({ text: line, head, kin: kinOf(head) });
    }
    start = end + 1;
  }
  return rows;
}

function countKins(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kin } of rows) counts.set(kin, (counts.get(kin) ?? 0) + 1);
  return counts;
}

function isCode(rows: readonly Row[], source: Source): boolean {
  if (source.kind !== 'tool' || rows.length < 4) return false;
  const code = rows.filter((row) => looksLikeCode(row.head.trimStart())).length;
  return code >= rows.length * CODE_SHARE;
}

function keepBetter(best: Map<string, Candidate>, line: Candidate): void {
  const key = line.text.trim();
  const known = best.get(key);
  if (known === undefined || known.score < line.score) best.set(key, line);
}
