import { chunks } from '../load/chunks.ts';
import type { Source } from '../load/source.ts';
import type { Undo, UndoPart } from './splice-bytes.ts';

/**
 * Gives back the bytes before a run: `source` is its output, or begins with it. Bytes behind `length` (what a
 * client appended) follow as they are.
 */
export function* undoBytes(
  source: Source,
  undo: readonly Undo[],
  piece: (ref: string, index: number) => Buffer,
): Generator<Buffer> {
  let at = 0;
  for (const [start, length, parts] of undo) {
    yield* chunks(source, at, start);
    for (const part of parts) yield partBytes(part, piece);
    at = start + length;
  }
  yield* chunks(source, at, source.size);
}

function partBytes(part: UndoPart, piece: (ref: string, index: number) => Buffer): Buffer {
  if (typeof part === 'string') return Buffer.from(part);
  if ('b64' in part) return Buffer.from(part.b64, 'base64');
  const [ref, index] = part;
  return piece(ref, index);
}
