import type { Section } from './stats.ts';

interface Sized {
  readonly tokens: number;
  readonly bytes: number;
}

/** What a row amounts to in what was cut off: `tokens` are live ones. */
type Amount = Omit<Section<unknown>['rest'], 'rows'>;

/** The first rows of a sorted list; the rest is added up, so that a cut list still sums to the whole. */
export function section<Row>(
  rows: readonly Row[],
  top: number,
  amountOf: (row: Row) => Amount,
): Section<Row> {
  const rest = { rows: Math.max(0, rows.length - top), tokens: 0, dead: 0, bytes: 0 };
  for (const { tokens, dead, bytes } of rows.slice(top).map(amountOf)) {
    rest.tokens += tokens;
    rest.dead += dead;
    rest.bytes += bytes;
  }
  return { rows: rows.slice(0, top), rest };
}

/** Amounts of rows that are live or dead as a whole. */
export function placeAmount({ live, tokens, bytes }: Sized & { readonly live: boolean }): Amount {
  return { tokens: live ? tokens : 0, dead: live ? 0 : tokens, bytes };
}

/** Largest first. Live rows lead whatever their size: on what is not sent nothing can be saved. */
export function largest<Row extends Sized & { readonly live: boolean }>(
  rows: readonly Row[],
): Row[] {
  return rows.toSorted(
    (left, right) =>
      Number(right.live) - Number(left.live) ||
      right.tokens - left.tokens ||
      right.bytes - left.bytes,
  );
}
