import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, useFolder } from '../support/cli.ts';
import { resultText } from '../support/read.ts';
import { compacted, type Done, FIXED, reportOf } from './support.ts';

useFolder();

/** Tokens of the results in order: two are equally large, the oldest is small, the newest the largest. */
const SIZES = [400, 3000, 900, 3000, 1500, 2000, 5000] as const;
const TEXTS = SIZES.map((size, at) => tokensOf(size, `value_${at + 1}`));

function session(): Session {
  const made = new Session().user('Read the seven files.');
  for (const [at, text] of TEXTS.entries()) made.read(`${at + 1}.ts`, text);
  return made.says('Done.').user('And now?').says('Nothing.');
}

/** Results, numbered from 1, that are not what they were. */
function changed({ bytes }: Done): number[] {
  return TEXTS.flatMap((text, at) =>
    resultText(bytes, `call_${at + 1}`) === text ? [] : [at + 1],
  );
}

/** What the written file has by a run of its own. */
async function measured(): Promise<number> {
  return reportOf(await ctx(['explain', 'out-s.json', '--json', ...FIXED])).tokens.before;
}

async function tokensBefore(): Promise<number> {
  return (await compacted('s.json', session().bytes, ['--dedupe'])).report.tokens.before;
}

describe('--target-tokens takes the largest first, of equal ones the oldest, and no more than needed', () => {
  it.each([
    [0, []],
    [1, [7]],
    [4900, [7]],
    [5100, [2, 7]],
    [7900, [2, 7]],
    [8100, [2, 4, 7]],
    [11_100, [2, 4, 6, 7]],
    [13_000, [2, 4, 5, 6, 7]],
    [14_500, [2, 3, 4, 5, 6, 7]],
    [15_500, [1, 2, 3, 4, 5, 6, 7]],
  ])('%i tokens fewer: results %j (report 95)', async (fewer, expected) => {
    const target = (await tokensBefore()) - fewer;
    const argv = ['--drop', 'toolResults', '--target-tokens', String(target)];
    const done = await compacted('s.json', session().bytes, argv);
    expect(changed(done)).toEqual(expected);
    expect(done.report.budget).toEqual({ target, met: true });
    expect(await measured()).toBe(done.report.tokens.after);
    expect(done.report.tokens.after).toBeLessThanOrEqual(target);
  });
});

it('what preserveRecent keeps is never cut, however large: older ones are (report 95)', async () => {
  const target = (await tokensBefore()) - 4000;
  const argv = ['--drop', 'toolResults:preserveRecent=2', '--target-tokens', String(target)];
  expect(changed(await compacted('s.json', session().bytes, argv))).toEqual([2, 4]);
});

/** Previews of 1,000 tokens save the most first; then drop goes on with what is too small for one. */
describe('goes on with the next step until the target is met', () => {
  it.each([
    [3000, ['kept', 'kept', 'kept', 'kept', 'kept', 'kept', 'truncated']],
    [7000, ['kept', 'truncated', 'kept', 'truncated', 'kept', 'kept', 'truncated']],
    [9800, ['kept', 'truncated', 'dropped', 'truncated', 'truncated', 'truncated', 'truncated']],
    [
      10_500,
      ['dropped', 'truncated', 'dropped', 'truncated', 'truncated', 'truncated', 'truncated'],
    ],
  ])('%i tokens fewer (report 95)', async (fewer, expected) => {
    const target = (await tokensBefore()) - fewer;
    const steps = ['--drop', 'toolResults', '--truncate', 'toolResults:previewTokens=1000'];
    const argv = [...steps, '--target-tokens', String(target)];
    const done = await compacted('s.json', session().bytes, argv);
    const results = done.report.blocks.filter(({ kind }) => kind === 'toolResult');
    expect(results.map(({ action }) => action)).toEqual(expected);
    expect(await measured()).toBeLessThanOrEqual(target);
  });
});

it.each([
  ['50%', 0.5],
  ['25%', 0.25],
])('%s is a share of what the messages have (report 95)', async (share, part) => {
  const before = await tokensBefore();
  const argv = ['--drop', 'toolResults', '--target-tokens', share];
  const done = await compacted('s.json', session().bytes, argv);
  expect(done.report.budget).toEqual({ target: Math.floor(before * part), met: true });
  expect(await measured()).toBeLessThanOrEqual(before * part);
  const again = await ctx(['compact', 'out-s.json', '--json', ...FIXED, ...argv]);
  expect(reportOf(again).tokens.saved).toBe(0);
});

it('a target that can not be met takes all that is eligible, says so, and --fail-if-over fails (report 95)', async () => {
  const argv = ['--drop', 'toolResults:preserveRecent=1', '--target-tokens', '1000'];
  const done = await compacted('s.json', session().bytes, argv);
  expect(changed(done)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(done.report.budget).toEqual({ target: 1000, met: false });
  expect(done.report.warnings.map(({ code }) => code)).toContain('target-missed');
  const ran = await ctx(['explain', 's.json', ...argv, '--fail-if-over', '1000', ...FIXED]);
  expect(ran.code).toBe(1);
});
