import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, names, put, useFolder } from '../support/cli.ts';
import { outcome } from './outcome.ts';

/** The least saving that makes a run worth it. */

useFolder();

const RESULTS = ['--drop', 'toolResults'];
const session = () =>
  new Session()
    .user('Go.')
    .says(tokensOf(700, 'long'))
    .read('a', tokensOf(900, 'a'))
    .says('So far.')
    .read('b', tokensOf(2000, 'b'))
    .says('Done.')
    .user('And?')
    .says('Nothing.');
describe('--min-savings', () => {
  it('acts at the very number and refuses one token more', async () => {
    const { saved } = (await outcome(session(), [...RESULTS, '-o', 'all.json'])).report.tokens;
    expect(saved).toBeGreaterThan(2000);
    const enough = await outcome(session(), [...RESULTS, '--min-savings', `${saved}`]);
    expect([enough.taken, enough.report.tokens.saved]).toEqual([['r1', 'r2'], saved]);
  });

  it('with less to save nothing is done, and the report says so', async () => {
    const { saved, before } = (await outcome(session(), [...RESULTS, '-o', 'all.json'])).report
      .tokens;
    const done = await outcome(session(), [...RESULTS, '--min-savings', `${saved + 1}`]);
    const { report } = done;
    expect([done.ran.code, done.taken, report.output, report.stash]).toEqual([0, [], null, null]);
    expect(existsSync('s.compact.json')).toBe(false);
    expect(report.tokens).toMatchObject({ before, after: before, saved: 0 });
    expect(report.blocks.every(({ action }) => action === 'kept')).toBe(true);
    expect([report.cache, report.budget]).toEqual([null, null]);
    expect(report.warnings).toContainEqual({
      code: 'min-savings',
      text: expect.stringMatching(/^the plan would save [\d,]+ tokens, less than --min-savings /),
    });
  });

  it.each([
    ['3k', false],
    ['2k', true],
    ['0', true],
    ['2,000', true],
  ])('%s', async (least, acts) => {
    const done = await outcome(session(), [...RESULTS, '--min-savings', least]);
    expect(done.taken).toEqual(acts ? ['r1', 'r2'] : []);
  });

  it('the whole plan counts, not each step', async () => {
    const steps = ['--drop', 'tool::Read:preserveRecent=1', ...RESULTS];
    const done = await outcome(session(), [...steps, '--min-savings', '2500']);
    expect(done.taken).toEqual(['r1', 'r2']);
    expect(done.report.strategies.map(({ saved }) => saved < 2500)).toEqual([true, true]);
  });

  it.each(['x', '-1', '', '50%', '1e3'])('%j is refused', async (least) => {
    put('s.json', session().bytes);
    const ran = await ctx(['compact', 's.json', ...RESULTS, `--min-savings=${least}`]);
    expect([ran.code, ran.out, names()]).toEqual([2, '', ['s.json']]);
    expect(errorLine(ran)).toContain('--min-savings');
  });
});
