import { NO_RANK, type Vocabulary } from './vocabulary.ts';

/** The longest piece that is merged in the fixed scratch arrays of this file. */
export const PLAIN_LIMIT = 128;
/** Up to this length a linear search for the lowest rank is the fastest. */
const SEARCH_LIMIT = 16;
/** Above every key of the tree. */
const NO_KEY = 0x3fffffff;

/** A merge of one piece that is not a token; returns its count of tokens. */
export type Merge = (bytes: Uint8Array, view: DataView, start: number, stop: number) => number;

/** Byte pair merges of pieces of 3 to PLAIN_LIMIT bytes. */
export function createPlainMerge(vocabulary: Vocabulary): Merge {
  const bySearch = createSearchMerge(vocabulary);
  const byTree = createTreeMerge(vocabulary);
  return (bytes, view, start, stop) =>
    stop - start <= SEARCH_LIMIT
      ? bySearch(bytes, view, start, stop)
      : byTree(bytes, view, start, stop);
}

function createSearchMerge({ pairs, rank }: Vocabulary): Merge {
  const starts = new Int32Array(SEARCH_LIMIT + 1);
  /** The rank of each part joined with the next one. */
  const ranks = new Int32Array(SEARCH_LIMIT + 1);

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
      // Two parts remain, and the whole piece is not a token.
      if (last === 2) return 2;
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

/**
 * The lowest rank is the root of a tree of minima over the byte positions. A key is rank * 128 +
 * position, so that of equal ranks the leftmost is the lowest.
 */
function createTreeMerge({ pairs, rank }: Vocabulary): Merge {
  const tree = new Int32Array(2 * PLAIN_LIMIT);
  /** The length of each part, at its first and at its last byte: a list linked both ways. */
  const spans = new Uint8Array(PLAIN_LIMIT + 1);

  return (bytes, view, start, stop) => {
    const length = stop - start;
    const leaves = 1 << (32 - Math.clz32(length - 1));
    for (let at = 0; at < length - 1; at++) {
      const pair = ((bytes[start + at] as number) << 8) | (bytes[start + at + 1] as number);
      tree[leaves + at] = keyOf(pairs[pair] as number, at);
      spans[at] = 1;
    }
    spans[length - 1] = 1;
    for (let at = length - 1; at < leaves; at++) tree[leaves + at] = NO_KEY;
    for (let node = leaves - 1; node > 0; node--) {
      tree[node] = lower(tree[2 * node] as number, tree[2 * node + 1] as number);
    }
    for (let tokens = length; ; tokens--) {
      const key = tree[1] as number;
      if (key === NO_KEY) return tokens;
      if (tokens === 3) return 2;
      const at = key & (PLAIN_LIMIT - 1);
      const middle = at + (spans[at] as number);
      const end = middle + (spans[middle] as number);
      spans[at] = end - at;
      spans[end - 1] = end - at;
      if (tree[leaves + middle] !== NO_KEY) setKey(leaves + middle, NO_KEY);
      const next = end < length ? end - at + (spans[end] as number) : 0;
      setKey(leaves + at, next === 0 ? NO_KEY : keyOf(rank(view, start + at, next), at));
      if (at > 0) {
        const before = at - (spans[at - 1] as number);
        const found = keyOf(rank(view, start + before, end - before), before);
        if (tree[leaves + before] !== found) setKey(leaves + before, found);
      }
    }
  };

  function setKey(leaf: number, key: number): void {
    let least = key;
    tree[leaf] = least;
    for (let node = leaf; node > 1; node >>= 1) {
      least = lower(least, tree[node ^ 1] as number);
      tree[node >> 1] = least;
    }
  }
}

function keyOf(rank: number, at: number): number {
  return rank === NO_RANK ? NO_KEY : (rank << 7) | at;
}

/** The lower of two numbers below 2 ** 30, without a branch that can't be predicted. */
function lower(left: number, right: number): number {
  const difference = left - right;
  return right + (difference & (difference >> 31));
}
