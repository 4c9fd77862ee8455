/** What a group of blocks amounts to. Live: what resuming would send; dead: in the file only. */
export interface Tally {
  readonly blocks: number;
  readonly tokens: number;
  readonly bytes: number;
  readonly deadBlocks: number;
  readonly deadTokens: number;
  readonly deadBytes: number;
}

/** The tally of one block, or of its share in a group. */
export function tallyOf(live: boolean, tokens: number, bytes: number): Tally {
  const none = { blocks: 0, tokens: 0, bytes: 0, deadBlocks: 0, deadTokens: 0, deadBytes: 0 };
  return live
    ? { ...none, blocks: 1, tokens, bytes }
    : { ...none, deadBlocks: 1, deadTokens: tokens, deadBytes: bytes };
}

/** A whole split into whole parts that differ by at most one and add up to it. */
export function shares(whole: number, parts: number): number[] {
  const each = Math.floor(whole / parts);
  return Array.from({ length: parts }, (_, index) => each + (index < whole - each * parts ? 1 : 0));
}

type Numbers<Counts> = { -readonly [Name in keyof Counts]: number };

/** Groups by key: what names a group is given once, its figures grow. */
export class Tallies<Facts extends object, Counts extends Tally> {
  readonly #groups = new Map<string, { readonly facts: Facts; readonly counts: Numbers<Counts> }>();

  add(key: string, facts: Facts, more: Counts): void {
    const group = this.#groups.get(key);
    if (group === undefined) {
      this.#groups.set(key, { facts, counts: { ...more } as Numbers<Counts> });
      return;
    }
    for (const name of Object.keys(more) as (keyof Counts)[])
      group.counts[name] += more[name] as number;
  }

  /** Largest first: by live tokens, then dead ones, then bytes; equals in the order of the file. */
  rows(): (Facts & Counts)[] {
    const rows = [...this.#groups.values()].map(
      ({ facts, counts }) => ({ ...facts, ...counts }) as unknown as Facts & Counts,
    );
    return rows.toSorted(
      (left, right) =>
        right.tokens - left.tokens ||
        right.deadTokens - left.deadTokens ||
        right.bytes + right.deadBytes - left.bytes - left.deadBytes,
    );
  }
}
