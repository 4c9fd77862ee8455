import { safe } from '../report/safe.ts';
import type { Io } from './io.ts';

export interface ProgressLine {
  add(bytes: number): void;
  end(): void;
}

/** Read progress on a terminal's standard error, once the work is long enough to be waited for. */
export function progressFor(io: Io, file: string, quiet: boolean): ProgressLine {
  let read = 0;
  let shown = false;
  return {
    add(bytes) {
      read += bytes;
      if (quiet || !io.stderr.isTTY || read < 16_000_000) return;
      shown = true;
      io.stderr.write(`\rreading ${safe(file)}: ${Math.round(read / 1_000_000)} MB`);
    },
    end() {
      if (shown) io.stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}
