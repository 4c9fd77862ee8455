import { NO_RANK, type Vocabulary } from './vocabulary.ts';

/** The longest piece that is merged by a plain search: quadratic, but in fixed scratch arrays. */
export const PLAIN_LIMIT = 128;

/** A merge of one piece that is not a token; returns its count of tokens. */
export type Merge = (bytes: Uint8Array, view: DataView, start: number, stop: number) => number;

/** Byte pair merges of pieces of 3 to PLAIN_LIMIT bytes. */
export function createPlainMerge(vocabulary: Vocabulary): Merge {
  const { pairs, rank } = vocabulary;
  const starts = new Int32Array(PLAIN_LIMIT + 1);
  /** The rank of each part joined with the next one. */
  const ranks = new Int32Array(PLAIN_LIMIT + 1);

  return (bytes, view, start, stop) => {
    let last = stop - start - 1;
    for (let part = 0; part < last; part++) {
      const at = start + part;
      starts[part] = at;
      ranks[part] = pairs[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] as number;
    }
    starts[last] = stop - 1;
    starts[last + 1] = stop;
    for (;;) {
      let lowest = NO_RANK;
      let found = 0;
      for (let part = 0; part < last; part++) {
        const candidate = ranks[part] as number;
        if (candidate < lowest) {
          lowest = candidate;
          found = part;
        }
      }
      if (lowest === NO_RANK) return last + 1;
      for (let part = found + 1; part <= last; part++) {
        starts[part] = starts[part + 1] as number;
        ranks[part] = ranks[part + 1] as number;
      }
      last--;
      const from = starts[found] as number;
      if (found < last) {
        ranks[found] = rank(view, from, (starts[found + 2] as number) - from);
      }
      if (found > 0) {
        const before = starts[found - 1] as number;
        ranks[found - 1] = rank(view, before, (starts[found + 1] as number) - before);
      }
    }
  };
}
