import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/index.ts';
import { again, outcomes, run } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  result,
  strandsTs,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);

async function droppedIds(bytes: Uint8Array, spec: string): Promise<(string | null)[]> {
  const { report } = await run(bytes, [['drop', spec]]);
  return report.blocks.filter((row) => row.action !== 'kept').map((row) => row.callId);
}

describe('blockThreshold', () => {
  it.each([
    ['100', 1],
    ['101', 0],
    ['99', 1],
  ])('a block of 101 tokens: blockThreshold=%s', async (threshold, taken) => {
    const bytes = claudeCode([
      user('task'),
      call('t', 'Bash'),
      result('t', filler(101)),
      assistant('a'),
      user('z'),
    ]);
    expect(await droppedIds(bytes, `toolResults:blockThreshold=${threshold}`)).toHaveLength(taken);
  });

  it('a share is one of the window', async () => {
    const bytes = claudeCode([
      user('task'),
      call('t', 'Bash'),
      result('t', filler(101)),
      assistant('a'),
      user('z'),
    ]);
    const at = async (window: number) =>
      (await run(bytes, [['drop', 'toolResults:blockThreshold=1%']], { window })).stash !== null;
    expect(await at(10_000)).toBe(true);
    expect(await at(10_100)).toBe(false);
  });

  it('a placeholder is not measured again', async () => {
    const bytes = strandsTs([
      user('task'),
      call('t', 'Bash'),
      result('t', filler(3000)),
      assistant('a'),
      user('z'),
    ]);
    const steps: Step[] = [['truncate', 'toolResults:blockThreshold=600,previewTokens=500']];
    const done = await run(bytes, steps);
    const more = await again(done, [['drop', '*:blockThreshold=100']]);
    expect(more.bytes.equals(done.bytes)).toBe(true);
  });
});

describe('contextUtilization', () => {
  // 1 + 997 + 1 + 1 tokens.
  const bytes = claudeCode([
    user('task'),
    assistant(filler(997)),
    user('b'),
    assistant('c'),
    user('z'),
  ]);
  const total = 1 + 997 + 1 + 1 + 1;

  it.each([
    ['100%', total, true],
    ['100%', total + 1, false],
    ['50%', total * 2, true],
    ['50%', total * 2 + 1, false],
    [String(total), 100_000, true],
    [String(total + 1), 100_000, false],
  ])('%s of a window of %i: fires %s', async (share, window, fires) => {
    const steps: Step[] = [['drop', `assistantText:contextUtilization=${share}`]];
    const done = await run(bytes, steps, { window });
    expect(done.report.tokens.before).toBe(total);
    expect(done.report.strategies[0]?.fired).toBe(fires);
    expect(done.stash !== null).toBe(fires);
    if (!fires) expect(outcomes(done, 1)).toEqual(['kept utilization-not-reached']);
  });

  it('is counted anew before each strategy', async () => {
    const steps: Step[] = [
      ['drop', 'assistantText:contextUtilization=50%'],
      ['drop', 'userText:contextUtilization=50%'],
    ];
    const done = await run(bytes, steps, { window: 2000 });
    expect(done.report.strategies.map(({ fired }) => fired)).toEqual([true, false]);
  });

  it('counts the system prompt and the tool definitions', async () => {
    const value = JSON.parse(
      BUILDERS.anthropic([user('task'), assistant(long('a')), user('z')]).toString(),
    );
    const at = async (system: string) => {
      const body = Buffer.from(JSON.stringify({ ...value, system }));
      return (await run(body, [['drop', 'assistantText:contextUtilization=1000']])).stash !== null;
    };
    // 102 tokens of messages.
    expect(await at(filler(897))).toBe(false);
    expect(await at(filler(898))).toBe(true);
  });
});
