import { UNICODE_CLASSES } from './unicode-classes.ts';

// One bit a class, so that a set of classes is a mask.
export const UPPER = 1;
export const LOWER = 2;
/** Letters of both kinds: modifier and other letters. */
export const BOTH = 4;
export const MARK = 8;
export const NUMBER = 16;
/** White space other than CR and LF. */
export const SPACE = 32;
export const NEWLINE = 64;
export const OTHER = 128;
/** Closes the text in the scratch buffer; no byte of UTF-8 has this value and it has no class. */
export const END = 0xff;

/** The class letters of the run-length table, in the order of the bits; OTHER is left out. */
const LETTERS = 'ULBMNSR';

/**
 * The class of every code point, but `^ OTHER`: most code points are OTHER, and memory that stays
 * zero is never touched.
 */
const codePoints = new Uint8Array(0x110000);

/** The class of an ASCII byte; 0 for all other bytes. */
export const byteClasses: Uint8Array = new Uint8Array(0x100);

/** Fills the tables at the first call: a program that counts nothing should not pay for them. */
export function prepareClasses(): void {
  if (byteClasses[0] !== 0) return;
  const runs = UNICODE_CLASSES;
  let at = 0;
  for (let index = 0; index < runs.length; ) {
    const bit = LETTERS.indexOf(runs.charAt(index++));
    const from = index;
    // Lengths are of lower-case letters and digits, classes are upper-case letters.
    while (index < runs.length && (runs.charCodeAt(index) & 0x60) !== 0x40) index++;
    const end = at + (index > from ? Number.parseInt(runs.slice(from, index), 36) : 1);
    if (bit >= 0) codePoints.fill((1 << bit) ^ OTHER, at, end);
    at = end;
  }
  for (let byte = 0; byte < 0x80; byte++) byteClasses[byte] = (codePoints[byte] as number) ^ OTHER;
}

/** The class of the character that starts at `at`, plus its width shifted by 8; 0 at the end. */
export function readClass(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return (byteClasses[lead] as number) | 0x100;
  if (lead === END) return 0;
  const second = (bytes[at + 1] as number) & 0x3f;
  if (lead < 0xe0) return ((codePoints[((lead & 0x1f) << 6) | second] as number) ^ OTHER) | 0x200;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (lead < 0xf0) {
    return ((codePoints[((lead & 0x0f) << 12) | (second << 6) | third] as number) ^ OTHER) | 0x300;
  }
  const fourth = (bytes[at + 3] as number) & 0x3f;
  const codePoint = ((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
  return ((codePoints[codePoint] as number) ^ OTHER) | 0x400;
}
