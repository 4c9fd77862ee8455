import { readFileSync } from 'node:fs';
import { objectAt } from '../formats/value.ts';
import { hashPieces } from '../hash/hash.ts';
import type { Entry } from './lines.ts';

/**
 * An original out of the stash that the Strands SDK embeds in a snapshot (`data.stash.entries`), by its key; the
 * items of a tool result are kept under `<key>_<index>`. Undefined when the file holds no such thing.
 */
export function nativeOriginal(path: string, ref: string): Entry | undefined {
  const entries = nativeEntries(path);
  const own = Object.keys(entries)
    .filter(
      (key) =>
        key === ref || (key.startsWith(`${ref}_`) && /^\d+$/.test(key.slice(ref.length + 1))),
    )
    .toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }));
  if (own.length === 0) return undefined;
  const pieces = own.map((key) => Buffer.from(jsonOf(entries[key])));
  return { ref, sha256: hashPieces(pieces), kind: 'toolResult', tokens: 0, pieces };
}

function nativeEntries(path: string): Readonly<Record<string, unknown>> {
  try {
    const snapshot: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return objectAt(snapshot, 'data', 'stash', 'entries') ?? {};
  } catch {
    return {};
  }
}

/** Values are kept as JSON text by one SDK version and as JSON by another. */
function jsonOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return value;
  } catch {
    return JSON.stringify(value);
  }
}
