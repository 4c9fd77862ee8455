import { describe, expect, it } from 'vitest';
import type { Summarizer } from '../../src/summarize/summarizer.ts';
import { actions, messagesOf, Session, tokensOf } from './build.ts';
import { ALLOWED, GOOD, helper, OPEN, run, session, step } from './helpers.ts';

/** A helper outside: permission, the cache, failures, several at once (masking and summary, sections 4.5 to 4.8). */

describe('transfer', () => {
  it('nothing is asked without permission: masking alone, and the report says so', async () => {
    const asked = helper(() => GOOD);
    const done = await run(asked, '', {});
    expect(asked.requests).toEqual([]);
    expect(actions(done)).toEqual(['masked']);
    expect(step(done.report)).toMatchObject({
      fallback: 'mask',
      helper: { invoked: false, calls: 0, bytesSent: 0, destination: 'nowhere' },
    });
    expect(done.report.warnings.map(({ code }) => code)).toEqual(['transfer-not-allowed']);
  });

  it('summarize takes the built-in summarizer instead', async () => {
    const asked = helper(() => 'never');
    const done = await session().compact([['summarize', 'toolResults:blockThreshold=100']], {
      summarizer: asked.summarizer,
    });
    expect(asked.requests).toEqual([]);
    expect(step(done.report)).toMatchObject({ fallback: 'extractive', helper: { invoked: false } });
  });

  it('a plan that is only shown asks nobody, and gives an upper bound of what is saved', async () => {
    const asked = helper(() => GOOD);
    const shown = await run(asked, '', { summaries: { allowTransfer: true, preview: true } });
    const done = await run(asked);
    expect(asked.requests).toHaveLength(1);
    expect(shown.report.tokens.saved).toBeGreaterThan(done.report.tokens.saved);
    expect(shown.report.warnings.map(({ code }) => code)).toContain('upper-bound');
  });
});

describe('the cache', () => {
  it('a second run over the same input asks nobody and is identical', async () => {
    const asked = helper(() => GOOD);
    const first = await run(asked);
    const again = await run(asked, '', { ...ALLOWED, stash: first.stash as Buffer });
    expect(asked.requests).toHaveLength(1);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(step(again.report).helper).toMatchObject({ calls: 0, cached: 1, bytesSent: 0 });
  });

  it('another model, another cap or other texts are asked for anew', async () => {
    const asked = helper(() => GOOD);
    const first = await run(asked);
    await run(asked, 'maxSummaryTokens=900', { ...ALLOWED, stash: first.stash as Buffer });
    const other: Summarizer = {
      ...asked.summarizer,
      external: { destination: 'nowhere', cacheKey: 'other', size: () => 1 },
    };
    await run({ ...asked, summarizer: other }, '', { ...ALLOWED, stash: first.stash as Buffer });
    expect(asked.requests).toHaveLength(3);
  });
});

describe('summarize with a helper', () => {
  const turns = () => {
    const made = new Session().user('Begin.');
    for (const at of [1, 2, 3])
      made.read(`${at}.ts`, tokensOf(900, `part${at}`)).says(`Part ${at}.`);
    return made;
  };

  it('asks for several at once and leaves alone what failed', async () => {
    let running = 0;
    let most = 0;
    const asked = helper(async ({ items }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      if (items[0]?.text.startsWith('part2') === true) throw new Error('quota\nexceeded');
      return 'Short.';
    });
    const done = await turns().compact([['summarize', 'toolResults:blockThreshold=100']], {
      summarizer: asked.summarizer,
      summaries: { allowTransfer: true, concurrency: 2 },
    });
    expect(most).toBe(2);
    expect(actions(done)).toEqual(['summarized', 'kept', 'summarized']);
    expect(done.report.blocks.filter(({ reason }) => reason === 'summary-failed')).toHaveLength(1);
    expect(step(done.report).helper).toMatchObject({ calls: 3, failed: 1 });
  });

  it('exit 7 when nothing could be summarized', async () => {
    const asked = helper(() => Promise.reject(new Error('no such model')));
    const failed = turns().compact([['summarize', 'toolResults:blockThreshold=100']], {
      summarizer: asked.summarizer,
      ...ALLOWED,
    });
    await expect(failed).rejects.toMatchObject({ exitCode: 7 });
    await expect(failed).rejects.toThrow(
      'nothing could be summarized: test:model on block 2: no such model (and 2 more)',
    );
  });

  it('an empty answer is a failure', async () => {
    const asked = helper(() => ' ');
    await expect(
      turns().compact([['summarize', 'toolResults:blockThreshold=100']], {
        summarizer: asked.summarizer,
        ...ALLOWED,
      }),
    ).rejects.toThrow('the answer is empty');
  });

  it('an interruption ends the run with exit 130', async () => {
    const stop = new AbortController();
    const asked = helper(({ signal }) => {
      stop.abort();
      return Promise.reject(signal?.reason as Error);
    });
    await expect(
      turns().compact([['summarize', 'toolResults:blockThreshold=100']], {
        summarizer: asked.summarizer,
        summaries: { allowTransfer: true, signal: stop.signal },
      }),
    ).rejects.toMatchObject({ exitCode: 130 });
  });
});

it('a packet holds the originals of what earlier runs masked, never their markers', async () => {
  const [large, small] = [tokensOf(3000, 'large'), tokensOf(600, 'small')];
  const batch = new Session()
    .user('Why?')
    .calls(
      { name: 'Read', input: { file_path: 'a.ts' }, result: large },
      { name: 'Read', input: { file_path: 'b.ts' }, result: small },
    )
    .says('Done.');
  const first = await batch.compact([['mask', `${OPEN},minObservationTokens=2000`]]);
  expect(actions(first)).toEqual(['masked', 'kept']);
  const next = new Session();
  next.messages.push(...(messagesOf(first) as Session['messages']));
  const asked = helper(() => GOOD);
  const second = await next.compact([['structured-summary', OPEN]], {
    summarizer: asked.summarizer,
    stash: first.stash as Buffer,
    ...ALLOWED,
  });
  expect(actions(second)).toEqual(['kept', 'masked']);
  const results = asked.requests[0]?.items.filter(({ kind }) => kind === 'toolResult');
  expect(results?.map((item) => item.text)).toEqual([large, small]);
});
