import { describe, expect, it } from 'vitest';
import type { Session } from '../masking/build.ts';
import { useFolder } from '../support/cli.ts';
import { edited, session } from './rounds.ts';
import { compacted } from './support.ts';

useFolder();

describe('parts of a session', () => {
  it.each<readonly [string, readonly number[]]>([
    ['', [2, 5, 8, 11, 14, 17, 20, 23]],
    ['--from 8', [8, 11, 14, 17, 20, 23]],
    ['--to 8', [2, 5, 8]],
    ['--from 5 --to 14', [5, 8, 11, 14]],
    ['--from 6 --to 7', []],
    ['--last 7', [20, 23]],
    ['--last 6 --to 22', []],
    ['--keep-prefix 14', [17, 20, 23]],
    ['--only tool::Bash', [5, 11, 17, 23]],
    ['--only tool::Read --from 5', [8, 14, 20]],
    ['--only !tool::Bash --last 12', [20]],
    ['--only userText', []],
    ['--protect message:5-14', [2, 17, 20, 23]],
  ])(
    'drop of results with %j changes the messages %j alone (report 98)',
    async (flags, expected) => {
      const input = session();
      const argv = ['--drop', 'toolResults', ...flags.split(' ').filter((flag) => flag !== '')];
      const done = await compacted('s.json', input.bytes, argv);
      expect(edited(input, done.text)).toEqual(expected);
    },
  );

  it.each([1, 2, 3, 8])('the newest %i results stay verbatim (report 98)', async (newest) => {
    const input = session();
    const spec = `toolResults:preserveRecent=${newest}`;
    const done = await compacted('s.json', input.bytes, ['--drop', spec]);
    expect(edited(input, done.text)).toEqual([2, 5, 8, 11, 14, 17, 20, 23].slice(0, 8 - newest));
  });

  it('a span of whole messages leaves, and all around it stays byte for byte (report 98)', async () => {
    const input = session();
    const argv = ['--drop', '*:preserveRecent=1', '--from', '4', '--to', '12'];
    const done = await compacted('s.json', input.bytes, argv);
    const sent = (messages: readonly unknown[]) => messages.map((one) => JSON.stringify(one));
    const before = sent(input.messages);
    expect(done.text).toContain(before.slice(0, 4).join(','));
    expect(done.text.endsWith(`${before.slice(13).join(',')}]}`)).toBe(true);
    const after = sent((JSON.parse(done.text) as Session).messages);
    expect(after).toHaveLength(before.length - 9 + 1);
    expect(after[4]).toContain('[Dropped: 9 messages, ');
  });
});
