import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, put, type Ran, useFolder } from '../support/cli.ts';

useFolder();

const long = (label: string) => tokensOf(400, label);

interface Row {
  readonly kind: string;
  readonly message: number;
  readonly action: string;
  readonly reason: string;
  readonly rule: string | null;
  readonly ref: string | null;
}

/** Messages 0 to 13: five calls and their results, then a person and a last word. */
function session(): Session {
  return new Session()
    .user('Go.')
    .calls({ name: 'Skill', input: { name: 'review' }, result: long('skill') })
    .read('docs/plan.md', long('plan'))
    .read('/shop/src/a.ts', `${long('code')} You MUST keep the rounding.`)
    .calls({ name: 'Bash', input: { command: 'ls' }, result: long('list') })
    .calls({
      name: 'Write',
      input: { file_path: 'b/plan.md', content: 'x' },
      result: long('wrote'),
    })
    .says('Done.')
    .user('Thanks.')
    .says('Bye.');
}

const SKILL = 2;
const PLAN = 4;
const CODE = 6;
const BASH = 8;
const WROTE = 10;
const ALL = [SKILL, PLAN, CODE, BASH, WROTE];

const rows = (ran: Ran) => (JSON.parse(ran.out) as { readonly blocks: readonly Row[] }).blocks;
const results = (ran: Ran) => rows(ran).filter(({ kind }) => kind === 'toolResult');

async function dropping(
  made: Session,
  rules: readonly string[],
  step = 'toolResults',
): Promise<Ran> {
  const file = put('s.json', made.bytes);
  const flags = rules.flatMap((rule) => ['--protect', rule]);
  return ctx(['compact', file, '--drop', step, '--counter', 'heuristic', '--json', ...flags]);
}

const RULES: readonly (readonly [string, readonly string[], readonly number[]])[] = [
  ['no rule', [], []],
  ['a tool', ['tool::Skill'], [SKILL]],
  ['several tools', ['tool::Skill+tool::Bash'], [SKILL, BASH]],
  ['all but a tool', ['!tool::Read'], [SKILL, BASH, WROTE]],
  ['a path, read or written', ['file:**/plan.md'], [PLAN, WROTE]],
  ['a path from its root on', ['file:docs/*.md'], [PLAN]],
  ['a name anywhere', ['file:a.ts'], [CODE]],
  ['a name with a star', ['file:*.md'], [PLAN, WROTE]],
  ['a path that nothing has', ['file:other/**'], []],
  ['a text', ['text:/MUST|NEVER/'], [CODE]],
  ['a text in any case', ['text:/you must/i'], [CODE]],
  ['a text that nothing has', ['text:/you must/'], []],
  ['a message', ['message:8'], [BASH]],
  ['a range of messages', ['message:4-6'], [PLAN, CODE]],
  ['messages up to one', ['message:-4'], [SKILL, PLAN]],
  ['messages from one on', ['message:8-'], [BASH, WROTE]],
  ['two rules', ['tool::Skill', 'message:8'], [SKILL, BASH]],
];

describe('--protect', () => {
  it.each(RULES)('%s keeps these results and no other', async (_name, rules, kept) => {
    const ran = await dropping(session(), rules);
    const found = results(ran);
    const protectedRows = found.filter(({ reason }) => reason === 'protected');
    expect(protectedRows.map(({ message }) => message)).toEqual(kept);
    for (const { rule } of protectedRows) expect(rules).toContain(rule);
    const taken = found.filter(({ action }) => action === 'dropped');
    expect(taken.map(({ message }) => message)).toEqual(ALL.filter((at) => !kept.includes(at)));
  });

  it('takes the ref of a content, and of a placeholder', async () => {
    const dropped = results(await dropping(session(), []));
    const plan = dropped.find(({ message }) => message === PLAN)?.ref ?? '';
    const kept = results(
      await ctx([
        'explain',
        's.json',
        '--drop',
        'toolResults',
        '--protect',
        `ref:${plan.slice(0, 8)}`,
        '--json',
      ]),
    );
    expect(
      kept.filter(({ reason }) => reason === 'protected').map(({ message }) => message),
    ).toEqual([PLAN]);

    const again = await ctx([
      'explain',
      's.compact.json',
      '--drop',
      '*:preserveRecent=1',
      '--protect',
      `ref:${plan}`,
      '--json',
    ]);
    const group = rows(again).filter(({ message }) => message === PLAN - 1 || message === PLAN);
    expect(group.map(({ action }) => action)).toEqual(['kept', 'kept']);
  });

  it('keeps the group of a protected block from removal, and names the rule', async () => {
    const ran = await dropping(session(), ['tool::Bash'], '*:preserveRecent=1');
    const kept = rows(ran).filter(({ action, message }) => action === 'kept' && message > 0);
    expect(kept.map(({ message, reason }) => [message, reason])).toEqual([
      [7, 'protected'],
      [8, 'protected'],
      [13, 'last-message'],
    ]);
  });

  it.each([
    ['nothing', /is no rule/],
    ['tool:', /is no rule/],
    ['text:/(/', /is no pattern/],
    ['message:9-3', /is empty/],
    ['message:x', /is no range/],
  ])('refuses %j in one line', async (rule, message) => {
    const ran = await dropping(session(), [rule]);
    expect(ran.code).toBe(2);
    expect(errorLine(ran)).toMatch(message);
  });
});

describe('what is protected without being asked', () => {
  it.each([
    ['CLAUDE.md', 'rule file CLAUDE.md'],
    ['pkg/AGENTS.md', 'rule file AGENTS.md'],
    ['GEMINI.md', 'rule file GEMINI.md'],
    ['.cursorrules', 'rule file .cursorrules'],
    ['CLAUDE.md.bak', null],
    ['notes/claude.txt', null],
  ])('a read of %s', async (path, rule) => {
    const ran = await dropping(
      new Session().user('Go.').read(path, long('rules')).says('Done.'),
      [],
    );
    expect(results(ran).map((row) => row.rule)).toEqual([rule]);
    expect(results(ran)[0]?.action).toBe(rule === null ? 'dropped' : 'kept');
  });

  it('rule files that a client put into a message', async () => {
    const injected = `<system-reminder>\nContents of /shop/CLAUDE.md (project instructions):\n${long('rule')}\n</system-reminder>`;
    const made = new Session()
      .user('Go.')
      .says('Yes.')
      .user(injected)
      .says('Done.')
      .user('Ok?')
      .says('Ok.');
    const ran = await dropping(made, [], 'userText:blockThreshold=100');
    const row = rows(ran).find(({ message }) => message === 2);
    expect([row?.action, row?.rule]).toEqual(['kept', 'rule file CLAUDE.md']);
  });

  it('what a retrieval tool brought back', async () => {
    const call = { name: 'mcp__ctx__ctx_retrieve', input: {}, result: long('original') };
    const ran = await dropping(new Session().user('Go.').calls(call).says('Done.'), []);
    expect(results(ran)[0]).toMatchObject({ action: 'kept', rule: 'retrieval results' });
  });

  it('what a person wrote, unless a target names it', async () => {
    const made = new Session()
      .user('Go.')
      .says(long('reply'))
      .user(long('person'))
      .says('Done.')
      .user('Ok?')
      .says('Ok.');
    const action = async (step: string) =>
      rows(await dropping(made, [], step)).find(({ message }) => message === 2)?.action;
    expect(await action('assistantText')).toBe('kept');
    expect(await action('userText')).toBe('dropped');
    expect(await action('*:preserveRecent=2')).toBe('removed');
  });
});
