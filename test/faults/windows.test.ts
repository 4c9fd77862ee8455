import { describe, expect, it } from 'vitest';
import { plan, type Step } from '../../src/index.ts';
import { read, texts } from '../support/read.ts';
import { OPTIONS, original, run, unref } from '../support/run.ts';
import { assistant, claudeCode, filler, pinned, strandsTs, user } from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const sequence = (bytes: Uint8Array) => texts(bytes).map(unref);

describe('windows, the emergency cut, middle-out', () => {
  it('F24: a contextUtilization that never fires is told: a warning on an assumed window, an error on a known one', async () => {
    const bytes = claudeCode([user('task'), assistant('a'), user('last')]);
    const steps: Step[] = [['drop', '*:contextUtilization=1000000000']];
    const { window: _known, ...assumed } = OPTIONS;
    const prepared = await plan(bytes, { ...assumed, steps });
    expect(prepared.warnings.map(({ code }) => code)).toEqual(['never-fires']);
    await expect(run(bytes, steps)).rejects.toMatchObject({ exitCode: 2 });
  });

  it('F25: "0%" is accepted, and the error of a bare * says "above 0"', async () => {
    const bytes = claudeCode([user('task'), assistant('a'), user('last')]);
    for (const none of ['0%', '0'])
      await expect(run(bytes, [['drop', `*:preserveRecent=${none}`]])).rejects.toMatchObject({
        exitCode: 2,
        hint: expect.stringContaining('preserveRecent above 0'),
      });
    const done = await run(bytes, [['drop', '*:preserveRecent=0%,contextUtilization=1%']]);
    expect(done.report.strategies[0]?.fired).toBe(false);
  });

  it('F26: the emergency cut respects pins and the last message, leaves a marker and stashes', async () => {
    const bytes = strandsTs([
      user('task'),
      pinned(assistant(long('pin'))),
      user(filler(400, 'u2')),
      assistant(filler(400, 'a3')),
      user(filler(400, 'u4')),
      assistant('a5'),
      user(long('last')),
    ]);
    const done = await run(bytes, [], { window: 500, emergency: true });
    expect(sequence(done.bytes)).toEqual([
      'task',
      long('pin'),
      expect.stringMatching(/^\[Dropped: 3 messages, ~1,200 tokens\] \[ref: …\]$/),
      'a5',
      long('last'),
    ]);
    const marker = texts(done.bytes)[2] as string;
    const ref = /\[ref: (\w+)\]/.exec(marker)?.[1] as string;
    expect(original(done, ref)).toContain('u4 0 ');
    expect(read(done.bytes).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('F27: preview=head of a middle-out applies to the eligible messages; the newest stay', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      assistant(long('a3')),
      user(long('u4')),
      assistant(long('a5')),
      user(long('last')),
    ];
    const head = await run(claudeCode(turns), [
      ['truncate', '*:previewTokens=200,preview=head,preserveRecent=2'],
    ]);
    expect(sequence(head.bytes)).toEqual([
      'task',
      long('a1'),
      long('u2'),
      '[... 2 messages elided ...] [ref: …]',
      long('a5'),
      long('last'),
    ]);
    const tail = await run(claudeCode(turns), [
      ['truncate', '*:previewTokens=200,preview=tail,preserveRecent=2'],
    ]);
    expect(sequence(tail.bytes)).toEqual([
      'task',
      '[... 2 messages elided ...] [ref: …]',
      long('a3'),
      long('u4'),
      long('a5'),
      long('last'),
    ]);
  });
});
