import { looksLikeCode } from './code.ts';
import { formOf, kinOf } from './shape.ts';
import type { Source } from './source.ts';

/** A line of an item as it is read. */
export interface Row {
  /** The whole line, without its newline. */
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
  /** Many lines of few families: a log or a listing, where a line like no other tells something. */
  readonly uniform: boolean;
  /** Mostly lines with a number before them. */
  readonly numbered: boolean;
  readonly kins: ReadonlyMap<string, number>;
}

/** Classification reads no more than this much of a line, so that no form can take long. */
const HEAD = 400;

/** `12\ttext`, `12→text`, `12:text`. */
const LINE_NUMBER = /^\s{0,8}\d{1,7}(?:\t|→|\||[:-](?!\d))/;

const ENOUGH_LINES = 20;

/** Programs quote a good deal of prose in their comments. */
const CODE_SHARE = 0.4;

/** The lines of a text that are not blank and not too long to quote. */
export function readRows(text: string, source: Source): Row[] {
  const rows: Row[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end > start && end - start <= source.longest) {
      const row = readRow(text.slice(start, end), source);
      if (row !== undefined) rows.push(row);
    }
    start = end + 1;
  }
  return rows;
}

function readRow(line: string, source: Source): Row | undefined {
  const cut = line.slice(0, HEAD).trimEnd();
  const head = cut.replace(LINE_NUMBER, '');
  if (head.trim() === '') return undefined;
  const code = looksLikeCode(head.trim());
  const form = source.kind === 'tool' ? formOf(head) : '';
  return { text: line, head, kin: kinOf(head), form, numbered: head.length < cut.length, code };
}

export function traitsOf(rows: readonly Row[], source: Source): ItemTraits {
  const kins = new Map<string, number>();
  for (const { kin } of rows) kins.set(kin, (kins.get(kin) ?? 0) + 1);
  return {
    code: isCode(rows, source),
    uniform: rows.length >= ENOUGH_LINES && kins.size * 4 <= rows.length,
    numbered: rows.filter((row) => row.numbered).length * 2 > rows.length,
    kins,
  };
}

function isCode(rows: readonly Row[], source: Source): boolean {
  if (source.kind !== 'tool' || rows.length < 4) return false;
  const code = rows.filter((row) => row.code).length;
  return code >= rows.length * CODE_SHARE;
}
