import { usageError } from '../errors.ts';
import { plural } from '../marker/marker.ts';
import { safe } from '../report/safe.ts';
import type { Row } from './rows.ts';

export interface LineRange {
  /** First line, 1-based. */
  readonly from: number;
  /** Last line, inclusive; may be Infinity. */
  readonly to: number;
}

/**
 * `10-20`, `10-`, `-20` or `10`.
 * @throws CtxError with exit 2.
 */
export function parseLines(text: string): LineRange {
  const match = /^(\d*)(-?)(\d*)$/.exec(text);
  const [, from = '', dash = '', to = ''] = match ?? [];
  if (match === null || (from === '' && to === '')) {
    throw usageError(
      `--lines ${safe(text.slice(0, 40))}: not a range of lines`,
      'write 10-20, 10-, -20 or 10',
    );
  }
  const first = from === '' ? 1 : Number(from);
  const last = dash === '' ? first : to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (first < 1 || last < first) {
    throw usageError(
      `--lines ${safe(text.slice(0, 40))}: the range is empty`,
      'lines count from 1, the first before the last',
    );
  }
  return { from: first, to: last };
}

/**
 * The rows of a range; its end is clamped to the content.
 * @throws CtxError with exit 2 for a range that holds no line, with the number of lines.
 */
export function rangeRows(rows: readonly Row[], { from, to }: LineRange): readonly Row[] {
  const size = plural(rows.length, 'line');
  const hint = `name lines from 1 to ${rows.length}`;
  if (!(from >= 1)) throw usageError(`there is no line ${from}; the content has ${size}`, hint);
  if (!(to >= from))
    throw usageError(`lines ${from}-${to} end before they start; the content has ${size}`, hint);
  if (from > rows.length) throw usageError(`line ${from} is beyond the content of ${size}`, hint);
  return rows.slice(from - 1, Math.min(to, rows.length));
}

/** The first and the last rows. With both, a line of our own tells which lines lie between. */
export function endRows(
  rows: readonly Row[],
  head: number | undefined,
  tail: number | undefined,
): readonly Row[] {
  if (head === undefined && tail === undefined) return rows;
  const headEnd = head ?? 0;
  const tailStart = rows.length - (tail ?? 0);
  if (headEnd >= tailStart) return rows;
  const [next, ...rest] = rows.slice(tailStart);
  if (headEnd === 0 || next === undefined)
    return [...rows.slice(0, headEnd), ...rows.slice(tailStart)];
  const from = rows[headEnd]?.line;
  const to = rows[tailStart - 1]?.line;
  return [
    ...rows.slice(0, headEnd),
    under(`[... lines ${from}-${to} elided ...]\n`, next),
    ...rest,
  ];
}

/** A row with characters of ours before it. */
function under(ours: string, row: Row): Row {
  return { line: row.line, text: ours + row.text, ours: ours.length + row.ours };
}
