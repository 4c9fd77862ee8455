import { looksLikeCode } from './code.ts';
import { type Standing, standingsOf } from './family.ts';
import { recordsOf } from './records.ts';
import { formOf, kinOf } from './shape.ts';
import type { Source } from './source.ts';

/** A line of an item as it is read. */
export interface Row {
  /** The whole line, without its newline, or a part of one that is too long. */
  readonly text: string;
  /** What classification reads: cut, without the line number that a tool put before it. */
  readonly head: string;
  readonly kin: string;
  readonly form: string;
  readonly numbered: boolean;
  /** Reads as source code. */
  readonly code: boolean;
}

/** What is known of an item once all its lines are read. */
export interface ItemTraits {
  /** Mostly source code. */
  readonly code: boolean;
  /** Mostly lines with a number before them. */
  readonly numbered: boolean;
  readonly standings: readonly Standing[];
}

/** Classification reads no more than this much of a line, so that no form can take long. */
const HEAD = 400;

/** A paragraph in one line is read sentence by sentence: one that binds is quoted, whatever stands around it. */
const PARAGRAPH = 600;

/** `12\ttext`, `12→text`, `12:text`. */
const LINE_NUMBER = /^\s{0,8}\d{1,7}(?:\t|→|\||[:-](?!\d))/;

/** Programs quote a good deal of prose in their comments. */
const CODE_SHARE = 0.4;

/** The lines of a text that are not blank; of lines that are too long to quote, their parts. */
export function readRows(text: string, source: Source): Row[] {
  const rows: Row[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end > start) readLine(rows, text.slice(start, end), source);
    start = end + 1;
  }
  return rows;
}

function readLine(rows: Row[], line: string, source: Source): void {
  const short = line.length <= source.longest;
  if (!short && source.kind === 'call') return;
  const parts = short && line.length <= PARAGRAPH ? [] : recordsOf(line);
  const whole = short && parts.length < 2;
  for (const part of whole ? [line] : parts) {
    const row = readRow(part, source, whole);
    if (row !== undefined) rows.push(row);
  }
}

function readRow(line: string, source: Source, whole: boolean): Row | undefined {
  const cut = line.slice(0, HEAD).trimEnd();
  const head = cut.replace(LINE_NUMBER, '');
  if (head.trim() === '') return undefined;
  // A member of a list ends like code.
  const code = whole && looksLikeCode(head.trim());
  const form = source.kind === 'tool' ? formOf(head) : '';
  return { text: line, head, kin: kinOf(head), form, numbered: head.length < cut.length, code };
}

export function traitsOf(rows: readonly Row[], source: Source): ItemTraits {
  return {
    code: isCode(rows, source),
    numbered: rows.filter((row) => row.numbered).length * 2 > rows.length,
    standings: standingsOf(rows.map((row) => row.head)),
  };
}

function isCode(rows: readonly Row[], source: Source): boolean {
  if (source.kind !== 'tool' || rows.length < 4) return false;
  const code = rows.filter((row) => row.code).length;
  return code >= rows.length * CODE_SHARE;
}
