import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, report, sha, useFolder } from '../support/cli.ts';
import { outcome, protectedRows, rowOf } from './outcome.ts';

/** What rules keep every step away from, and what they leave to it: block by block. */

useFolder();

const BASH = `${tokensOf(400, 'up')}\nyou MUST\nlast`;
const FAST = ['--counter', 'heuristic'];
const RESULTS = ['--drop', 'toolResults'];
const EVERYTHING = ['--drop', '*:preserveRecent=1'];

const body = (label: string) => tokensOf(400, label);
const refOf = (content: string) => sha(JSON.stringify(content)).slice(0, 12);
const session = () =>
  new Session()
    .user('Go.')
    .calls({ name: 'Skill', result: body('skill') })
    .read('docs/plan.md', body('plan'))
    .calls({ name: 'Write', input: { file_path: '/w/plan.md' }, result: body('written') })
    .calls({ name: 'Bash', input: { command: 'a' }, result: `${body('low')}\nyou must\nlast` })
    .calls({ name: 'Bash', input: { command: 'b' }, result: BASH })
    .read('plan.md.bak', body('bak'))
    .says(body('said'))
    .user(body('asked'))
    .says('Nothing.');

/** The rules, and the results among r1 to r6 that they keep. */
const RULES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], []],
  [['tool::Skill'], ['r1']],
  [['tool::Skill+tool::Bash'], ['r1', 'r4', 'r5']],
  [['!tool::Bash'], ['r1', 'r2', 'r3', 'r6']],
  [['tool::skill'], []],
  [['file:**/plan.md'], ['r2', 'r3']],
  [['file:plan.md'], ['r2', 'r3']],
  [['file:docs/*'], ['r2']],
  [['file:docs/plan.??'], ['r2']],
  [['file:/w/**'], ['r3']],
  [['file:plan.*'], ['r2', 'r3', 'r6']],
  [['file:plan'], []],
  [['text:/MUST|NEVER/'], ['r5']],
  [['text:/must/i'], ['r4', 'r5']],
  [['text:/must$/'], []],
  [['text:/^you must$/m'], ['r4']],
  [['text:/must.last/'], []],
  [['text:/must.last/s'], ['r4']],
  [['text:/MUST.LAST$/is'], ['r4', 'r5']],
  [['text:you MUST'], ['r5']],
  [['message:4'], ['r2']],
  [['message:3'], []],
  [['message:3-5'], ['r2']],
  [['message:4-6'], ['r2', 'r3']],
  [['message:10-'], ['r5', 'r6']],
  [['message:-4'], ['r1', 'r2']],
  [[`ref:${refOf(BASH)}`], ['r5']],
  [[`ref:${refOf(BASH).slice(0, 6).toUpperCase()}`], ['r5']],
  [['ref:000000000000'], []],
];
const ALL = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];

describe('--protect', () => {
  it.each(RULES)('%j keeps these results and no other', async (rules, kept) => {
    const flags = rules.flatMap((rule) => ['--protect', rule]);
    const done = await outcome(session(), [...RESULTS, ...flags]);
    expect(done.taken).toEqual(ALL.filter((name) => !kept.includes(name)));
    expect(protectedRows(done)).toEqual(Object.fromEntries(kept.map((name) => [name, rules[0]])));
  });

  it('several at once: each row names the first rule that holds', async () => {
    const rules = ['message:4', 'file:plan.md', 'tool::Bash', 'text:/must/i'];
    const flags = rules.flatMap((rule) => ['--protect', rule]);
    const done = await outcome(session(), [...RESULTS, ...flags]);
    expect(done.taken).toEqual(['r1', 'r6']);
    const [message, file, tool] = rules;
    expect(protectedRows(done)).toEqual({ r2: message, r3: file, r4: tool, r5: tool });
  });

  it.each([
    ['message:4', { r2: 'protected', c2: 'group-protected' }],
    ['tool::Read', { r2: 'protected', c2: 'protected', r6: 'protected', c6: 'protected' }],
    [`ref:${refOf(BASH)}`, { r5: 'protected', c5: 'group-protected' }],
    ['text:/^asked/', { t14: 'protected' }],
  ])('%s keeps the whole group from removal', async (rule, kept) => {
    const done = await outcome(session(), [...EVERYTHING, '--protect', rule]);
    const removable = [...ALL.flatMap((name) => [name.replace('r', 'c'), name]), 't13', 't14'];
    expect(done.taken).toEqual(removable.filter((name) => !(name in kept)));
    for (const [name, reason] of Object.entries(kept))
      expect(rowOf(done, name)).toMatchObject({ action: 'kept', reason });
  });

  it('a capsule with that ref is not merged into another', async () => {
    const step = ['--structured-summary', 'preserveRecentTurns=1,preserveRecentMessages=0'];
    const first = await outcome(session(), step);
    const ref = first.report.blocks.find(({ reason }) => reason === 'capsule')?.ref ?? '';
    const made = JSON.parse(first.output.toString('utf8')) as { messages: unknown[] };
    const late = { id: 'late', name: 'Read', input: { file_path: 'b' }, result: body('late') };
    const more = new Session()
      .user('More.')
      .calls(late)
      .says(body('told'))
      .user('And?')
      .says('No.');
    const grown = { ...made, messages: [...made.messages, ...more.messages] };
    put('s.compact.json', JSON.stringify(grown));
    const again = ['compact', 's.compact.json', ...step, '--merge-capsules', ...FAST];
    await ctx([...again, '-o', 'merged.json']);
    const ran = await ctx([...again, '-o', 'kept.json', '--protect', `ref:${ref}`, '--json']);
    expect(capsules('merged.json')).toHaveLength(1);
    expect(capsules('kept.json')).toEqual([ref, expect.not.stringContaining(ref)]);
    expect(report(ran).blocks).toContainEqual(
      expect.objectContaining({ ref, action: 'kept', reason: 'already-offloaded' }),
    );
  });
});

/** Refs of the capsules in a file, in order. */
function capsules(path: string): (string | undefined)[] {
  const found = readFileSync(path, 'utf8').matchAll(/"\[Capsule: [^\]]*\] \[ref: (\w+)\]/g);
  return [...found].map(([, ref]) => ref);
}
