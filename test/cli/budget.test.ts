import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, type Ran, report, useFolder } from '../support/cli.ts';

useFolder();

const LARGEST = 4000;
const SIZES = [1000, LARGEST, 2000, 2000, 500];
const LEAST = ['--counter', 'heuristic', '--json', '--dry-run'];
const DROP = ['--drop', 'toolResults:blockThreshold=100'];

/** Results of these sizes, in this order, and an end that is protected. */
function session(sizes: readonly number[] = SIZES): string {
  const made = new Session().user('Go.');
  for (const [at, size] of sizes.entries()) made.read(`file-${at}`, tokensOf(size, `word${at}`));
  made.says('Done.').user('And now?').says('Nothing.');
  return put('session.json', made.bytes);
}

/** Places of the results that leave, in order. */
function taken(ran: Ran): number[] {
  const results = report(ran).blocks.filter(({ kind }) => kind === 'toolResult');
  return results.flatMap(({ action }, at) => (action === 'kept' ? [] : [at]));
}

async function budgetOf(target: string, ...more: readonly string[]): Promise<Ran> {
  return ctx(['compact', session(), '--target-tokens', target, ...DROP, ...LEAST, ...more]);
}

describe('--target-tokens', () => {
  // 9,500 tokens of results and fewer than 150 of everything else; a marker is some 15 tokens.
  it.each([
    ['20000', []],
    ['9000', [1]],
    ['6000', [1]],
    ['4000', [1, 2]],
    ['2000', [1, 2, 3]],
    ['1000', [0, 1, 2, 3]],
    ['60%', [1]],
    ['20%', [1, 2, 3]],
  ])(
    '%s takes the largest first, of equal ones the oldest, and no more than that',
    async (target, expected) => {
      const ran = await budgetOf(target);
      expect(taken(ran)).toEqual(expected);
      const { budget, tokens, warnings } = JSON.parse(ran.out) as {
        budget: { target: number; met: boolean };
        tokens: { before: number; after: number };
        warnings: { code: string }[];
      };
      const share = /^(\d+)%$/.exec(target);
      const asked =
        share === null ? Number(target) : Math.floor((Number(share[1]) / 100) * tokens.before);
      expect(budget).toEqual({ target: asked, met: true });
      expect(tokens.after).toBeLessThanOrEqual(asked);
      expect(warnings.map(({ code }) => code)).not.toContain('target-missed');
    },
  );

  it('takes what is least destructive first, whatever the order of the steps', async () => {
    const made = new Session().user('Go.');
    made
      .read('a', tokensOf(3000, 'same'))
      .read('b', tokensOf(3000, 'same'))
      .read('c', tokensOf(5000, 'other'));
    const file = put('session.json', made.says('Done.').bytes);
    const ran = await ctx([
      'compact',
      file,
      ...DROP,
      '--dedupe',
      '--target-tokens',
      '9000',
      ...LEAST,
    ]);
    const actions = report(ran).blocks.filter(({ kind }) => kind === 'toolResult');
    expect(actions.map(({ action }) => action)).toEqual(['deduplicated', 'kept', 'kept']);
  });

  it('says what is missing and fails where that is asked for, and cuts nothing that is protected', async () => {
    const protecting = ['--protect', 'message:4', '--fail-if-over', '3000'];
    const ran = await budgetOf('3000', ...protecting);
    expect(taken(ran)).toEqual([0, 2, 3, 4]);
    expect(report(ran).warnings.map(({ code }) => code)).toContain('target-missed');
    expect(ran.code).toBe(1);
    expect((await budgetOf('3000')).code).toBe(0);
  });

  it('finds nothing to do in its own output', async () => {
    const first = await ctx([
      'compact',
      session(),
      '--target-tokens',
      '50%',
      ...DROP,
      '--counter',
      'heuristic',
      '--json',
    ]);
    expect(taken(first)).toEqual([1, 2]);
    const again = await ctx([
      'compact',
      'session.compact.json',
      '--target-tokens',
      '50%',
      ...DROP,
      '--json',
    ]);
    expect(report(again).tokens.saved).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ output: null, budget: { met: true } });
  });

  it.each(['', '-1', 'many', '10x', '1.5.2'])('refuses %j in one line', async (target) => {
    const ran = await budgetOf(target);
    expect(ran.code).toBe(2);
    expect(ran.err.split('\n')[0]).toMatch(/^ctx: --target-tokens/);
  });
});

describe('--min-savings', () => {
  it('does nothing below the saving, and everything from it on', async () => {
    const file = session();
    const whole = report(await ctx(['compact', file, ...DROP, ...LEAST]));
    const { saved } = whole.tokens;
    const at = (least: number) =>
      ctx(['compact', file, ...DROP, ...LEAST, '--min-savings', String(least)]);
    expect(taken(await at(saved))).toEqual([0, 1, 2, 3, 4]);
    const refused = await at(saved + 1);
    expect(taken(refused)).toEqual([]);
    expect(refused.code).toBe(0);
    expect(report(refused).warnings.map(({ code }) => code)).toContain('min-savings');
  });
});
