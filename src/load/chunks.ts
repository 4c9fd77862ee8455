import type { Source } from './source.ts';

const CHUNK = 1024 * 1024;

/** Bytes [from, to) in chunks of one reused buffer: a chunk is valid until the next is asked for. */
export function* chunks(source: Source, from: number, to: number): Generator<Buffer> {
  if (to <= from) return;
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, to - from));
  for (let at = from; at < to; at += buffer.length) {
    const end = Math.min(to, at + buffer.length);
    source.readInto(at, end, buffer, 0);
    yield buffer.subarray(0, end - at);
  }
}

/** All of some chunks as one buffer. Each is copied as it comes: a generator may reuse what it yields. */
export function collect(parts: Iterable<Uint8Array>): Buffer {
  const copies: Buffer[] = [];
  for (const part of parts) copies.push(Buffer.from(part));
  return Buffer.concat(copies);
}
