import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PlanEntry, PlanFile } from '../../src/plan/plan-file.ts';
import type { Report } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, names, put, type Ran, sha, shaOf, useFolder } from '../support/cli.ts';
import { named, takenFrom } from './outcome.ts';

/** Plans on disk: what they say, what an edited action does to the output, and what no edit may do. */

useFolder();

const FAST = ['--counter', 'heuristic'];
const STEP = ['--drop', 'tool::Read:blockThreshold=400'];
const body = (tokens: number, label: string) => tokensOf(tokens, label);
const session = () =>
  new Session()
    .user('Go.')
    .read('a', body(300, 'a'))
    .read('b', body(500, 'b'))
    .read('c', body(1500, 'c'))
    .says(body(600, 'said'))
    .user(body(400, 'asked'))
    .says('Nothing.');

type Edits = Readonly<Record<string, string>>;

async function planned(bytes = session().bytes, step = STEP): Promise<PlanFile> {
  put('s.json', bytes);
  const ran = await ctx(['explain', 's.json', ...step, ...FAST, '--plan-out', 'plan.json']);
  expect([ran.code, ran.err]).toEqual([0, '']);
  return JSON.parse(readFileSync('plan.json', 'utf8')) as PlanFile;
}

/** Applies a plan with other actions; `taken` are the blocks that changed in the output. */
async function applied(plan: PlanFile, edits: Edits, more: readonly string[] = []) {
  const entries = plan.entries.map((entry) => ({
    ...entry,
    action: edits[nameOf(entry)] ?? entry.action,
  }));
  put('edited.json', JSON.stringify({ ...plan, entries }));
  const ran = await ctx(['compact', 's.json', '--plan', 'edited.json', '--json', ...more]);
  const report = JSON.parse(ran.out) as Report;
  const output = readFileSync(report.output?.path ?? 's.json');
  const row = (name: string) => report.blocks.find((block) => named(block) === name);
  return { report, row, text: output.toString(), taken: takenFrom(readFileSync('s.json'), output) };
}

function nameOf({ block, ...entry }: PlanEntry): string {
  return named({ ...entry, index: block });
}

const refused = (ran: Ran, code: number) => {
  expect([ran.code, ran.out]).toEqual([code, '']);
  return errorLine(ran);
};

it('says what was planned for every block, and of which bytes', async () => {
  const plan = await planned();
  const { bytes } = session();
  expect(names()).toEqual(['plan.json', 's.json']);
  expect(plan).toMatchObject({
    schema: 'ctx.plan/1',
    input: { path: 's.json', sha256: sha(bytes), bytes: bytes.length },
    format: 'anthropic',
    counter: 'heuristic',
    window: 200_000,
    steps: [['drop', 'tool::Read:blockThreshold=400']],
    emergency: false,
    protectEnds: true,
  });
  const explained = await ctx(['explain', 's.json', ...STEP, ...FAST, '--json']);
  const { blocks, tokens } = JSON.parse(explained.out) as Report;
  expect(plan.tokens).toEqual({ before: tokens.before, after: tokens.after });
  const rows = blocks.map(({ index, action, ...row }) => ({
    block: index,
    action,
    planned: action,
    ...row,
  }));
  expect(plan.entries).toEqual(rows);
  const acted = plan.entries.filter(({ action }) => action === 'dropped').map(nameOf);
  expect(acted).toEqual(['r2', 'r3']);
});

it.each([
  [STEP],
  [['--truncate', 'toolResults:previewTokens=50', '--dedupe']],
  [['--drop', '*:preserveRecent=2', '--no-protect-ends']],
  [['--preset', 'agentic', '--window', '2000']],
])('unedited it gives the bytes of a run without one: %j', async (steps) => {
  await planned(session().bytes, steps);
  expect((await ctx(['compact', 's.json', ...steps, ...FAST, '-o', 'direct.json'])).code).toBe(0);
  const ran = await ctx(['compact', 's.json', '--plan', 'plan.json', '-o', 'planned.json']);
  expect(ran.code).toBe(0);
  expect(shaOf('planned.json')).toBe(shaOf('direct.json'));
  expect(shaOf('planned.json')).not.toBe(sha(session().bytes));
});

describe('an edited action', () => {
  it.each<[Edits, string, string]>([
    [{}, 'r2 r3', ''],
    [{ r2: 'kept' }, 'r3', ''],
    [{ r2: 'kept', r3: 'kept' }, '', ''],
    [{ r1: 'dropped' }, 'r1 r2 r3', '[Dropped: ~300 tokens]'],
    [{ r3: 'truncated' }, 'r2 r3', '[Truncated: 1 block, ~1,500 tokens]'],
    [{ r1: 'masked' }, 'r1 r2 r3', '[Masked: Read result, '],
    [{ r1: 'removed' }, 'c1 r1 r2 r3', '[Dropped: 2 messages, ~310 tokens]'],
    [{ c2: 'removed' }, 'c2 r2 r3', '[Dropped: 2 messages, ~510 tokens]'],
    [{ t7: 'dropped', r2: 'kept' }, 'r3 t7', '[Dropped: ~600 tokens]'],
    [{ t8: 'dropped' }, 'r2 r3 t8', '[Dropped: ~400 tokens]'],
  ])('%j', async (edits, taken, marker) => {
    const done = await applied(await planned(), edits);
    expect(done.taken.join(' ')).toBe(taken);
    expect(done.text).toContain(marker);
    for (const [name, action] of Object.entries(edits))
      expect(done.row(name)).toMatchObject(
        action === 'kept'
          ? { action, reason: 'protected', rule: 'the plan' }
          : { action, strategy: 'plan', reason: 'planned' },
      );
    if (taken === '') return;
    expect((await ctx(['restore', 's.compact.json', '-o', 'back.json'])).code).toBe(0);
    expect(readFileSync('back.json').equals(session().bytes)).toBe(true);
  });

  it.each<[Edits, readonly string[], string]>([
    [{ t0: 'dropped' }, [], 'first-message'],
    [{ t9: 'dropped' }, [], 'last-message'],
    [{ c1: 'dropped' }, [], 'signed'],
    [{ r1: 'dropped' }, ['--protect', 'file:a'], 'protected'],
    [{ r1: 'removed' }, ['--protect', 'message:1'], 'group-protected'],
    [{ r1: 'truncated' }, [], 'fits-preview'],
  ])('%j %j stays: %s', async (edits, more, reason) => {
    const done = await applied(await planned(), edits, more);
    expect(done.taken).toEqual(['r2', 'r3']);
    expect(done.row(Object.keys(edits)[0] as string)).toMatchObject({ action: 'kept', reason });
  });
});

it('a plan for other bytes is exit 6, and nothing is written', async () => {
  await planned();
  put('s.json', Buffer.concat([session().bytes, Buffer.from('\n')]));
  const ran = await ctx(['compact', 's.json', '--plan', 'plan.json']);
  expect(refused(ran, 6)).toContain('made for other bytes');
  expect(names()).toEqual(['plan.json', 's.json']);
});
