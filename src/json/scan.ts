/**
 * Finds the byte spans of JSON values without building them. It works on valid JSON (callers have parsed the
 * record before) and on bytes, so that whatever stands between two spans can be copied as it is.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member extends Span {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Span of the value that an RFC 6901 pointer names inside the JSON value that starts at or after `from`.
 * Of duplicate keys the last wins, as in JSON.parse. Undefined when there is no such value.
 */
export function findPointer(bytes: Uint8Array, from: number, pointer: string): Span | undefined {
  let start = skipSpace(bytes, from);
  for (const token of pointerTokens(pointer)) {
    const child = childSpan(bytes, start, token);
    if (child === undefined) return undefined;
    start = child.start;
  }
  return { start, end: valueEnd(bytes, start) };
}

/** The unescaped reference tokens of an RFC 6901 pointer ('' has none). */
export function pointerTokens(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Members of the object that starts at `start`, in file order; duplicates included. */
export function members(bytes: Uint8Array, start: number): Member[] {
  const found: Member[] = [];
  if (bytes[start] !== OPEN_OBJECT) return found;
  let at = skipSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] === QUOTE) {
    const keyStart = at;
    const keyEnd = stringEnd(bytes, at);
    at = skipSpace(bytes, keyEnd);
    if (bytes[at] !== COLON) break;
    const valueStart = skipSpace(bytes, at + 1);
    const end = valueEnd(bytes, valueStart);
    found.push({
      key: decodeString(bytes, keyStart, keyEnd),
      keyStart,
      keyEnd,
      start: valueStart,
      end,
    });
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
  }
  return found;
}

/** Spans of the elements of the array that starts at `start`, or of the first `most` of them. */
export function elements(bytes: Uint8Array, start: number, most: number = Infinity): Span[] {
  const found: Span[] = [];
  if (bytes[start] !== OPEN_ARRAY) return found;
  let at = skipSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_ARRAY && found.length < most) {
    const end = valueEnd(bytes, at);
    found.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
  }
  return found;
}

/** End (exclusive) of the value that starts at `start`. Never beyond the bytes. */
export function valueEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return containerEnd(bytes, start);
  let at = start;
  while (at < bytes.length && !isDelimiter(bytes[at] as number)) at += 1;
  return at;
}

/** End (exclusive) of the string literal whose opening quote is at `start`. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes += 1;
    // An odd number of backslashes escapes the quote.
    if (slashes % 2 === 0 || quote - slashes <= start) return quote + 1;
    at = quote + 1;
  }
}

/** First position at or after `at` that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next += 1;
  return next;
}

/** Decodes the string literal at [start, end). Invalid UTF-8 reads as U+FFFD. */
export function decodeString(bytes: Uint8Array, start: number, end: number): string {
  return JSON.parse(utf8(bytes, start, end)) as string;
}

/** Decodes UTF-8 bytes; invalid sequences read as U+FFFD, a byte order mark stays. */
export function utf8(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

function childSpan(bytes: Uint8Array, start: number, token: string): Span | undefined {
  if (bytes[start] === OPEN_ARRAY) {
    if (!/^(0|[1-9]\d*)$/.test(token)) return undefined;
    return nthElement(bytes, start, Number(token));
  }
  if (bytes[start] === OPEN_OBJECT)
    return members(bytes, start).findLast((member) => member.key === token);
  return undefined;
}

function nthElement(bytes: Uint8Array, start: number, wanted: number): Span | undefined {
  let at = skipSpace(bytes, start + 1);
  for (let index = 0; at < bytes.length && bytes[at] !== CLOSE_ARRAY; index += 1) {
    const end = valueEnd(bytes, at);
    if (index === wanted) return { start: at, end };
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) return undefined;
    at = skipSpace(bytes, at + 1);
  }
  return undefined;
}

function containerEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return bytes.length;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isSpace(byte);
}
