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
  const rest = { rows: 0, tokens: 0, dead: 0, bytes: 0 };
  for (const row of rows.slice(top)) count(rest, amountOf(row), 1);
  return { rows: rows.slice(0, top), rest };
}

/** Amounts of rows that are live or dead as a whole. */
function placeAmount({ live, tokens, bytes }: Sized & { readonly live: boolean }): Amount {
  return { tokens: live ? tokens : 0, dead: live ? 0 : tokens, bytes };
}

/**
 * Keeps the largest few of many rows, so that memory does not grow with what is not shown. Live rows lead whatever
 * their size: on what is not sent nothing can be saved. Equals stay in the order of the file.
 */
export class Largest<Row extends Sized & { readonly live: boolean }> {
  readonly #most: number;
  #rows: Row[] = [];
  readonly #all = { rows: 0, tokens: 0, dead: 0, bytes: 0 };

  constructor(most: number) {
    this.#most = most;
  }

  add(row: Row): void {
    count(this.#all, placeAmount(row), 1);
    this.#rows.push(row);
    // In batches: sorting at each row would take as many sorts as there are rows.
    if (this.#rows.length > this.#most * 2 + 100) this.#tidy();
  }

  section(): Section<Row> {
    this.#tidy();
    const rest = { ...this.#all };
    for (const row of this.#rows) count(rest, placeAmount(row), -1);
    return { rows: this.#rows, rest };
  }

  #tidy(): void {
    const sorted = this.#rows.toSorted(
      (left, right) =>
        Number(right.live) - Number(left.live) ||
        right.tokens - left.tokens ||
        right.bytes - left.bytes,
    );
    this.#rows = sorted.slice(0, this.#most);
  }
}

type Sums = { -readonly [Name in keyof Section<unknown>['rest']]: number };

function count(sums: Sums, { tokens, dead, bytes }: Amount, sign: 1 | -1): void {
  sums.rows += sign;
  sums.tokens += sign * tokens;
  sums.dead += sign * dead;
  sums.bytes += sign * bytes;
}
