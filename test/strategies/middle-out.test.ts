import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/index.ts';
import { orphans, texts } from '../support/read.ts';
import { again, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  result,
  type Turn,
  user,
} from '../support/transcripts.ts';

const named = (name: string) => filler(100, name);
/** Ten eligible messages of 100 tokens between the head and the last message. */
const TEN: readonly Turn[] = [
  user('task'),
  ...Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? assistant(named(`m${index}`)) : user(named(`m${index}`)),
  ),
  assistant('end'),
  user('last'),
];

/** Names of the messages that stayed, the marker in its place. */
async function kept(spec: string): Promise<string[]> {
  const done = await run(claudeCode(TEN), [['truncate', `*:preserveRecent=2,${spec}`]]);
  return texts(done.bytes).map((text) =>
    text.startsWith('[') ? unref(text) : (text.split(' ')[0] ?? ''),
  );
}

describe('truncate * elides the middle', () => {
  it.each([
    // 60% of the budget at the front, the rest at the back.
    ['previewTokens=500', ['m0', 'm1', 'm2', '[... 5 messages elided ...] [ref: …]', 'm8', 'm9']],
    [
      'previewTokens=500,preview=headTail',
      ['m0', 'm1', 'm2', '[... 5 messages elided ...] [ref: …]', 'm8', 'm9'],
    ],
    ['previewTokens=300,preview=head', ['m0', 'm1', 'm2', '[... 7 messages elided ...] [ref: …]']],
    ['previewTokens=300,preview=tail', ['[... 7 messages elided ...] [ref: …]', 'm7', 'm8', 'm9']],
    // Whole messages only: 299 tokens hold two.
    ['previewTokens=299,preview=head', ['m0', 'm1', '[... 8 messages elided ...] [ref: …]']],
    ['previewTokens=0', ['[... 10 messages elided ...] [ref: …]']],
    // Everything fits: nothing to do.
    ['previewTokens=1000', ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9']],
  ])('%s', async (spec, middle) => {
    expect(await kept(spec)).toEqual(['task', ...middle, 'end', 'last']);
  });

  it('the default budget is 1,000 tokens', async () => {
    const done = await run(claudeCode(TEN), [['truncate', '*:preserveRecent=2']]);
    expect(done.stash).toBeNull();
  });

  it.each([100, 200, 300, 400, 500, 600, 700, 800, 900, 1100, 1300])(
    'a pair is never divided, whatever the budget: %i',
    async (budget) => {
      const pairs = [0, 1, 2, 3, 4].flatMap((index) => [
        call(`t${index}`, 'Bash', { command: filler(30 + index * 17, 'c') }),
        result(`t${index}`, filler(200 - index * 23, `r${index}`)),
        assistant(named(`a${index}`)),
        user(named(`u${index}`)),
      ]);
      for (const build of Object.values(BUILDERS))
        for (const preview of ['head', 'tail', 'headTail']) {
          const spec = `*:preserveRecent=2,previewTokens=${budget},preview=${preview}`;
          const steps: Step[] = [['truncate', spec]];
          const done = await run(
            build([user('task'), ...pairs, assistant('end'), user('last')]),
            steps,
          );
          expect(orphans(done.bytes)).toEqual([]);
          const markers = texts(done.bytes).filter((text) =>
            /^\[\.\.\. \d+ messages? elided/.test(text),
          );
          expect(markers).toHaveLength(1);
          // What stayed of the eligible messages is within the budget.
          const stayed = done.report.blocks.filter((row) => row.action === 'kept');
          const eligible = stayed.filter(
            (row) =>
              ![
                'first-message',
                'last-message',
                'preserve-recent',
                'role-order',
                'group-protected',
              ].includes(row.reason),
          );
          expect(eligible.reduce((sum, row) => sum + row.tokensAfter, 0)).toBeLessThanOrEqual(
            budget,
          );
          expect((await again(done, steps)).bytes.equals(done.bytes)).toBe(true);
        }
    },
  );

  it('with a blockThreshold removes nothing: it shortens large messages where they are', async () => {
    const bytes = claudeCode([
      user(filler(900, 'head')),
      assistant(filler(900, 'a1')),
      user(filler(300, 'u2')),
      call('t', 'Bash'),
      result('t', filler(900, 'r')),
      assistant('so'),
      user(filler(900, 'last')),
    ]);
    const steps: Step[] = [['truncate', '*:blockThreshold=500,previewTokens=100']];
    const done = await run(bytes, steps);
    expect(done.report.blocks.map((row) => row.action)).toEqual([
      'kept',
      'truncated',
      'kept',
      'kept',
      'truncated',
      'kept',
      'kept',
    ]);
    expect(texts(done.bytes)).toHaveLength(7);
    expect((await again(done, steps)).bytes.equals(done.bytes)).toBe(true);
  });

  it('with a blockThreshold works where messages can not be removed', async () => {
    const bytes = BUILDERS.converse([
      user('task'),
      call('t', 'Bash'),
      result('t', filler(900, 'r')),
      assistant('so'),
      user('last'),
    ]);
    const done = await run(bytes, [['truncate', '*:blockThreshold=500,previewTokens=100']]);
    expect(texts(done.bytes)[2]).toMatch(/^\[Truncated: 1 block, ~900 tokens\]/);
  });
});
