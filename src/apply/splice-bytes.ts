import { chunks } from '../load/chunks.ts';
import type { Source } from '../load/source.ts';
import type { PieceSpan, Splice } from '../model/splice.ts';

/** A part of what an undo puts back: raw text, base64 of bytes that are not UTF-8, or a piece of an original. */
export type UndoPart = string | { readonly b64: string } | readonly [ref: string, piece: number];

/** Output bytes [at, at + length) become these parts again. */
export type Undo = readonly [at: number, length: number, parts: readonly UndoPart[]];

/** Where the pieces of originals lie in the source, sorted by start. */
export interface PiecePlace extends PieceSpan {
  readonly ref: string;
  readonly piece: number;
}

/**
 * Copies the source through the splices and says how to undo each. Untouched spans are copied as they are, in
 * chunks, so that they are identical by construction.
 */
export function* spliceBytes(
  source: Source,
  splices: Iterable<Splice>,
  places: readonly PiecePlace[],
): Generator<Buffer, Undo[]> {
  const undo: Undo[] = [];
  let at = 0;
  let written = 0;
  let place = 0;
  for (const splice of splices) {
    if (splice.start < at) throw new Error(`splices overlap at byte ${splice.start}`);
    yield* chunks(source, at, splice.start);
    written += splice.start - at;
    const data = Buffer.from(splice.data);
    while (place < places.length && (places[place] as PiecePlace).start < splice.start) place += 1;
    const inside: PiecePlace[] = [];
    while (place < places.length && (places[place] as PiecePlace).end <= splice.end)
      inside.push(places[place++] as PiecePlace);
    undo.push([written, data.length, undoParts(source, splice, inside)]);
    if (data.length > 0) yield data;
    written += data.length;
    at = splice.end;
  }
  yield* chunks(source, at, source.size);
  return undo;
}

function undoParts(source: Source, splice: Splice, inside: readonly PiecePlace[]): UndoPart[] {
  const parts: UndoPart[] = [];
  let at = splice.start;
  for (const { start, end, ref, piece } of inside) {
    if (start > at) parts.push(glue(source.read(at, start)));
    parts.push([ref, piece]);
    at = end;
  }
  if (splice.end > at) parts.push(glue(source.read(at, splice.end)));
  return parts;
}

function glue(bytes: Buffer): UndoPart {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : { b64: bytes.toString('base64') };
}
