import { describe, expect, it } from 'vitest';
import type { MemoryOptions, Step } from '../../src/index.ts';
import { check, dice, session } from '../support/made.ts';
import { again, run } from '../support/run.ts';
import { BUILDERS } from '../support/transcripts.ts';
import { STEPS } from './steps.ts';

/** The steps, and whether a second run left everything at rest. */
async function atRest(
  name: string,
  input: Buffer,
  steps: Step[],
  options: MemoryOptions,
): Promise<string> {
  const done = await run(input, steps, options);
  check(name, input, done);
  const more = await again(done, steps, options);
  expect(more.report.tokens.before).toBe(done.report.tokens.after);
  return `${JSON.stringify(steps)} ${more.stash === null && more.bytes.equals(done.bytes)}`;
}

describe.each(Object.entries(BUILDERS))('%s', (name, build) => {
  it.each(STEPS)('alone: %s', async (...step) => {
    const one = (step.length === 1 ? step[0] : step) as Step;
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const input = build(session(dice(seed), name, true));
      expect(await atRest(name, input, [one], { window: 8000 })).toMatch(/ true$/);
    }
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('together: seed %i', async (seed) => {
    const roll = dice(seed + 101);
    const input = build(session(roll, name, true));
    const steps = Array.from({ length: 2 + roll(3) }, () => STEPS[roll(STEPS.length)] as Step);
    const target = roll(3) === 0 ? { targetTokens: { percent: 20 + roll(70) } } : {};
    const options = { window: [3000, 100_000][roll(2)] as number, ...target };
    expect(await atRest(name, input, steps, options)).toMatch(/ true$/);
  });
});
