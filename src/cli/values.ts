import { InvalidArgumentError } from 'commander';

/** A whole number. @throws InvalidArgumentError, which commander reports as a usage error. */
export function count(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('write a whole number');
}

/** Values of a flag that may be given several times. */
export function list(value: string, known: readonly string[] = []): string[] {
  return [...known, value];
}
