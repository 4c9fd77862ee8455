import { loadVocabulary } from './vocabulary-file.ts';
import { hashLong, hashShort, readFirst, readSecond, SHORT, sameBytes } from './words.ts';

/** Above every rank: the bytes are not a token. */
export const NO_RANK = 0x7fffffff;
/** The longest token of both encodings. */
const LONGEST_TOKEN = 128;

/** Low bits of a hash slot are the rank, the bits above are the low bits of the hash. */
const RANK_BITS = 18;
const RANK_MASK = (1 << RANK_BITS) - 1;
/**
 * Bits of the index of the filter: a bit for each hash of a token. Most questions of a merge are
 * about bytes that are no token, and the filter answers them from a cache nearer than the table.
 */
const FILTER_BITS = 21;
/** Shifts of a hash to its word of the filter and to its bit, of which a shift takes the low five. */
const FILTER_WORD = 32 - FILTER_BITS + 5;
const FILTER_BIT = 32 - FILTER_BITS;
/** Tokens that are added in one call: short calls are compiled early. */
const BATCH = 512;

/** The tokens of one encoding, by their bytes. */
export interface Vocabulary {
  /** The rank of every two-byte token, NO_RANK for the rest; the index is first byte * 256 + second. */
  readonly pairs: Int32Array;
  /** The rank of `length` bytes (3 or more), or NO_RANK. `view` has 8 bytes to spare at the end. */
  rank(view: DataView, start: number, length: number): number;
  /** The same for 3 to 8 bytes that are already read as words and hashed. */
  rankOfWords(first: number, second: number, length: number, hash: number): number;
}

/** Reads the vocabulary file and builds the hash table. */
export function openVocabulary(name: string): Vocabulary {
  const file = loadVocabulary(name);
  const pool = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = pool.getUint32(0, true);
  const lengths = file.subarray(8, 8 + count);
  const offsets = new Int32Array(count);
  const pairs = new Int32Array(0x10000).fill(NO_RANK);
  // A power of two that leaves a fifth of the slots empty at least.
  const shift = Math.clz32(count + (count >> 2));
  const slots = new Int32Array(2 ** (32 - shift));
  const lastSlot = slots.length - 1;
  const filter = new Int32Array(1 << (FILTER_BITS - 5));

  let next = 8 + count;
  for (let from = 0; from < count; from += BATCH) {
    next = addTokens(next, from, Math.min(from + BATCH, count));
  }

  function addTokens(start: number, from: number, to: number): number {
    let at = start;
    for (let token = from; token < to; token++) {
      const length = lengths[token] as number;
      offsets[token] = at;
      if (length > 2) {
        const hash = hashAt(pool, at, length);
        const word = hash >>> FILTER_WORD;
        filter[word] = (filter[word] as number) | (1 << (hash >>> FILTER_BIT));
        let slot = hash >>> shift;
        while (slots[slot] !== 0) slot = (slot + 1) & lastSlot;
        slots[slot] = (hash << RANK_BITS) | token;
      } else if (length === 2) {
        pairs[pool.getUint16(at, false)] = token;
      }
      at += length;
    }
    return at;
  }

  function mayBeToken(hash: number): boolean {
    return (((filter[hash >>> FILTER_WORD] as number) >>> (hash >>> FILTER_BIT)) & 1) !== 0;
  }

  function rankOfWords(first: number, second: number, length: number, hash: number): number {
    if (!mayBeToken(hash)) return NO_RANK;
    let slot = hash >>> shift;
    for (;;) {
      const entry = slots[slot] as number;
      if (entry === 0) return NO_RANK;
      if ((entry ^ (hash << RANK_BITS)) >>> RANK_BITS === 0) {
        const token = entry & RANK_MASK;
        const at = offsets[token] as number;
        if (
          lengths[token] === length &&
          readFirst(pool, at, length) === first &&
          readSecond(pool, at, length) === second
        ) {
          return token;
        }
      }
      slot = (slot + 1) & lastSlot;
    }
  }

  function rankOfLong(view: DataView, start: number, length: number): number {
    const hash = hashLong(view, start, length);
    if (!mayBeToken(hash)) return NO_RANK;
    let slot = hash >>> shift;
    for (;;) {
      const entry = slots[slot] as number;
      if (entry === 0) return NO_RANK;
      if ((entry ^ (hash << RANK_BITS)) >>> RANK_BITS === 0) {
        const token = entry & RANK_MASK;
        if (
          lengths[token] === length &&
          sameBytes(view, start, pool, offsets[token] as number, length)
        ) {
          return token;
        }
      }
      slot = (slot + 1) & lastSlot;
    }
  }

  function rank(view: DataView, start: number, length: number): number {
    if (length > SHORT) return length > LONGEST_TOKEN ? NO_RANK : rankOfLong(view, start, length);
    const first = readFirst(view, start, length);
    const second = readSecond(view, start, length);
    return rankOfWords(first, second, length, hashShort(first, second));
  }

  return { pairs, rank, rankOfWords };
}

function hashAt(view: DataView, start: number, length: number): number {
  if (length > SHORT) return hashLong(view, start, length);
  return hashShort(readFirst(view, start, length), readSecond(view, start, length));
}
