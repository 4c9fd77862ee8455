import {
  BOTH,
  byteClasses,
  END,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  readClass,
  SPACE,
  UPPER,
} from './classes.ts';

/**
 * The end of the piece that starts at `start`. The text is valid UTF-8 closed by an END byte, and
 * `start` is not at the end.
 */
export type NextPiece = (bytes: Uint8Array, start: number, view: DataView) => number;

const LETTER = UPPER | LOWER | BOTH;
const NOT_PREFIX = LETTER | NUMBER | NEWLINE;

/** The pieces of o200k_base: its regular expression, written by hand. */
export function nextPieceO200k(bytes: Uint8Array, start: number, view: DataView): number {
  const lead = bytes[start] as number;
  const first = byteClasses[lead] as number;
  if ((first & (UPPER | LOWER)) !== 0) return casedWord(bytes, view, start);
  if (first === 0) return nextWideO200k(bytes, start);
  if ((first & NOT_PREFIX) === 0) {
    const follower = bytes[start + 1] as number;
    if (((byteClasses[follower] as number) & (UPPER | LOWER)) !== 0) {
      return casedWord(bytes, view, start + 1);
    }
    if (follower >= 0x80 && (readClass(bytes, start + 1) & (LETTER | MARK)) !== 0) {
      return mixedWord(bytes, start + 1);
    }
  }
  if ((first & NUMBER) !== 0) return digits(bytes, start);
  return punctuation(bytes, start, lead, first, true);
}

/** The pieces of cl100k_base. */
export function nextPieceCl100k(bytes: Uint8Array, start: number): number {
  const lead = bytes[start] as number;
  const first = byteClasses[lead] as number;
  if ((first & (UPPER | LOWER)) !== 0) return letters(bytes, start);
  if (first === 0) return nextWideCl100k(bytes, start);
  if ((first & NOT_PREFIX) === 0) {
    if (lead === 0x27) {
      const end = contraction(bytes, start);
      if (end > start) return end;
    }
    const follower = bytes[start + 1] as number;
    if (((byteClasses[follower] as number) & (UPPER | LOWER)) !== 0) {
      return letters(bytes, start + 1);
    }
    if (follower >= 0x80 && (readClass(bytes, start + 1) & LETTER) !== 0) {
      return letters(bytes, start + 1);
    }
  }
  if ((first & NUMBER) !== 0) return digits(bytes, start);
  return punctuation(bytes, start, lead, first, false);
}

function nextWideO200k(bytes: Uint8Array, start: number): number {
  const first = readClass(bytes, start);
  // A mark as prefix and a mark as first letter of the word give the same piece.
  if ((first & (LETTER | MARK)) !== 0) return mixedWord(bytes, start);
  if ((first & NUMBER) !== 0) return digits(bytes, start);
  const word = start + (first >> 8);
  if ((readClass(bytes, word) & (LETTER | MARK)) !== 0) return mixedWord(bytes, word);
  return punctuation(bytes, start, 0, first, true);
}

function nextWideCl100k(bytes: Uint8Array, start: number): number {
  const first = readClass(bytes, start);
  if ((first & LETTER) !== 0) return letters(bytes, start);
  if ((first & NUMBER) !== 0) return digits(bytes, start);
  const word = start + (first >> 8);
  if ((readClass(bytes, word) & LETTER) !== 0) return letters(bytes, word);
  return punctuation(bytes, start, 0, first, false);
}

/** An ASCII word of o200k: upper case, then lower case; starts again when it is not ASCII only. */
function casedWord(bytes: Uint8Array, view: DataView, start: number): number {
  let at = start;
  while (byteClasses[bytes[at] as number] === UPPER) at++;
  for (;;) {
    // Four bytes at once: the high bit of each byte that is not a lower-case ASCII letter.
    const word = view.getInt32(at, true);
    const low = word & 0x7f7f7f7f;
    const others = ~((low + 0x1f1f1f1f) & ~(low + 0x05050505) & ~word) & 0x80808080;
    if (others !== 0) {
      at += (31 - Math.clz32(others & -others)) >> 3;
      break;
    }
    at += 4;
  }
  const next = bytes[at] as number;
  if (next >= 0x80 && next !== END) return mixedWord(bytes, start);
  return next === 0x27 ? contraction(bytes, at) : at;
}

/** A word of o200k with characters of any script. */
function mixedWord(bytes: Uint8Array, start: number): number {
  let at = start;
  let afterBoth = 0;
  let found = readClass(bytes, at);
  while ((found & (UPPER | BOTH | MARK)) !== 0) {
    at += found >> 8;
    if ((found & (BOTH | MARK)) !== 0) afterBoth = at;
    found = readClass(bytes, at);
  }
  if ((found & LOWER) !== 0) {
    while ((found & (LOWER | BOTH | MARK)) !== 0) {
      at += found >> 8;
      found = readClass(bytes, at);
    }
  } else if (afterBoth !== 0) {
    // The pattern must end in a lower-case character: it gives back what follows the last one.
    at = afterBoth;
  }
  return bytes[at] === 0x27 ? contraction(bytes, at) : at;
}

/** A word of cl100k: letters only. */
function letters(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    while (((byteClasses[bytes[at] as number] as number) & (UPPER | LOWER)) !== 0) at++;
    if ((bytes[at] as number) < 0x80) return at;
    const found = readClass(bytes, at);
    if ((found & LETTER) === 0) return at;
    at += found >> 8;
  }
}

/** The end of the contraction at the apostrophe `at`, or `at` when there is none. */
function contraction(bytes: Uint8Array, at: number): number {
  const first = bytes[at + 1] as number;
  switch (first | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return at + 2;
    case 0x72: // r
    case 0x76: // v
      return ((bytes[at + 2] as number) | 0x20) === 0x65 ? at + 3 : at;
    case 0x6c: // l
      return ((bytes[at + 2] as number) | 0x20) === 0x6c ? at + 3 : at;
    default:
      // The long s (U+017F) is an s when case is ignored.
      return first === 0xc5 && bytes[at + 2] === 0xbf ? at + 3 : at;
  }
}

/** One to three numbers. */
function digits(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let count = 0; count < 3; count++) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      if (byteClasses[lead] !== NUMBER) break;
      at++;
    } else {
      const found = readClass(bytes, at);
      if ((found & NUMBER) === 0) break;
      at += found >> 8;
    }
  }
  return at;
}

/** Punctuation and marks after an optional space, with the line ends that follow; or white space. */
function punctuation(
  bytes: Uint8Array,
  start: number,
  lead: number,
  first: number,
  slash: boolean,
): number {
  if (lead === 0x20) {
    const next = bytes[start + 1] as number;
    const found = next < 0x80 ? (byteClasses[next] as number) : readClass(bytes, start + 1);
    if ((found & (OTHER | MARK)) === 0) return whiteSpace(bytes, start);
  } else if ((first & (OTHER | MARK)) === 0) {
    return whiteSpace(bytes, start);
  }
  let at = lead === 0 ? start : start + 1;
  let next: number;
  for (;;) {
    while (byteClasses[bytes[at] as number] === OTHER) at++;
    next = bytes[at] as number;
    if (next < 0x80) break;
    const found = readClass(bytes, at);
    if ((found & (OTHER | MARK)) === 0) return at;
    at += found >> 8;
  }
  const third = slash ? 0x2f : 0x0a;
  while (next === 0x0a || next === 0x0d || next === third) next = bytes[++at] as number;
  return at;
}

/** A run of white space: to its last CR or LF, else all but its last character. */
function whiteSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  let last = start;
  let afterNewline = 0;
  for (;;) {
    const lead = bytes[at] as number;
    const found = lead < 0x80 ? (byteClasses[lead] as number) | 0x100 : readClass(bytes, at);
    if ((found & (SPACE | NEWLINE)) === 0) break;
    last = at;
    at += found >> 8;
    if ((found & NEWLINE) !== 0) afterNewline = at;
  }
  if (afterNewline !== 0) return afterNewline;
  // The last character belongs to what follows, unless it is the whole run or the text ends here.
  return last === start || bytes[at] === END ? at : last;
}
