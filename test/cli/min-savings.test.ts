import { existsSync } from 'node:fs';
import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, names, put, useFolder } from '../support/cli.ts';
import { outcome } from './outcome.ts';

/** Whether a run is worth it: the least saving, and what the change does to a prompt cache. */

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
/** The session as another model's, with a system prompt. */
const asOf = (model: string) => {
  const document = JSON.parse(session().bytes.toString('utf8')) as object;
  const system = tokensOf(500, 'system');
  return { bytes: Buffer.from(JSON.stringify({ ...document, model, system })) };
};

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

/** US dollars by the price list, from tokens read from a cache, written to one, and sent without one. */
function price(model: string, cached: number, written: number, plain: number): number {
  const found = calcPrice(
    {
      input_tokens: cached + written + plain,
      cache_read_tokens: cached,
      cache_write_tokens: written,
    },
    model,
  );
  if (found === null) throw new Error(`no price for ${model}`);
  return found.total_price;
}

/** Tokens before a message, from the rows and the overhead. */
function prefixOf({ blocks, tokens }: Report, message: number): number {
  const rows = blocks.filter((row) => row.live && (row.message ?? 0) < message);
  return rows.reduce((sum, row) => sum + row.tokensBefore, tokens.overhead);
}

describe('what a change does to a prompt cache', () => {
  it.each([
    ['claude-sonnet-4-5', [], 3],
    ['claude-sonnet-4-5', ['--keep-prefix', '3'], 6],
    ['claude-opus-4-1', ['--only', 'assistantText'], null],
    ['gpt-4o', [], 3],
    ['gemini-2.5-pro', ['--last', '5'], 6],
  ])('%s %j', async (model, flags, first) => {
    const { report } = await outcome(asOf(model), [...RESULTS, ...flags]);
    const { cache, tokens } = report;
    if (first === null) return expect(cache).toBeNull();
    const prefix = prefixOf(report, first);
    const { before, after } = tokens;
    const warm = {
      before: price(model, before, 0, 0),
      first: price(model, prefix, after - prefix, 0),
      later: price(model, after, 0, 0),
    };
    const cold = { before: price(model, 0, 0, before), after: price(model, 0, 0, after) };
    expect(cache).toMatchObject({
      firstChangedMessage: first,
      keptPrefix: prefix,
      invalidated: before - prefix,
    });
    const { turnsToPay, ...cost } = cache?.cost ?? {};
    expect(flat(cost)).toEqual(flat({ warm, cold }).map((value) => expect.closeTo(value, 12)));
    const spent = (turns: number) => warm.first + (turns - 1) * warm.later;
    const paid = (turns: number) => spent(turns) <= turns * warm.before + 1e-12;
    let turns = 1;
    while (!paid(turns)) turns += 1;
    expect(turnsToPay).toBe(turns);
  });

  it('a small change deep in front takes many requests to pay', async () => {
    const flags = ['--truncate', 'toolResults:previewTokens=850', '--to', '4'];
    const { report } = await outcome(asOf('claude-opus-4-1'), flags);
    expect(report.tokens.saved).toBeGreaterThan(0);
    expect(report.cache?.cost?.turnsToPay).toBeGreaterThan(100);
  });

  it('of a model that the list does not know the cost is null, the tokens are not', async () => {
    const { report } = await outcome(asOf('house-model-7'), RESULTS);
    expect(report.cache?.cost).toBeNull();
    expect(report.cache?.keptPrefix).toBe(prefixOf(report, 3));
    expect(report.cache?.invalidated).toBe(report.tokens.before - prefixOf(report, 3));
  });
});

function flat(cost: object): number[] {
  return Object.values(cost).flatMap((part) => Object.values(part as Record<string, number>));
}
