import { describe, expect, it } from 'vitest';
import { type Call, Session, tokensOf } from '../masking/build.ts';
import { useFolder } from '../support/cli.ts';
import { resultText } from '../support/read.ts';
import { compacted, type Done } from './support.ts';

useFolder();

const PATHS = [
  '/shop/plan.md',
  '/shop/docs/plan.md',
  './plan.md',
  'plan.md.bak',
  'myplan.md',
  'src/plan.ts',
  '/shop/AGENTS.md',
  'packages/a/AGENTS.md',
  'NOT_AGENTS.md',
] as const;

function ended(session: Session): Buffer {
  return session.says('Done.').user('And now?').says('Nothing.').bytes;
}

/** Reads of every path, each of another text. */
function reads(): Buffer {
  const session = new Session().user('Look at the plan.');
  for (const path of PATHS) session.read(path, tokensOf(500, path));
  return ended(session);
}

/** Paths whose text is still there, of those that were read. */
function left({ bytes }: Done): string[] {
  return PATHS.filter((path, at) => resultText(bytes, `call_${at + 1}`) === tokensOf(500, path));
}

const RULES = ['/shop/AGENTS.md', 'packages/a/AGENTS.md'];

describe('--protect file:GLOB', () => {
  it.each([
    [[], RULES],
    [['file:**/plan.md'], ['/shop/plan.md', '/shop/docs/plan.md', './plan.md', ...RULES]],
    [['file:plan.md'], ['/shop/plan.md', '/shop/docs/plan.md', './plan.md', ...RULES]],
    [['file:/shop/*.md'], ['/shop/plan.md', ...RULES]],
    [['file:*plan.*'], [...PATHS.slice(0, 6), ...RULES]],
    [
      ['file:/shop/docs/**', 'file:src/*.ts'],
      ['/shop/docs/plan.md', 'src/plan.ts', ...RULES],
    ],
  ] as const)('%j keeps exactly %j (report 93)', async (globs, kept) => {
    const argv = globs.flatMap((glob) => ['--protect', glob]);
    const done = await compacted('s.json', reads(), ['--drop', 'toolResults', ...argv]);
    expect(left(done)).toEqual(kept);
    const rules = done.report.blocks.flatMap(({ kind, reason, rule }) =>
      kind === 'toolResult' && reason === 'protected' ? [rule] : [],
    );
    expect(rules).toHaveLength(kept.length);
    expect(new Set(rules)).toEqual(new Set(['rule file AGENTS.md', ...globs]));
  });

  it('keeps the messages of a protected file where whole messages leave (report 93)', async () => {
    const argv = ['--drop', '*:preserveRecent=1', '--protect', 'file:**/plan.md'];
    const done = await compacted('s.json', reads(), argv);
    const ids = [...done.text.matchAll(/"tool_use_id":"(call_\d)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['call_1', 'call_2', 'call_3', 'call_7', 'call_8']);
  });
});

const OLD = tokensOf(600, 'old state');
const NEW = tokensOf(600, 'new state');
const write = (more: Partial<Call>): Call => ({
  name: 'Write',
  input: { file_path: 'a.ts', content: 'x' },
  result: 'The file a.ts has been updated.',
  ...more,
});
const edit = (more: Partial<Call>): Call =>
  write({ name: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, ...more });

describe('--superseded-reads', () => {
  it.each<readonly [string, boolean, readonly Call[]]>([
    ['a write', true, [write({})]],
    ['an edit', true, [edit({})]],
    ['a write that failed', false, [write({ failed: true, result: 'EACCES: permission denied' })]],
    ['an edit that failed', false, [edit({ failed: true, result: 'String to replace not found' })]],
    ['a write that nobody has answered', false, [write({ result: undefined })]],
    ['a failed write, then one that worked', true, [write({ failed: true }), write({})]],
    ['a write of another file', false, [write({ input: { file_path: 'b/a.ts', content: 'x' } })]],
    [
      'a failed read of the same file',
      false,
      [{ name: 'Read', input: { file_path: 'a.ts' }, result: 'ENOENT', failed: true }],
    ],
  ])('after %s the older read leaves: %s (report 93)', async (_what, gone, calls) => {
    const session = new Session().user('Mend a.ts.').read('a.ts', OLD);
    for (const call of calls) session.calls(call);
    const done = await compacted('s.json', ended(session), ['--superseded-reads']);
    const text = resultText(done.bytes, 'call_1');
    if (gone) expect(text).toMatch(/^\[Superseded: a\.ts, ~600 tokens, written later\]/);
    else expect(text).toBe(OLD);
  });

  it('what was read after the write stays (report 93)', async () => {
    const session = new Session().user('Mend a.ts.').read('a.ts', OLD).calls(write({}));
    const done = await compacted('s.json', ended(session.read('a.ts', NEW)), [
      '--superseded-reads',
    ]);
    expect(resultText(done.bytes, 'call_3')).toBe(NEW);
    expect(resultText(done.bytes, 'call_1')).toMatch(/^\[Superseded: /);
  });
});

it.each([
  ['dedupe named last', ['--drop', 'toolResults', '--dedupe']],
  ['dedupe named first', ['--dedupe', '--drop', 'toolResults']],
])('a budget takes repeats before what is there once, %s (report 93)', async (_order, steps) => {
  const session = new Session().user('Go.');
  const unique = [1, 2, 3].map((number) => tokensOf(2000, `unique_${number}`));
  for (const [at, text] of unique.entries()) session.read(`${at}.ts`, text);
  for (const path of ['x', 'y', 'z']) session.read(path, tokensOf(400, 'the same'));
  const before = (await compacted('s.json', ended(session), [])).report.tokens.before;
  const argv = [...steps, '--target-tokens', String(before - 700)];
  const done = await compacted('s.json', session.bytes, argv);
  expect(unique.map((_, at) => resultText(done.bytes, `call_${at + 1}`))).toEqual(unique);
  expect(resultText(done.bytes, 'call_4')).toMatch(/^\[Duplicate: .* result of call_6\]/);
  expect(resultText(done.bytes, 'call_5')).toMatch(/^\[Duplicate: .* result of call_6\]/);
  expect(resultText(done.bytes, 'call_6')).toBe(tokensOf(400, 'the same'));
});
