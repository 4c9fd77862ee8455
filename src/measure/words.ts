/** Bytes up to this length are compared as two 32-bit words. */
export const SHORT = 8;

/** Masks that keep the first `length` bytes of the first and of the second word. */
const FIRST_MASK = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1);
const SECOND_MASK = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1);

/** The first four of `length` bytes (8 at most), as a little-endian word. */
export function readFirst(view: DataView, start: number, length: number): number {
  return view.getInt32(start, true) & (FIRST_MASK[length] as number);
}

/** The bytes after the first four, 0 when there are none. */
export function readSecond(view: DataView, start: number, length: number): number {
  return view.getInt32(start + 4, true) & (SECOND_MASK[length] as number);
}

/** A hash of two words whose high bits are well mixed. */
export function hashShort(first: number, second: number): number {
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
