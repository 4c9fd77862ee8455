import { createHash, type Hash } from 'node:crypto';

/** A running sha256. */
export function sha256(): Hash {
  return createHash('sha256');
}

/** sha256 of text or bytes, in hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** sha256 of raw pieces joined by one newline byte: what a ref is the start of. */
export function hashPieces(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) hash.update('\n');
    hash.update(piece);
  }
  return hash.digest('hex');
}
