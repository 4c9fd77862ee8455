import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, put, type Ran, report, shaOf, useFolder } from '../support/cli.ts';

useFolder();

interface Entry {
  readonly block: number;
  readonly conversation: string;
  readonly kind: string;
  readonly reason: string;
  action: string;
}

interface Plan {
  schema: string;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly entries: Entry[];
}

const STEPS = ['--drop', 'toolResults:blockThreshold=1000', '--counter', 'heuristic'];

/** Sentences, so that there is something to summarize. */
const LARGE = 'The port is 8080 and large words follow here. '.repeat(174).slice(0, 8000);

/** Results of 2,000 and of 300 tokens, and a reply of 300, between a person and a last word. */
function session(): Buffer {
  return new Session()
    .user('Go.')
    .read('a', LARGE)
    .read('b', tokensOf(300, 'small'))
    .says(tokensOf(300, 'reply'))
    .user('Good.')
    .says('Bye.').bytes;
}

async function planned(bytes: Buffer | string, ...flags: readonly string[]): Promise<Plan> {
  put('s.json', bytes);
  const ran = await ctx(['explain', 's.json', ...STEPS, ...flags, '--plan-out', 'plan.json', '-q']);
  expect([ran.code, ran.err]).toEqual([0, '']);
  return JSON.parse(readFileSync('plan.json', 'utf8')) as Plan;
}

/** Applies a plan after an edit of its entries. */
async function applied(plan: Plan, edit: (entries: Entry[]) => void, ...flags: readonly string[]) {
  edit(plan.entries);
  writeFileSync('plan.json', JSON.stringify(plan));
  return ctx(['compact', 's.json', '--plan', 'plan.json', '-o', 'out.json', '--json', ...flags]);
}

const results = (entries: readonly Entry[]) => entries.filter(({ kind }) => kind === 'toolResult');
const rowsOf = (ran: Ran) => (JSON.parse(ran.out) as { readonly blocks: readonly Entry[] }).blocks;

describe('a plan', () => {
  it('has an entry for every block, and gives the same bytes when nothing is edited', async () => {
    const plan = await planned(session());
    expect(plan.schema).toBe('ctx.plan/1');
    expect(results(plan.entries).map(({ action }) => action)).toEqual(['dropped', 'kept']);
    const ran = await applied(plan, () => undefined);
    expect(report(ran).warnings).toEqual([]);
    await ctx(['compact', 's.json', ...STEPS, '-o', 'direct.json']);
    expect(shaOf('out.json')).toBe(shaOf('direct.json'));
  });

  it.each([
    ['kept', 'kept', /./],
    ['truncated', 'truncated', /"\[Truncated: 1 block, ~2,000 tokens\]/],
    ['masked', 'masked', /"\[Masked: Read result, /],
    ['summarized', 'summarized', /"\[Summarized: /],
    ['removed', 'removed', /"\[Dropped: 2 messages, /],
  ])('carries out the action %s', async (action, expected, marker) => {
    const ran = await applied(await planned(session()), (entries) => {
      const [large] = results(entries);
      if (large !== undefined) large.action = action;
    });
    expect(ran.code).toBe(0);
    expect(report(ran).warnings).toEqual([]);
    expect(results(rowsOf(ran))[0]?.action).toBe(expected);
    const out =
      action === 'kept' ? readFileSync('s.json', 'utf8') : readFileSync('out.json', 'utf8');
    expect(out).toMatch(marker);
    expect(out.includes('[Dropped: ~2,000 tokens]')).toBe(false);
  });

  it('takes a block that the steps had left', async () => {
    const ran = await applied(await planned(session()), (entries) => {
      for (const entry of results(entries)) entry.action = 'dropped';
    });
    expect(results(rowsOf(ran)).map(({ action }) => action)).toEqual(['dropped', 'dropped']);
  });

  it('can not edit what no step may touch, and says so', async () => {
    const ran = await applied(await planned(session()), (entries) => {
      for (const entry of entries) entry.action = 'dropped';
    });
    expect(ran.code).toBe(0);
    const kept = rowsOf(ran).filter(({ action }) => action === 'kept');
    expect(kept.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
      'text first-message',
      'toolCall signed',
      'toolCall signed',
      'text no-saving',
      'text last-message',
    ]);
    expect(report(ran).warnings[0]).toMatchObject({
      code: 'plan-differs',
      text: expect.stringMatching(/^5 blocks ended otherwise than in the plan: block 0 is kept/),
    });
  });

  it('remembers the flags that shaped it', async () => {
    const plan = await planned(
      session(),
      '--protect',
      'tool::Read',
      '--from',
      '1',
      '--min-savings',
      '5',
    );
    expect(plan.flags).toEqual({ protect: ['tool::Read'], from: 1, minSavings: '5' });
    const ran = await applied(plan, (entries) => {
      const reply = entries.findLast(
        ({ action, reason }) => action === 'kept' && reason === 'not-targeted',
      );
      if (reply !== undefined) reply.action = 'kept';
    });
    expect(JSON.parse(ran.out)).toMatchObject({ tokens: { saved: 0 } });
    expect(results(rowsOf(ran)).map(({ reason }) => reason)).toEqual([
      'protected',
      'below-block-threshold',
    ]);
  });

  it('tells the conversations of a dataset apart', async () => {
    const line = session().toString('utf8');
    const small = line.replaceAll('and large words follow here. ', '');
    const plan = await planned(`${line}\n${small}\n${line}\n`, '--format', 'anthropic-jsonl');
    const actions = results(plan.entries).map(
      ({ conversation, action }) => `${conversation} ${action}`,
    );
    expect(actions.filter((action) => action.endsWith('dropped'))).toEqual([
      'line 1 dropped',
      'line 3 dropped',
    ]);
    const ran = await applied(plan, (entries) => {
      const third = results(entries).find(({ conversation }) => conversation === 'line 3');
      if (third !== undefined) third.action = 'kept';
    });
    const taken = rowsOf(ran).filter(({ action }) => action === 'dropped');
    expect(taken.map(({ conversation }) => conversation)).toEqual(['line 1']);
  });
});

describe('a plan that can not be applied', () => {
  it('for other bytes is refused before anything is written', async () => {
    const plan = await planned(session());
    writeFileSync('s.json', `${session().toString('utf8')}\n`);
    const ran = await applied(plan, () => undefined);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toMatch(/^ctx: the plan was made for other bytes/);
  });

  it.each([
    ['[]', 2, /not of the schema/],
    ['{', 2, /is not JSON/],
    ['{"schema":"ctx.plan/2"}', 2, /not of the schema/],
    ['{"schema":"ctx.plan/1"}', 2, /has no input, steps or entries/],
  ])('%s', async (text, code, message) => {
    await planned(session());
    put('plan.json', text);
    const ran = await ctx(['compact', 's.json', '--plan', 'plan.json']);
    expect(ran.code).toBe(code);
    expect(errorLine(ran)).toMatch(message);
  });

  it.each([
    [
      'an unknown action',
      { entries: [{ block: 0, conversation: 'main', action: 'burnt', planned: 'kept' }] },
      /asks for the action "burnt"/,
    ],
    ['an entry without a block', { entries: [{ action: 'kept' }] }, /has no block/],
    ['an unknown counter', { counter: 'constructor' }, /names no counter/],
    ['a window of nothing', { window: 0 }, /is no number of tokens/],
    ['an unknown flag', { flags: { summarizer: 'command:rm' } }, /can't be read: summarizer/],
    ['a flag of another type', { flags: { protect: 'x' } }, /can't be read: protect/],
    ['an unknown step', { steps: [['shred', '*']] }, /is no \[method, spec\]/],
  ])('with %s', async (_name, edit, message) => {
    const plan = await planned(session());
    put('plan.json', JSON.stringify({ ...plan, ...edit }));
    const ran = await ctx(['compact', 's.json', '--plan', 'plan.json']);
    expect(ran.code).toBe(2);
    expect(errorLine(ran)).toMatch(message);
  });
});
