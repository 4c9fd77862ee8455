import { describe, expect, it } from 'vitest';
import { actions, Session, tokensOf } from './build.ts';
import { ALLOWED, answer, GOOD, helper, OPEN, run, session, step } from './helpers.ts';

/** Acceptance checks 13 and 14: what a summary must be, and what happens when it is not. */

describe('13: an answer that breaks the schema', () => {
  it('falls back to masking, and says that the helper was asked once', async () => {
    const asked = helper(() => answer());
    const done = await run(asked);
    expect(asked.requests).toHaveLength(1);
    expect(actions(done)).toEqual(['masked']);
    expect(done.report.blocks.every(({ reason }) => reason !== 'capsule')).toBe(true);
    expect(step(done.report)).toMatchObject({
      fallback: 'mask',
      helper: { name: 'test:model', invoked: true, calls: 1, failed: 1, bytesSent: 1000 },
    });
    expect(done.report.warnings).toContainEqual({
      code: 'summary-failed',
      text: 'test:model: every section is empty',
    });
  });

  it('is repaired once where that is asked for, or where ctx asks the helper itself', async () => {
    const repaired = helper((_request, call) => (call === 1 ? answer() : GOOD));
    const done = await run(repaired, 'repair=1');
    expect(repaired.requests.map(({ repair }) => repair)).toEqual([
      undefined,
      { answer: answer(), problem: 'every section is empty' },
    ]);
    expect(step(done.report)).toMatchObject({ fallback: null, passes: 1 });
    const automatic = helper(() => answer(), true);
    await run(automatic);
    expect(automatic.requests).toHaveLength(2);
    const declined = helper(() => answer(), true);
    await run(declined, 'repair=0');
    expect(declined.requests).toHaveLength(1);
  });

  it('fallback=error: exit 7 and nothing is given back', async () => {
    await expect(
      run(
        helper(() => answer()),
        'fallback=error',
      ),
    ).rejects.toMatchObject({
      exitCode: 7,
      message: 'the summary failed: test:model: every section is empty',
    });
  });
});

describe('14: what is refused', () => {
  const many = Array.from({ length: 13 }, () => ({ text: 'x', sourceIds: ['m1'] }));
  const cases: readonly (readonly [string, string, string])[] = [
    ['no JSON', 'Here is a summary.', 'the answer is not a JSON object'],
    ['a list', '[]', 'the answer is not a JSON object'],
    ['a section missing', '{"decisions":[]}', 'completedWork is not a list'],
    ['an unknown key', answer({ notes: [] }), 'the key "notes" is not one of the sections'],
    ['13 entries', answer({ decisions: many }), 'decisions has 13 entries, more than 12'],
    [
      '601 characters',
      answer({ decisions: [{ text: 'x'.repeat(601), sourceIds: ['m1'] }] }),
      'an entry of decisions has 601 characters, more than 600',
    ],
    [
      'a blank text',
      answer({ decisions: [{ text: ' ', sourceIds: ['m1'] }] }),
      'an entry of decisions has no text',
    ],
    [
      'no source',
      answer({ decisions: [{ text: 'x', sourceIds: [] }] }),
      'an entry of decisions has no sourceIds',
    ],
    [
      'an unknown source',
      answer({ decisions: [{ text: 'x', sourceIds: ['m99'] }] }),
      'an entry of decisions names the unknown source "m99"',
    ],
    [
      'more tokens than allowed',
      answer({
        decisions: Array.from({ length: 8 }, (_, at) => ({
          text: `${at}`.repeat(590),
          sourceIds: ['m1'],
        })),
      }),
      'the summary has 1182 tokens, more than 1024',
    ],
  ];

  it.each(cases)('%s', async (_name, text, problem) => {
    const done = await run(helper(() => text));
    expect(done.report.warnings.map((warning) => warning.text)).toEqual([`test:model: ${problem}`]);
    expect(actions(done)).toEqual(['masked']);
  });

  it('takes what is just within: 12 entries of 600 characters fenced as JSON', async () => {
    const entries = [{ text: 'x'.repeat(600), sourceIds: ['m1'] }, ...many.slice(2)];
    const fenced = `\`\`\`json\n${answer({ decisions: entries })}\n\`\`\``;
    const done = await run(helper(() => fenced));
    expect(step(done.report)).toMatchObject({ fallback: null, passes: 1 });
  });

  it('takes the ref of the source as a source id', async () => {
    const asked = helper(({ sourceRef }) =>
      answer({ decisions: [{ text: 'Port 8080 stays.', sourceIds: [sourceRef] }] }),
    );
    const done = await run(asked);
    expect(step(done.report).fallback).toBeNull();
  });

  it('a summary over its deadline applies nothing, and masks nothing in its place', async () => {
    const slow = helper(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    await expect(run(slow, 'timeoutMs=20')).rejects.toMatchObject({
      exitCode: 7,
      code: 'summarizer-failed',
    });
    // Beside another step the run goes on: what the summary would have taken stays whole.
    const longer = session();
    longer.messages.push({ role: 'user', content: 'And?' }, { role: 'assistant', content: 'Ok.' });
    const other = helper((request, call) =>
      call === 1
        ? Promise.reject(Object.assign(new Error('late'), { name: 'TimeoutError' }))
        : GOOD.replace('m1', request.items[0]?.id ?? ''),
    );
    const done = await longer.compact([['structured-summary', `${OPEN},maxSourceTokens=3100`]], {
      summarizer: other.summarizer,
      ...ALLOWED,
    });
    expect(other.requests).toHaveLength(2);
    expect(actions(done)).toEqual(['kept']);
    expect(step(done.report)).toMatchObject({ fallback: null, helper: { failed: 1, calls: 2 } });
  });

  it('a summary that saves too little is masked instead', async () => {
    const long = helper(() =>
      answer({
        decisions: Array.from({ length: 6 }, (_, at) => ({
          text: `${at}`.repeat(600),
          sourceIds: ['m1'],
        })),
      }),
    );
    const small = new Session().user('Why?').read('a.ts', tokensOf(700)).says('Done.');
    const done = await small.compact([['structured-summary', OPEN]], {
      summarizer: long.summarizer,
      ...ALLOWED,
    });
    expect(long.requests).toHaveLength(1);
    expect(actions(done)).toEqual(['masked']);
    expect(step(done.report).fallback).toBe('mask');
  });
});
