import type { Merge } from './merge.ts';
import type { Vocabulary } from './vocabulary.ts';
import { createWindowMerge } from './window-merge.ts';

/** Bytes that are merged at once. */
const WINDOW = 2048;
/** Bytes at the end of a window that are merged again with the next one: three of the longest token. */
const OVERLAP = 384;

/**
 * Byte pair merges of long pieces, in time linear in the length and in fixed memory: the piece is
 * merged in overlapping windows, whose encodings are joined at a token that both contain.
 *
 * That is exact. A sequence of tokens is the encoding of its text if and only if every two
 * neighbours are the encoding of their own text: up to the first merge across a boundary, the
 * merges inside its two neighbours are those of the two alone, in the same order, so that merge
 * would happen in the two alone as well. At a shared token all neighbours stay as they were.
 */
export function createLongMerge(vocabulary: Vocabulary, windowSize: number = WINDOW): Merge {
  const window = createWindowMerge(vocabulary);
  /** Where the tokens of the last window begin in the overlap, and where it ends. */
  const seams = new Int32Array(OVERLAP + 1);

  return (bytes, view, start, stop) => {
    for (let size = windowSize; ; size *= 2) {
      const tokens = countInWindows(bytes, view, start, stop, size);
      // Two windows without a shared token: not seen so far. Larger ones are right in the end.
      if (tokens > 0) return tokens;
    }
  };

  /** The count of tokens, or 0 when two windows can't be joined. */
  function countInWindows(
    bytes: Uint8Array,
    view: DataView,
    start: number,
    stop: number,
    size: number,
  ): number {
    let tokens = 0;
    let from = start;
    let to = Math.min(from + size, stop);
    window.merge(bytes, view, from, to);
    /** The tokens of the window that begin before this (seen from its start) are counted. */
    let counted = 0;
    while (to < stop) {
      while (counted < to - from - OVERLAP) {
        counted = window.next(counted);
        tokens++;
      }
      const overlap = saveSeams(counted, to - from);
      from += counted;
      to = Math.min(from + size, stop);
      window.merge(bytes, view, from, to);
      const shared = findShared(overlap);
      if (shared === overlap) return 0;
      tokens += shared;
      counted = seams[shared] as number;
    }
    while (counted < to - from) {
      counted = window.next(counted);
      tokens++;
    }
    return tokens;
  }

  /** Saves the tokens from `first` on, as seen from `first`; returns their count. */
  function saveSeams(first: number, end: number): number {
    let count = 0;
    for (let at = first; at < end; at = window.next(at)) seams[count++] = at - first;
    seams[count] = end - first;
    return count;
  }

  /** The index of the first saved token that the new window has too, or their count. */
  function findShared(overlap: number): number {
    let at = 0;
    for (let index = 0; index < overlap; index++) {
      const seam = seams[index] as number;
      while (at < seam) at = window.next(at);
      if (at === seam && window.next(at) === seams[index + 1]) return index;
    }
    return overlap;
  }
}
