import { createLongMerge } from './long-merge.ts';
import { createPlainMerge, type Merge, PLAIN_LIMIT } from './merge.ts';
import { NO_RANK, type Vocabulary } from './vocabulary.ts';
import { hashLong, hashShort, readFirst, readSecond, SHORT, sameBytes } from './words.ts';

/** Bits of the index of the two direct-mapped caches. */
const SHORT_BITS = 15;
const MIDDLE_BITS = 13;
/** The longest piece that is remembered in the second cache. */
const MIDDLE = 32;

/** Counts the tokens of one piece of 2 bytes or more: the cheapest test first, merges last, and both remembered. */
export function createPieceCounter(vocabulary: Vocabulary): Merge {
  const { pairs, rank, rankOfWords } = vocabulary;
  const plainMerge = createPlainMerge(vocabulary);
  const longMerge = createLongMerge(vocabulary);

  /** A piece of 3 to SHORT bytes as two words, then length * 256 + tokens. Equal words decide. */
  const shorts = new Int32Array(3 << SHORT_BITS);
  /** The bytes of longer pieces, and length * 256 + tokens: compared by bytes. */
  const middleBytes = new Uint8Array(MIDDLE << MIDDLE_BITS);
  const middleView = new DataView(middleBytes.buffer);
  const middleTags = new Int32Array(1 << MIDDLE_BITS);

  return (bytes, view, start, stop) => {
    const length = stop - start;
    if (length <= SHORT) {
      if (length === 2) {
        const pair = ((bytes[start] as number) << 8) | (bytes[start + 1] as number);
        return pairs[pair] === NO_RANK ? 2 : 1;
      }
      const first = readFirst(view, start, length);
      const second = readSecond(view, start, length);
      const hash = hashShort(first, second);
      const slot = (hash >>> (32 - SHORT_BITS)) * 3;
      const tag = shorts[slot + 2] as number;
      if (shorts[slot] === first && shorts[slot + 1] === second && tag >> 8 === length) {
        return tag & 0xff;
      }
      const tokens =
        rankOfWords(first, second, length, hash) === NO_RANK
          ? mergeShort(bytes, view, start, stop)
          : 1;
      shorts[slot] = first;
      shorts[slot + 1] = second;
      shorts[slot + 2] = (length << 8) | tokens;
      return tokens;
    }
    if (length <= MIDDLE) return countMiddle(bytes, view, start, length);
    if (rank(view, start, length) !== NO_RANK) return 1;
    if (length <= PLAIN_LIMIT) return plainMerge(bytes, view, start, stop);
    return longMerge(bytes, view, start, stop);
  };

  function mergeShort(bytes: Uint8Array, view: DataView, start: number, stop: number): number {
    if (stop - start > 3) return plainMerge(bytes, view, start, stop);
    const middle = bytes[start + 1] as number;
    const left = pairs[((bytes[start] as number) << 8) | middle];
    const right = pairs[(middle << 8) | (bytes[start + 2] as number)];
    return left === NO_RANK && right === NO_RANK ? 3 : 2;
  }

  function countMiddle(bytes: Uint8Array, view: DataView, start: number, length: number): number {
    const slot = hashLong(view, start, length) >>> (32 - MIDDLE_BITS);
    const tag = middleTags[slot] as number;
    const at = slot * MIDDLE;
    if (tag >> 8 === length && sameBytes(view, start, middleView, at, length)) return tag & 0xff;
    const stop = start + length;
    const tokens = rank(view, start, length) === NO_RANK ? plainMerge(bytes, view, start, stop) : 1;
    for (let index = 0; index < length; index++) {
      middleBytes[at + index] = bytes[start + index] as number;
    }
    middleTags[slot] = (length << 8) | tokens;
    return tokens;
  }
}
