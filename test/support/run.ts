/** One way to run the library in tests: exact sizes, a known window, a fixed clock. */

import {
  type Compacted,
  compact,
  type MemoryOptions,
  retrieve,
  type Step,
} from '../../src/index.ts';

export const OPTIONS: MemoryOptions = {
  counter: 'heuristic',
  window: 100_000,
  now: '2026-01-01T00:00:00.000Z',
};

export function run(
  bytes: Uint8Array,
  steps: readonly Step[],
  options: MemoryOptions = {},
): Promise<Compacted> {
  return compact(bytes, { ...OPTIONS, ...options, steps });
}

/** Runs the same steps once more on the output, with its stash. */
export function again(
  { bytes, stash }: Compacted,
  steps: readonly Step[],
  options: MemoryOptions = {},
): Promise<Compacted> {
  return run(bytes, steps, { ...options, ...(stash === null ? {} : { stash }) });
}

/** What a ref brings back, as text. */
export function original({ stash }: Compacted, ref: string): string {
  if (stash === null) throw new Error('there is no stash');
  const found = retrieve(stash, ref);
  return found.type === 'media' ? found.bytes.toString('base64') : found.text;
}

/** Marker texts with their ref left out, so that they can be compared. */
export function unref(text: string): string {
  return text.replace(/\[ref: [0-9a-f]{12,}\]/g, '[ref: …]');
}

/** Reasons and actions of the rows of one message. */
export function outcomes({ report }: Compacted, message: number): string[] {
  return report.blocks
    .filter((row) => row.message === message)
    .map((row) => `${row.action} ${row.reason}`);
}
