import { describe, expect, it } from 'vitest';
import type { MemoryOptions, Step } from '../../src/index.ts';
import { check, dice, session } from '../support/made.ts';
import { again, run } from '../support/run.ts';
import { BUILDERS } from '../support/transcripts.ts';

const TARGETS = [
  'toolResults',
  'toolResultErrors',
  'assistantText',
  'userText',
  'tool::Bash',
  '!tool::Bash',
];
const CONDITIONS = [
  'preserveRecent=2',
  'preserveRecent=50%',
  'preserveRecent=30%,blockThreshold=200',
  'contextUtilization=20%',
  'contextUtilization=50%,preserveRecent=3',
];

function step(roll: (sides: number) => number): Step {
  const method = (['drop', 'truncate', 'summarize'] as const)[roll(3)] as 'drop';
  const conditions = CONDITIONS[roll(CONDITIONS.length)] as string;
  const preview = (method as string) === 'truncate' ? ',previewTokens=60' : '';
  const all = roll(3);
  if (all === 0) return [method, `*:${conditions}${preview}`];
  if (all === 1 && roll(3) === 0 && method === 'drop') return [method, `media:${conditions}`];
  return [method, `${TARGETS[roll(TARGETS.length)]}:${conditions}${preview}`];
}

describe.each(Object.entries(BUILDERS))('promises over made sessions: %s', (name, build) => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('seed %i', async (seed) => {
    const roll = dice(seed + 1);
    const input = build(session(roll, name));
    const steps = Array.from({ length: 1 + roll(3) }, () => step(roll));
    const options: MemoryOptions = {
      window: [3000, 8000, 100_000][roll(3)] as number,
      emergency: roll(3) === 0,
      hint: roll(2) === 0 ? 'cli' : 'none',
    };
    const done = await run(input, steps, options);
    check(name, input, done);
    const more = await again(done, steps, options);
    expect(`${JSON.stringify(steps)} ${more.stash === null && more.bytes.equals(done.bytes)}`).toBe(
      `${JSON.stringify(steps)} true`,
    );
    expect(more.report.tokens.before).toBe(done.report.tokens.after);
    expect((await run(input, steps, options)).bytes.equals(done.bytes)).toBe(true);
  });
});
