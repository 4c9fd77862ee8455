import { loadVocabulary } from './vocabulary-file.ts';

/** Above every rank: the bytes are not a token. */
export const NO_RANK = 0x7fffffff;
/** The longest token of both encodings. */
export const LONGEST_TOKEN = 128;
/** Tokens up to this length are compared as two 32-bit words. */
export const SHORT = 8;

const RANK_BITS = 18;
const RANK_MASK = (1 << RANK_BITS) - 1;
/** 32-bit integers a slot: the two words (long tokens: hash and pool offset), then length and rank. */
const STRIDE = 3;

/** Masks that keep the first `length` bytes of the first and of the second word. */
export const FIRST_WORD: Int32Array = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1);
export const SECOND_WORD: Int32Array = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1);

/** The tokens of one encoding, by their bytes. */
export interface Vocabulary {
  /** The rank of every two-byte token, NO_RANK for the rest; the index is first byte * 256 + second. */
  readonly pairs: Int32Array;
  /** The rank of `length` bytes (3 or more), or NO_RANK. `view` has 8 bytes to spare at the end. */
  rank(view: DataView, start: number, length: number): number;
  /** The same for 3 to 8 bytes that are already read as words. */
  rankOfWords(first: number, second: number, length: number): number;
}

/** Reads the vocabulary file and builds its hash tables. */
export function openVocabulary(name: string): Vocabulary {
  const file = loadVocabulary(name);
  const pool = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = pool.getUint32(0, true);
  const lengths = file.subarray(8, 8 + count);

  let long = 0;
  for (let rank = 0; rank < count; rank++) if ((lengths[rank] as number) > SHORT) long++;
  const shortShift = shiftFor(count - long);
  const longShift = shiftFor(long);
  const shortSlots = new Int32Array(STRIDE << (32 - shortShift));
  const longSlots = new Int32Array(STRIDE << (32 - longShift));
  const shortLast = shortSlots.length - STRIDE;
  const longLast = longSlots.length - STRIDE;
  const pairs = new Int32Array(0x10000).fill(NO_RANK);

  let offset = 8 + count;
  for (let rank = 0; rank < count; rank++) {
    const length = lengths[rank] as number;
    if (length === 2) {
      pairs[pool.getUint16(offset, false)] = rank;
    } else if (length > 2) {
      addToken(offset, length, rank);
    }
    offset += length;
  }

  function addToken(offset: number, length: number, rank: number): void {
    const short = length <= SHORT;
    const slots = short ? shortSlots : longSlots;
    let first: number;
    let second: number;
    let slot: number;
    if (short) {
      first = pool.getInt32(offset, true) & (FIRST_WORD[length] as number);
      second = pool.getInt32(offset + 4, true) & (SECOND_WORD[length] as number);
      slot = (hashWords(first, second) >>> shortShift) * STRIDE;
    } else {
      first = hashLong(pool, offset, length);
      second = offset;
      slot = (first >>> longShift) * STRIDE;
    }
    while (slots[slot + 2] !== 0) slot = slot === slots.length - STRIDE ? 0 : slot + STRIDE;
    slots[slot] = first;
    slots[slot + 1] = second;
    slots[slot + 2] = (length << RANK_BITS) | rank;
  }

  function rankOfWords(first: number, second: number, length: number): number {
    let slot = (hashWords(first, second) >>> shortShift) * STRIDE;
    for (;;) {
      const tag = shortSlots[slot + 2] as number;
      if (tag === 0) return NO_RANK;
      if (
        shortSlots[slot] === first &&
        shortSlots[slot + 1] === second &&
        tag >> RANK_BITS === length
      ) {
        return tag & RANK_MASK;
      }
      slot = slot === shortLast ? 0 : slot + STRIDE;
    }
  }

  function rankOfLong(view: DataView, start: number, length: number): number {
    const hash = hashLong(view, start, length);
    let slot = (hash >>> longShift) * STRIDE;
    for (;;) {
      const tag = longSlots[slot + 2] as number;
      if (tag === 0) return NO_RANK;
      if (longSlots[slot] === hash && tag >> RANK_BITS === length) {
        if (sameBytes(view, start, pool, longSlots[slot + 1] as number, length)) {
          return tag & RANK_MASK;
        }
      }
      slot = slot === longLast ? 0 : slot + STRIDE;
    }
  }

  function rank(view: DataView, start: number, length: number): number {
    if (length > SHORT) return length > LONGEST_TOKEN ? NO_RANK : rankOfLong(view, start, length);
    const first = view.getInt32(start, true) & (FIRST_WORD[length] as number);
    const second = view.getInt32(start + 4, true) & (SECOND_WORD[length] as number);
    return rankOfWords(first, second, length);
  }

  return { pairs, rank, rankOfWords };
}

/** A hash of two words whose high bits are well mixed. */
export function hashWords(first: number, second: number): number {
  let hash = (Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca77)) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** A hash of more than 8 bytes, whose high bits are well mixed. */
export function hashLong(view: DataView, start: number, length: number): number {
  let hash = length;
  const lastWord = start + length - 4;
  for (let at = start; at < lastWord; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  // The last word overlaps the one before it instead of reading past the end.
  hash = Math.imul(hash ^ view.getInt32(lastWord, true), 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** Whether `length` bytes (4 or more) are equal. */
export function sameBytes(
  left: DataView,
  leftStart: number,
  right: DataView,
  rightStart: number,
  length: number,
): boolean {
  const lastWord = length - 4;
  for (let at = 0; at < lastWord; at += 4) {
    if (left.getInt32(leftStart + at, true) !== right.getInt32(rightStart + at, true)) return false;
  }
  return left.getInt32(leftStart + lastWord, true) === right.getInt32(rightStart + lastWord, true);
}

/** The shift that leaves enough high bits of a hash for a table at most 5/8 full. */
function shiftFor(count: number): number {
  return Math.clz32(Math.ceil(count * 1.6) - 1);
}
