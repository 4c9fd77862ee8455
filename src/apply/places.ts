import type { Original } from './original.ts';
import type { PiecePlace } from './splice-bytes.ts';

/**
 * Where the pieces of an original lie in the source, so that an undo can name them instead of repeating them. A copy
 * of the same bytes is the same piece; another spelling of the text is kept by the undo itself.
 */
export function piecePlaces(
  original: Original,
  pieces: readonly Buffer[],
  read: (start: number, end: number) => Buffer,
): PiecePlace[] {
  if (original.stays) return [];
  const { ref } = original;
  const own = original.pieces.map((piece, index) => ({ ...piece, ref, piece: index }));
  const [only] = pieces;
  const same = original.copies.filter(
    ({ start, end }) => pieces.length === 1 && only?.equals(read(start, end)) === true,
  );
  return [...own, ...same.map((copy) => ({ ...copy, ref, piece: 0 }))];
}
