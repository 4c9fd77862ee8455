import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/index.ts';
import { texts } from '../support/read.ts';
import { again, outcomes, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  openaiChat,
  png,
  result,
  strandsTs,
  type Turn,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);

/** Results of so many turns, each a message of its own. */
const turns = (count: number): Turn[] => [
  user('task'),
  ...Array.from({ length: count }, (_, index) => [
    call(`t${index}`, 'Bash'),
    result(`t${index}`, long(`r${index}`)),
    assistant('so'),
    user('go on'),
  ]).flat(),
  assistant('end'),
  user('last'),
];

async function droppedIds(bytes: Uint8Array, spec: string): Promise<(string | null)[]> {
  const { report } = await run(bytes, [['drop', spec]]);
  return report.blocks.filter((row) => row.action !== 'kept').map((row) => row.callId);
}

describe('preserveRecent', () => {
  it.each([
    [4, '0', 4],
    [4, '0%', 4],
    [4, '1', 3],
    [4, '3', 1],
    [4, '4', 0],
    [4, '9', 0],
    // A share is rounded up.
    [4, '50%', 2],
    [3, '50%', 1],
    [3, '33%', 2],
    [3, '34%', 1],
    [10, '70%', 3],
    [10, '71%', 2],
    [10, '12.5%', 8],
    [1, '1%', 0],
  ])(
    'of %i matching messages preserveRecent=%s leaves %i to take',
    async (all, preserve, taken) => {
      const expected = Array.from({ length: taken }, (_, index) => `t${index}`);
      for (const build of [claudeCode, strandsTs, openaiChat])
        expect(
          await droppedIds(build(turns(all)), `toolResults:preserveRecent=${preserve}`),
        ).toEqual(expected);
    },
  );

  it('counts messages, not blocks: parallel results are one message', async () => {
    const bytes = strandsTs([
      user('task'),
      call('a1', 'Bash'),
      call('a2', 'Bash'),
      result('a1', long('x')),
      result('a2', long('y')),
      assistant('so'),
      user('go on'),
      call('b1', 'Bash'),
      call('b2', 'Bash'),
      result('b1', long('z')),
      result('b2', long('w')),
      assistant('so'),
      user('last'),
    ]);
    expect(await droppedIds(bytes, 'toolResults:preserveRecent=1')).toEqual(['a1', 'a2']);
  });

  it('counts messages that match its own target only', async () => {
    const bytes = claudeCode([
      user('task'),
      call('b', 'Bash'),
      result('b', long('x')),
      call('r', 'Read'),
      result('r', long('y')),
      assistant('so'),
      user('last'),
    ]);
    expect(await droppedIds(bytes, 'tool::Bash:preserveRecent=1')).toEqual([]);
    expect(await droppedIds(bytes, 'toolResults:preserveRecent=1')).toEqual(['b']);
  });

  it('on * counts all messages, the head and the last one too', async () => {
    const bytes = claudeCode([
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      assistant(long('a3')),
      user(long('u4')),
      assistant(long('a5')),
      user('last'),
    ]);
    // 7 messages: 50% are 3.5, so the newest 4 stay.
    for (const preserve of ['4', '50%', '57%']) {
      const done = await run(bytes, [['drop', `*:preserveRecent=${preserve}`]]);
      expect(texts(done.bytes).map(unref)).toEqual([
        'task',
        '[Dropped: 2 messages, ~200 tokens] [ref: …]',
        long('a3'),
        long('u4'),
        long('a5'),
        'last',
      ]);
      expect(outcomes(done, 3)).toEqual(['kept preserve-recent']);
    }
  });

  it('with blockThreshold takes what is both old and large', async () => {
    const bytes = claudeCode([
      user('task'),
      assistant(filler(50, 'a1')),
      user(filler(500, 'u2')),
      assistant(filler(50, 'a3')),
      user(filler(500, 'u4')),
      assistant(filler(50, 'a5')),
      user('last'),
    ]);
    const done = await run(bytes, [['drop', '*:preserveRecent=3,blockThreshold=100']]);
    expect(done.report.blocks.map((row) => row.reason)).toEqual([
      'first-message',
      'below-block-threshold',
      'above-block-threshold',
      'below-block-threshold',
      'preserve-recent',
      'preserve-recent',
      'last-message',
    ]);
  });

  it.each(['media', 'userText', 'toolResults', 'assistantText', '*'])(
    '%s with a share: what was taken before still counts in its base',
    async (target) => {
      const picture = (mark: number) =>
        user([{ text: long(`p${mark}`) }, { image: png(750, 750, mark) }]);
      const rounds = [1, 2, 3, 4, 5, 6].flatMap((mark) => [
        picture(mark),
        call(`t${mark}`, 'Bash'),
        result(`t${mark}`, long(`r${mark}`)),
        assistant(long(`a${mark}`)),
      ]);
      const steps: Step[] = [['drop', `${target}:preserveRecent=50%`]];
      for (const build of [
        claudeCode,
        strandsTs,
        openaiChat,
        BUILDERS.anthropic,
        BUILDERS.converse,
      ]) {
        const done = await run(
          build([user('task'), assistant('hm'), ...rounds, user('last')]),
          steps,
        );
        expect(done.stash).not.toBeNull();
        expect((await again(done, steps)).bytes.equals(done.bytes)).toBe(true);
      }
    },
  );
});

describe('a gap marker inside a message', () => {
  it('does not make the message match', async () => {
    const bytes = strandsTs([
      user('task'),
      call('t', 'Bash'),
      result('t', 'ok'),
      assistant(long('a3')),
      user(long('u4')),
      assistant('a5'),
      user(long('u6')),
      assistant('a7'),
      user('last'),
    ]);
    const done = await run(bytes, [
      ['truncate', '*:preserveRecent=4,previewTokens=20,preview=head'],
    ]);
    expect(texts(done.bytes).map(unref)).toEqual([
      'task',
      '',
      'ok',
      '[... 2 messages elided ...] [ref: …]',
      'a5',
      long('u6'),
      'a7',
      'last',
    ]);
    // Three messages hold a user's text and two are gone: 20% of 5 protect the last one only.
    const more = await again(done, [['drop', 'userText:preserveRecent=20%']]);
    expect(texts(more.bytes).map(unref)[5]).toBe('[Dropped: ~100 tokens] [ref: …]');
  });
});
