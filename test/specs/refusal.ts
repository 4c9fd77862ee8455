import { expect } from 'vitest';
import { CtxError, EXIT } from '../../src/errors.ts';

/** The usage error that a call throws, as message and hint; fails when it throws nothing or anything else. */
export function refusal(call: () => unknown): { message: string; hint: string } {
  const refused = outcome(call);
  if (refused === 'accepted') throw new Error('nothing was refused');
  return refused;
}

/** What came of a call; fails when it throws anything but a usage error of one harmless line. */
export function outcome(call: () => unknown): 'accepted' | { message: string; hint: string } {
  try {
    call();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof CtxError)) throw error;
    expect(error.exitCode).toBe(EXIT.usage);
    expect(`${error.message}${error.hint}`).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
    expect(error.message.length).toBeLessThan(240);
    return { message: error.message, hint: error.hint ?? '' };
  }
}
