import { closeSync, readSync } from 'node:fs';
import { inputError } from '../errors.ts';
import type { Source } from './source.ts';

/** A source over an open file. */
export function fdSource(fd: number, path: string, size: number): Source {
  const read = (start: number, end: number) => {
    const buffer = Buffer.allocUnsafe(end - start);
    readSpan(fd, start, end, buffer, 0, path);
    return buffer;
  };
  let held: Buffer | undefined;
  let open = true;
  const release = () => {
    held = undefined;
  };
  return {
    path,
    size,
    read,
    readInto: (start, end, target, at) => readSpan(fd, start, end, target, at, path),
    hold: () => {
      held ??= read(0, size);
      return held;
    },
    release,
    close: () => {
      release();
      if (open) closeSync(fd);
      open = false;
    },
  };
}

function readSpan(
  fd: number,
  start: number,
  end: number,
  target: Buffer,
  at: number,
  path: string,
): void {
  let filled = 0;
  while (filled < end - start) {
    const count = readSync(fd, target, at + filled, end - start - filled, start + filled);
    if (count === 0)
      throw inputError(`${path} became shorter while it was read`, {
        hint: 'run again when no client writes to it',
      });
    filled += count;
  }
}
