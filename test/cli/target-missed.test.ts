import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { ctx, errorLine, names, put, shaOf, useFolder } from '../support/cli.ts';
import { outcome, fiveReads as session } from './outcome.ts';

/** Targets that can't be met, that are met already, and that are none. */

useFolder();

const FAST = ['--counter', 'heuristic'];
const RESULTS = ['--drop', 'toolResults:preserveRecent=0'];

describe('what is protected', () => {
  it('is never cut to reach a target; --fail-if-over decides the exit code', async () => {
    const flags = [...RESULTS, '--protect', 'file:?', '--target-tokens', '1000'];
    const only = [...flags, '--protect', 'message:4'];
    const missed = await outcome(session(), only);
    expect([missed.ran.code, missed.taken]).toEqual([0, []]);
    expect(missed.report.budget).toEqual({ target: 1000, met: false });
    expect(codes(missed.report)).toContain('target-missed');
    const failed = await outcome(session(), [...only, '--fail-if-over', '1000']);
    expect(failed.ran.code).toBe(1);
    expect(errorLine(failed.ran)).toContain('over the limit of 1,000');
    const fits = await outcome(session(), [
      ...RESULTS,
      '--target-tokens=1000',
      '--fail-if-over=1k',
    ]);
    expect([fits.ran.code, fits.report.budget?.met]).toEqual([0, true]);
    expect(codes(fits.report)).not.toContain('target-missed');
  });
});

it.each(['2400', '50%', '1%'])('a second run to %s finds nothing', async (target) => {
  const flags = [...RESULTS, '--drop', '*:preserveRecent=2', '--target-tokens', target, ...FAST];
  put('s.json', session().bytes);
  await ctx(['compact', 's.json', ...flags]);
  const ran = await ctx(['compact', 's.compact.json', ...flags, '--json', '-o', 'again.json']);
  expect((JSON.parse(ran.out) as Report).blocks.filter(({ action }) => action !== 'kept')).toEqual(
    [],
  );
  expect(shaOf('again.json')).toBe(shaOf('s.compact.json'));
});

it.each(['x', '-5', '', '10%%', '1e3', '%', 'NaN'])('%j is no target', async (target) => {
  put('s.json', session().bytes);
  const ran = await ctx(['compact', 's.json', ...RESULTS, `--target-tokens=${target}`]);
  expect([ran.code, ran.out, names()]).toEqual([2, '', ['s.json']]);
  expect(errorLine(ran)).toContain('not a number of tokens');
});

function codes({ warnings }: Report): string[] {
  return warnings.map(({ code }) => code);
}
