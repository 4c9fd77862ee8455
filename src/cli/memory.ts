import { setFlagsFromString } from 'node:v8';

/** From this size on memory matters more than time. */
const LARGE = 150_000_000;

/** For large inputs garbage is collected early, so that memory does not grow with the file. */
export function spareMemory(bytes: number): void {
  if (bytes < LARGE) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}
