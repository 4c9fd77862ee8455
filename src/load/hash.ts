import { createHash } from 'node:crypto';
import { chunks } from './chunks.ts';
import type { Source } from './source.ts';

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
  for (const chunk of chunks(source, 0, until)) hash.update(chunk);
  return hash.digest('hex');
}
