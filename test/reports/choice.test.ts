import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, useFolder } from '../support/cli.ts';
import { compacted, FIXED, reportOf } from './support.ts';

useFolder();

/** Five results of different sizes, the largest in the middle, the live end behind them. */
function session(): Session {
  const made = new Session().user('Go.');
  for (const [at, size] of [600, 900, 5000, 900, 300].entries())
    made.read(`file-${at}`, tokensOf(size, `word${at}`));
  return made.says('Read.').user('And now?').says('Nothing.');
}

const taken = (blocks: readonly { readonly kind: string; readonly action: string }[]) =>
  blocks
    .filter(({ kind }) => kind === 'toolResult')
    .flatMap(({ action }, at) => (action === 'kept' ? [] : [at]));

describe('what leaves is chosen', () => {
  it.each([
    ['4000', [2]],
    ['2500', [1, 2]],
    ['1500', [1, 2, 3]],
    ['1', [0, 1, 2, 3, 4]],
  ])(
    'by size and age until the target of %s is met, wherever it stands (report 95)',
    async (target, expected) => {
      const steps = ['--drop', 'toolResults', '--target-tokens', target];
      const { report } = await compacted('s.json', session().bytes, steps);
      expect(taken(report.blocks)).toEqual(expected);
      expect(report.budget?.met).toBe(target !== '1');
      if (target !== '1') expect(report.tokens.after).toBeLessThanOrEqual(Number(target));
    },
  );

  it.each([
    [
      ['--from', '6'],
      [2, 3, 4],
    ],
    [
      ['--to', '6'],
      [0, 1, 2],
    ],
    [
      ['--from', '5', '--to', '8'],
      [2, 3],
    ],
    [
      ['--last', '6'],
      [3, 4],
    ],
    [['--only', 'tool::Bash'], []],
    [
      ['--protect', 'message:6'],
      [0, 1, 3, 4],
    ],
  ])('by a person: %s (report 98)', async (flags, expected) => {
    const { report } = await compacted('s.json', session().bytes, [
      '--drop',
      'toolResults',
      ...flags,
    ]);
    expect(taken(report.blocks)).toEqual(expected);
  });

  it.each(['lossless', 'lean', 'archive', 'agentic', 'staleToolCleanup', 'observation-masking'])(
    'as it was announced: explain and compact decide the same with %s (report 99)',
    async (preset) => {
      const file = put('s.json', session().bytes);
      const shown = reportOf(await ctx(['explain', file, '-p', preset, '--json', ...FIXED]));
      const { report } = await compacted('s.json', session().bytes, ['-p', preset]);
      expect(report.blocks).toEqual(shown.blocks);
      expect(report.tokens).toEqual(shown.tokens);
      expect(report.bytes).toEqual(shown.bytes);
    },
  );

  it('and can be declined, block by block, in a plan (report 99)', async () => {
    put('s.json', session().bytes);
    await ctx(['explain', 's.json', '--drop', 'toolResults', '--plan-out', 'plan.json', ...FIXED]);
    const plan = JSON.parse(readFileSync('plan.json', 'utf8')) as {
      entries: { kind: string; action: string }[];
    };
    const results = plan.entries.filter(({ kind }) => kind === 'toolResult');
    expect(results.map(({ action }) => action)).toEqual(Array.from({ length: 5 }, () => 'dropped'));
    for (const at of [0, 2]) (results[at] as { action: string }).action = 'kept';
    writeFileSync('plan.json', JSON.stringify(plan));
    const { report } = await compacted('s.json', session().bytes, ['--plan', 'plan.json']);
    expect(taken(report.blocks)).toEqual([1, 3, 4]);
  });
});
