import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { useFolder } from '../support/cli.ts';
import { outcome } from './outcome.ts';

/** What a change does to a prompt cache, computed anew from the price list and the report's own tokens. */

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
    expect(turnsToPay).toBe(breakEven(warm));
  });

  it('a small change deep in front takes many requests to pay', async () => {
    const flags = ['--truncate', 'toolResults:previewTokens=850', '--to', '4'];
    const { report } = await outcome(asOf('claude-opus-4-1'), flags);
    expect(report.tokens.saved).toBeGreaterThan(0);
    const { warm, turnsToPay } = report.cache?.cost ?? {};
    expect(turnsToPay).toBeGreaterThan(100);
    expect(turnsToPay).toBe(breakEven(warm));
  });

  it('of a model that the list does not know the cost is null, the tokens are not', async () => {
    const { report } = await outcome(asOf('house-model-7'), RESULTS);
    expect(report.cache?.cost).toBeNull();
    expect(report.cache?.keptPrefix).toBe(prefixOf(report, 3));
    expect(report.cache?.invalidated).toBe(report.tokens.before - prefixOf(report, 3));
  });
});

/** Requests until those after the compaction have cost no more than as many before it. */
function breakEven(warm: { before: number; first: number; later: number } | undefined): number {
  const { before, first, later } = warm ?? { before: 0, first: 1, later: 0 };
  const isPaid = (turns: number) => first + (turns - 1) * later <= turns * before;
  return Array.from({ length: 10_000 }, (_, at) => at + 1).find(isPaid) ?? 0;
}

function flat(cost: object): number[] {
  return Object.values(cost).flatMap((part) => Object.values(part as Record<string, number>));
}
