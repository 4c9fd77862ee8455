import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { tokensOf } from '../masking/build.ts';
import { useFolder } from '../support/cli.ts';
import { outcome, rowOf, fiveReads as session } from './outcome.ts';

/** A budget: which steps run, which blocks they take, and where they stop. */

useFolder();

const RESULTS = ['--drop', 'toolResults:preserveRecent=0'];
/** What dropping each result leaves of it, measured by dropping all. */
const savings = async () => {
  const all = await outcome(session(), RESULTS);
  return ['r1', 'r2', 'r3', 'r4', 'r5'].map((name) => {
    const { tokensBefore, tokensAfter } = rowOf(all, name);
    return tokensBefore - tokensAfter;
  });
};

describe('--target-tokens', () => {
  /** The results in the order in which they go: the largest savings first, of equal ones the oldest. */
  const ORDER = ['r2', 'r3', 'r5', 'r4', 'r1'];
  it.each([0, 1, 2, 3, 4, 5])('takes %i results and not one more', async (count) => {
    const each = await savings();
    const { before } = (await outcome(session(), RESULTS)).report.tokens;
    const going = ORDER.slice(0, count);
    const after = before - sum(going.map((name) => each[Number(name.slice(1)) - 1] ?? 0));
    for (const target of count === 0 ? [after, after + 1000] : [after]) {
      const done = await outcome(session(), [...RESULTS, '--target-tokens', String(target)]);
      expect(done.taken).toEqual(going.toSorted());
      expect(done.report.tokens.after).toBe(after);
      expect(done.report.budget).toEqual({ target, met: true });
      expect(codes(done.report)).not.toContain('target-missed');
    }
    const tight = await outcome(session(), [...RESULTS, '--target-tokens', String(after - 1)]);
    expect(tight.taken).toEqual(ORDER.slice(0, count + 1).toSorted());
    expect(tight.report.budget?.met).toBe(count < 5);
  });

  it('a share is one of the message tokens, and the system prompt comes on top', async () => {
    const document = JSON.parse(session().bytes.toString('utf8')) as object;
    const bytes = Buffer.from(JSON.stringify({ ...document, system: tokensOf(1000, 'system') }));
    const plain = await outcome(session(), [...RESULTS, '--target-tokens', '60%']);
    const messages = plain.report.tokens.before;
    expect(plain.report.budget?.target).toBe(Math.floor(messages * 0.6));
    const more = await outcome({ bytes }, [...RESULTS, '--target-tokens', '60%']);
    expect(more.report.tokens.before).toBe(messages + 1000);
    expect(more.report.budget?.target).toBe(1000 + Math.floor(messages * 0.6));
    expect(more.taken).toEqual(plain.taken);
    const count = await outcome({ bytes }, [...RESULTS, '--target-tokens', '2k']);
    expect(count.report.budget?.target).toBe(2000);
  });

  const STEPS = [
    ['--drop', '*:preserveRecent=1'],
    ['--drop', 'assistantText:preserveRecent=0'],
    ['--truncate', 'toolResults:previewTokens=50'],
    ['--mask', 'preserveRecentTurns=0,preserveRecentMessages=0'],
    ['--dedupe'],
  ];
  it.each([
    [2400, { r2: 'deduplicated' }],
    [1900, { r2: 'deduplicated', r3: 'masked' }],
    [1300, { r1: 'masked', r2: 'deduplicated', r3: 'masked', r4: 'masked' }],
    [700, { r1: 'masked', r2: 'deduplicated', r3: 'masked', r4: 'masked', t11: 'dropped' }],
  ])('the mildest steps first, whatever their order: %i', async (target, expected) => {
    for (const steps of [STEPS, STEPS.toReversed(), [...STEPS.slice(2), ...STEPS.slice(0, 2)]]) {
      const done = await outcome(session(), [...steps.flat(), '--target-tokens', `${target}`]);
      const rows = Object.keys(expected).map((name) => [name, rowOf(done, name).action]);
      expect(Object.fromEntries(rows)).toEqual(expected);
      expect(done.taken).toEqual(Object.keys(expected));
      expect(done.report.strategies.map(({ name }) => name.split(' ')[0])).toEqual([
        'dedupe',
        'mask',
        'truncate',
        'drop',
        'drop',
      ]);
    }
  });

  it.each([
    [2854, ''],
    [2400, 't11'],
    [2000, 'c2 r2 t11'],
    [1500, 'c2 r2 c3 r3 t11'],
    [0, 'c1 r1 c2 r2 c3 r3 c4 r4 c5 r5 t11 t12'],
  ])('of a message step too only the largest groups: %i', async (target, taken) => {
    const steps = ['--drop', '*:preserveRecent=1', '--target-tokens', `${target}`];
    const done = await outcome(session(), steps);
    expect(done.taken.join(' ')).toBe(taken);
    expect(done.report.budget).toEqual({ target, met: target > 0 });
    expect(done.report.tokens.after <= target).toBe(target > 0);
  });

  it('takes the place of the condition that says when to act', async () => {
    const steps = ['--drop', 'toolResults:contextUtilization=90%'];
    expect((await outcome(session(), steps)).taken).toEqual([]);
    expect((await outcome(session(), [...steps, '--target-tokens', '2400'])).taken).toEqual(['r2']);
  });
});

function codes({ warnings }: Report): string[] {
  return warnings.map(({ code }) => code);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
