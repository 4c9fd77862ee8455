import { createHash } from 'node:crypto';
import type { Source } from './source.ts';

const CHUNK = 4 * 1024 * 1024;

/** sha256 of a file; of a folder, of its sorted list of relative paths and file hashes. `until` limits a file. */
export function sourceHash(source: Source, until: number = source.size): string {
  if (source.files !== undefined) {
    const lines = source.files.map(({ path, start, end }) => {
      const hash = createHash('sha256').update(source.read(start, end)).digest('hex');
      return `${path}\0${hash}\n`;
    });
    return createHash('sha256').update(lines.toSorted().join('')).digest('hex');
  }
  const hash = createHash('sha256');
  for (let at = 0; at < until; at += CHUNK)
    hash.update(source.read(at, Math.min(until, at + CHUNK)));
  return hash.digest('hex');
}
