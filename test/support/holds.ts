import { expect } from 'vitest';
import { compact, type MemoryOptions, restore, type Step } from '../../src/memory.ts';

/** Compacts twice and restores: the second run finds nothing, and every byte comes back. */
export async function holds(
  bytes: Buffer,
  steps: readonly Step[],
  options: MemoryOptions = {},
): Promise<Buffer> {
  const first = await compact(bytes, { steps, ...options });
  if (first.stash === null) throw new Error('nothing was done');
  const again = await compact(first.bytes, { steps, stash: first.stash, ...options });
  expect(again.bytes.equals(first.bytes)).toBe(true);
  expect(restore(first.bytes, first.stash).equals(bytes)).toBe(true);
  return first.bytes;
}
