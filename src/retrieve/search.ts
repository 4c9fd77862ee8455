import type { LineTest } from './pattern.ts';
import { content, type Row } from './rows.ts';

/** What a search found. */
export interface Found {
  readonly matches: number;
  /** Matches and the lines around them, numbered, with `---` between gaps. */
  readonly rows: readonly Row[];
}

/** Searches rows for a pattern. Linear in the rows, however wide the context. */
export function searchRows(
  rows: readonly Row[],
  { test }: Pick<LineTest, 'test'>,
  context: number,
): Found {
  const hits = rows.flatMap((row, index) => (test(content(row)) ? [index] : []));
  const near = around(hits, context, rows.length);
  const width = String(rows[near.at(-1) ?? 0]?.line ?? 0).length;
  const isHit = new Set(hits);
  const shown = near.map((index, place): Row => {
    const row = rows[index] as Row;
    // By the lines, not the indexes: what head and tail left out is a gap too.
    const gap = place > 0 && rows[near[place - 1] as number]?.line !== row.line - 1 ? '---\n' : '';
    const mark = isHit.has(index) ? '>' : ' ';
    const ours = `${gap}${mark} ${String(row.line).padStart(width)}| `;
    return { line: row.line, text: `${ours}${content(row)}\n`, ours: ours.length };
  });
  return { matches: hits.length, rows: shown };
}

/** Indexes of the hits and of what is near them, ascending; neighbourhoods that overlap are taken once. */
function around(hits: readonly number[], context: number, length: number): number[] {
  const near: number[] = [];
  let next = 0;
  for (const hit of hits) {
    const end = Math.min(length, hit + context + 1);
    for (next = Math.max(next, hit - context); next < end; next += 1) near.push(next);
  }
  return near;
}
