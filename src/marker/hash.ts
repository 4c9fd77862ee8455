import { sha256Hex } from '../hash/hash.ts';

/** Identifies a marker's text: a placeholder is valid only while its text is exactly this. 32 hex digits. */
export function markerHash(text: string): string {
  return sha256Hex(text.toWellFormed()).slice(0, 32);
}
