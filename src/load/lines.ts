import type { Source } from './source.ts';

const CHUNK = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * One line of a source. `bytes[start, end)` is its content without line end and byte order mark; `offset` is
 * where `start` lies in the source, `next` where the following line begins in it. `bytes` is reused.
 */
export interface Line {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly next: number;
}

/**
 * Calls `onLine` for every line, split on byte 0x0A only. Reads the source once, in chunks, so that memory
 * does not grow with the file; a longer line grows the buffer. `onBytes` sees all bytes in order (for a hash).
 */
export function eachLine(
  source: Source,
  onLine: (line: Line) => void,
  onBytes: (bytes: Buffer) => void = () => {},
): void {
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(CHUNK, source.size) + 1);
  let held = 0;
  let offset = 0;
  let position = 0;
  while (position < source.size) {
    if (held === buffer.length) buffer = grown(buffer);
    const until = Math.min(source.size, position + buffer.length - held);
    const filled = held + until - position;
    source.readInto(position, until, buffer, held);
    onBytes(buffer.subarray(held, filled));
    position = until;
    const used = splitLines(buffer, held, filled, offset, onLine);
    buffer.copyWithin(0, used, filled);
    held = filled - used;
    offset += used;
  }
  if (held > 0) emit(buffer, 0, held, held, offset, onLine);
}

function splitLines(
  buffer: Buffer,
  from: number,
  filled: number,
  offset: number,
  onLine: (line: Line) => void,
): number {
  const view = buffer.subarray(0, filled);
  let start = 0;
  let newline = view.indexOf(NEWLINE, from);
  while (newline >= 0) {
    emit(buffer, start, newline, newline + 1, offset, onLine);
    start = newline + 1;
    newline = view.indexOf(NEWLINE, start);
  }
  return start;
}

function emit(
  bytes: Buffer,
  start: number,
  stop: number,
  next: number,
  offset: number,
  onLine: (line: Line) => void,
): void {
  const from = offset + start === 0 ? start + markLength(bytes) : start;
  const end = stop > from && bytes[stop - 1] === RETURN ? stop - 1 : stop;
  onLine({ bytes, start: from, end, offset: offset + from, next: offset + next });
}

/** Length of a UTF-8 byte order mark at the start of the bytes: 3 or 0. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function grown(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger, 0, 0, buffer.length);
  return larger;
}
