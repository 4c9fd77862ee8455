import { sourceHash } from '../load/hash.ts';
import type { Source } from '../load/source.ts';
import type { RunLine } from './lines.ts';

/** The run whose output the bytes are, or begin with: by hash, never by path. The newest first. */
export function runBehind(source: Source, runs: readonly RunLine[]): RunLine | undefined {
  const hashes = new Map<number, string>();
  const hashTo = (length: number) => {
    const known = hashes.get(length) ?? sourceHash(source, length);
    hashes.set(length, known);
    return known;
  };
  return runs.findLast(({ output }) =>
    source.files === undefined
      ? output.bytes <= source.size && output.sha256 === hashTo(output.bytes)
      : output.sha256 === hashTo(source.size),
  );
}

/** The run before a run in its chain; it was recorded earlier. */
export function parentOf(run: RunLine, runs: readonly RunLine[]): RunLine | undefined {
  if (run.parent === null) return undefined;
  return runs.slice(0, runs.indexOf(run)).findLast(({ id }) => id === run.parent);
}
