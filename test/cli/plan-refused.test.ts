import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PlanEntry, PlanFile } from '../../src/plan/plan-file.ts';
import type { Report } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, names, put, useFolder } from '../support/cli.ts';
import { named } from './outcome.ts';

/** Plans that can't be applied, and blocks of an earlier run that no plan may take. */

useFolder();

const FAST = ['--counter', 'heuristic'];
const same = tokensOf(500, 'same');
const session = () =>
  new Session()
    .user('Go.')
    .read('a', same)
    .read('b', same)
    .read('c', tokensOf(500, 'c'))
    .says('Done.')
    .user('And?')
    .says('Nothing.');

async function planned(path: string): Promise<PlanFile> {
  await ctx(['explain', path, '--drop', 'tool::Read:preserveRecent=9', '--plan-out', 'p', ...FAST]);
  return JSON.parse(readFileSync('p', 'utf8')) as PlanFile;
}

const entryOf = (plan: PlanFile, name: string): PlanEntry =>
  plan.entries.find(
    ({ block, ...entry }) => named({ ...entry, index: block }) === name,
  ) as PlanEntry;

describe('what is no plan is refused in one line, and nothing is written', () => {
  const CASES: readonly (readonly [string, (plan: PlanFile) => unknown, RegExp])[] = [
    ['no JSON', () => 'plan', /is not JSON/],
    ['nothing', () => '', /is not JSON/],
    ['null', () => null, /schema/],
    ['a list', () => [], /schema/],
    ['another schema', (plan) => ({ ...plan, schema: 'ctx.plan/2' }), /schema/],
    ['a report', (plan) => ({ ...plan, schema: 'ctx.report/1' }), /schema/],
    ['no entries', ({ entries: _entries, ...plan }) => plan, /no input, steps or entries/],
    ['no hash', (plan) => ({ ...plan, input: {} }), /no input, steps or entries/],
    ['an unknown action', (plan) => edited(plan, { action: 'burned' }), /action "burned"/],
    ['an action of the steps', (plan) => edited(plan, { action: 'shortened' }), /action "shorte/],
    [
      'an action with controls',
      (plan) => edited(plan, { action: '\u001b[31m' }),
      /action "\\u001b/,
    ],
    ['no action', (plan) => edited(plan, { action: 5 }), /no block, conversation or action/],
    ['an unknown block', (plan) => edited(plan, { block: 999 }), /block 999/],
    ['another conversation', (plan) => edited(plan, { conversation: 'x' }), /is not there/],
    ['an unknown step', (plan) => ({ ...plan, steps: [['burn', 'x']] }), /no \[method, spec\]/],
    ['a broken spec', (plan) => ({ ...plan, steps: [['drop', 'x']] }), /unknown target x/],
    [
      'an unknown counter',
      (plan) => ({ ...plan, counter: 'gpt2' }),
      /names no counter|window of the plan/,
    ],
    ['no window', (plan) => ({ ...plan, window: -5 }), /names no counter|window of the plan/],
  ];
  it.each(CASES)('%s', async (_name, change, words) => {
    put('s.json', session().bytes);
    const value = change(await planned('s.json'));
    put('p', typeof value === 'string' ? value : JSON.stringify(value));
    const ran = await ctx(['compact', 's.json', '--plan', 'p']);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(errorLine(ran)).toMatch(words);
    expect(names()).toEqual(['p', 's.json']);
  });

  it('a file that is not there is exit 3; steps beside a plan are exit 2', async () => {
    put('s.json', session().bytes);
    const none = await ctx(['compact', 's.json', '--plan', 'none.json']);
    expect([none.code, errorLine(none)]).toEqual([3, expect.stringContaining('none.json')]);
    await planned('s.json');
    const both = await ctx(['compact', 's.json', '--plan', 'p', '--drop', 'toolResults']);
    expect([both.code, errorLine(both)]).toEqual([2, expect.stringContaining('its own steps')]);
  });

  it('--plan-out replaces a plan and nobody else’s file', async () => {
    put('s.json', session().bytes);
    put('notes.txt', 'mine');
    const args = ['explain', 's.json', '--dedupe', ...FAST, '--plan-out'];
    const ran = await ctx([...args, 'notes.txt']);
    expect([ran.code, errorLine(ran)]).toEqual([6, expect.stringContaining('notes.txt')]);
    expect(readFileSync('notes.txt', 'utf8')).toBe('mine');
    await ctx([...args, 'p']);
    expect((await ctx([...args, 'p'])).code).toBe(0);
  });
});

function edited({ entries, ...plan }: PlanFile, change: object): unknown {
  const at = entries.findIndex(({ callId, kind }) => callId === 'call_3' && kind === 'toolResult');
  const list = entries.map((entry, index) =>
    index === at ? { ...entry, action: 'dropped', ...change } : entry,
  );
  return { ...plan, entries: list };
}

it.each([
  ['r1', 'already-offloaded', null],
  ['r2', 'protected', 'duplicates point to it'],
])('in an output of ctx %s stays: %s', async (name, reason, rule) => {
  put('s.json', session().bytes);
  await ctx(['compact', 's.json', '--dedupe', ...FAST]);
  const before = readFileSync('s.compact.json');
  for (const action of ['dropped', 'masked', 'removed']) {
    const plan = await planned('s.compact.json');
    const target = entryOf(plan, name).block;
    const entries = plan.entries.map((entry) =>
      entry.block === target ? { ...entry, action } : entry,
    );
    put('p', JSON.stringify({ ...plan, entries }));
    const ran = await ctx([
      'compact',
      's.compact.json',
      '--plan',
      'p',
      '--json',
      '-o',
      'out',
      '--force',
    ]);
    const row = (JSON.parse(ran.out) as Report).blocks.find((block) => named(block) === name);
    expect([action, row]).toMatchObject([action, { action: 'kept', reason, rule }]);
    expect(readFileSync('out').equals(before)).toBe(true);
  }
});
