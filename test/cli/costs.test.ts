import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import type { CacheReport } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, type JsonReport, put, useFolder } from '../support/cli.ts';

useFolder();

const MODEL = 'claude-sonnet-4-5';

async function costs(
  model: string | undefined,
  ...steps: readonly string[]
): Promise<{ report: JsonReport; cache: CacheReport | null }> {
  const session = new Session()
    .user('Go.')
    .read('a', tokensOf(300, 'first'))
    .read('b', tokensOf(5000, 'second'))
    .read('c', tokensOf(700, 'third'))
    .says('Done.');
  const body = { ...(model === undefined ? {} : { model }), messages: session.messages };
  const file = put('session.json', JSON.stringify(body));
  const ran = await ctx(['explain', file, '--json', ...steps]);
  const read = JSON.parse(ran.out) as JsonReport & { cache: CacheReport | null };
  return { report: read, cache: read.cache };
}

/** Dollars of one request by the price list alone. */
function price(cached: number, written: number, plain = 0): number {
  const usage = {
    input_tokens: cached + written + plain,
    cache_read_tokens: cached,
    cache_write_tokens: written,
  };
  return calcPrice(usage, MODEL)?.total_price ?? Number.NaN;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe('what a plan does to a cache', () => {
  it('says from which message on the sent text changes, and what that costs', async () => {
    const { report, cache } = await costs(MODEL, '--drop', 'toolResults:blockThreshold=1000');
    const rows = report.blocks as readonly (JsonReport['blocks'][number] & {
      message: number;
      tokensBefore: number;
    })[];
    const { before, after } = report.tokens;
    const prefix = sum(
      rows.filter(({ message }) => message < 4).map(({ tokensBefore }) => tokensBefore),
    );
    expect(rows.filter(({ action }) => action === 'dropped').map(({ message }) => message)).toEqual(
      [4],
    );
    const later = price(after, 0);
    const first = price(prefix, after - prefix);
    expect(cache).toEqual({
      firstChangedMessage: 4,
      keptPrefix: prefix,
      invalidated: before - prefix,
      cost: {
        warm: { before: price(before, 0), first, later },
        cold: { before: price(0, 0, before), after: price(0, 0, after) },
        turnsToPay: Math.max(1, Math.ceil((first - later) / (price(before, 0) - later))),
      },
    });
  });

  it('knows no price of a model that the list does not have: null, and not 0', async () => {
    for (const model of ['a-model-of-our-own', undefined]) {
      const { cache } = await costs(model, '--drop', 'toolResults:blockThreshold=1000');
      expect(cache).toMatchObject({ firstChangedMessage: 4, cost: null });
    }
  });

  it('has nothing to say when nothing changes', async () => {
    const { cache } = await costs(MODEL, '--drop', 'toolResults:blockThreshold=100000');
    expect(cache).toBeNull();
  });

  it('leaves the prefix alone that --keep-prefix names', async () => {
    const all = await costs(MODEL, '--drop', 'toolResults:blockThreshold=100');
    expect(all.cache?.firstChangedMessage).toBe(2);
    const { cache } = await costs(
      MODEL,
      '--drop',
      'toolResults:blockThreshold=100',
      '--keep-prefix',
      '2',
    );
    expect(cache?.firstChangedMessage).toBe(4);
  });
});
