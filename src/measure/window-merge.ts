import { NO_RANK, type Vocabulary } from './vocabulary.ts';

/** A heap entry is rank * POSITIONS + position: exact below 2 ** 53; ordered by rank, left first. */
const POSITIONS = 2 ** 31;

/** Merges windows of a long piece with a heap, in O(n log n). */
export interface WindowMerge {
  /** Merges the bytes from `from` to `to`; the result is read with `next`. */
  merge(bytes: Uint8Array, view: DataView, from: number, to: number): void;
  /** The end of the token that begins at `at`, both counted from the start of the window. */
  next(at: number): number;
}

/** A window merge whose scratch arrays grow to the largest window. */
export function createWindowMerge(vocabulary: Vocabulary): WindowMerge {
  const { pairs, rank } = vocabulary;
  /** The length of each part, at its first and at its last byte: a list linked both ways. */
  let spans = new Uint8Array(0);
  /** The rank of the part that begins here joined with the next one. */
  let ranks = new Int32Array(0);
  let heap = new Float64Array(0);
  let heapSize = 0;

  function merge(bytes: Uint8Array, view: DataView, from: number, to: number): void {
    const length = to - from;
    if (length > spans.length) {
      spans = new Uint8Array(length);
      ranks = new Int32Array(length);
      // One entry a pair at first, and a merge takes one out and puts two in at most.
      heap = new Float64Array(2 * length);
    }
    spans.fill(1, 0, length);
    heapSize = 0;
    for (let at = 0; at < length - 1; at++) {
      const first = bytes[from + at] as number;
      const found = pairs[(first << 8) | (bytes[from + at + 1] as number)] as number;
      ranks[at] = found;
      if (found !== NO_RANK) push(found * POSITIONS + at);
    }
    ranks[length - 1] = NO_RANK;
    while (heapSize > 0) {
      const entry = pop();
      // An integer again, or the functions it goes to are compiled for floating point.
      const at = (entry % POSITIONS) | 0;
      // An entry is stale when its pair has changed since; a rank never comes back to a position.
      if ((ranks[at] as number) * POSITIONS + at === entry) join(view, from, length, at);
    }
  }

  /** Joins the part at `at` with the next one and looks up the two pairs that changed. */
  function join(view: DataView, from: number, length: number, at: number): void {
    const middle = at + (spans[at] as number);
    const end = middle + (spans[middle] as number);
    ranks[middle] = NO_RANK;
    spans[at] = end - at;
    spans[end - 1] = end - at;
    if (end < length) lookUp(view, from, at, end + (spans[end] as number));
    else ranks[at] = NO_RANK;
    if (at > 0) lookUp(view, from, at - (spans[at - 1] as number), end);
  }

  function lookUp(view: DataView, from: number, at: number, end: number): void {
    const found = rank(view, from + at, end - at);
    ranks[at] = found;
    if (found !== NO_RANK) push(found * POSITIONS + at);
  }

  function push(entry: number): void {
    let slot = heapSize++;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      const above = heap[parent] as number;
      if (above <= entry) break;
      heap[slot] = above;
      slot = parent;
    }
    heap[slot] = entry;
  }

  function pop(): number {
    const top = heap[0] as number;
    const entry = heap[--heapSize] as number;
    let slot = 0;
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= heapSize) break;
      let below = heap[child] as number;
      if (child + 1 < heapSize && (heap[child + 1] as number) < below) {
        below = heap[++child] as number;
      }
      if (below >= entry) break;
      heap[slot] = below;
      slot = child;
    }
    heap[slot] = entry;
    return top;
  }

  return { merge, next: (at) => at + (spans[at] as number) };
}
