import { copyFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Call, Session, tokensOf } from '../masking/build.ts';
import { ctx, put, useFolder } from '../support/cli.ts';
import { read } from '../support/read.ts';
import { compacted, type Done } from './support.ts';

useFolder();

const TEXT = `café 0x1F600 ${tokensOf(500, 'row one')}\nlast line`;

const ls = (result: unknown, more: Partial<Call> = {}): Call => ({
  name: 'Bash',
  input: { command: 'cat state.json' },
  result,
  ...more,
});

function session(...calls: readonly Call[]): Session {
  const made = new Session().user('Watch the state.');
  for (const call of calls) made.calls(call);
  return made.says('Done.').user('And now?').says('Nothing.');
}

function results(bytes: Uint8Array): Map<string, string> {
  const blocks = read(bytes).flatMap((message) => message.blocks);
  return new Map(
    blocks.flatMap(({ kind, id, text }) =>
      kind === 'result' && id !== undefined ? [[id, text] as const] : [],
    ),
  );
}

/** Every marker of a duplicate names a result that stands in the same file with that very text. */
function checkPointers(input: Uint8Array, output: Uint8Array): number {
  const before = results(input);
  const after = results(output);
  let found = 0;
  for (const [id, text] of after) {
    const of = /^\[Duplicate: .*same as the result of (\S+)\] \[ref: /.exec(text)?.[1];
    if (of === undefined) continue;
    found += 1;
    expect([id, after.get(of) === before.get(id)]).toEqual([id, true]);
  }
  return found;
}

describe('the same call, and another output', () => {
  it.each<readonly [string, Call]>([
    ['one letter', ls(TEXT.replace('one', 'onE'))],
    ['a final newline', ls(`${TEXT}\n`)],
    ['line ends', ls(TEXT.replace('\n', '\r\n'))],
    ['a space more', ls(TEXT.replace(' row', '  row'))],
    ['another form of the same letter', ls(TEXT.normalize('NFD'))],
    ['the same length in other words', ls(TEXT.replace('row one', 'one row'))],
    ['the same text that failed', ls(TEXT, { failed: true })],
  ])('%s: both stay (report 94)', async (_what, other) => {
    const input = session(ls(TEXT), other).bytes;
    for (const keep of ['newest', 'oldest']) {
      const done = await compacted('s.json', input, ['--dedupe', `keep=${keep}`]);
      expect(done.bytes.equals(input)).toBe(true);
    }
  });
});

it('a file that changed and changed back is compared by its bytes (report 94)', async () => {
  const other = TEXT.replace('one', 'two');
  const input = session(ls(TEXT), ls(other), ls(TEXT), ls(other), ls(TEXT)).bytes;
  const done = await compacted('s.json', input, ['--dedupe']);
  const of = [...results(done.bytes).values()].map(
    (text) => /same as the result of (\S+)\]/.exec(text)?.[1] ?? text,
  );
  expect(of).toEqual(['call_5', 'call_4', 'call_5', other, TEXT]);
  expect(checkPointers(input, done.bytes)).toBe(3);
});

/** Steps beside dedupe that would take the copy that a marker points to. */
const BESIDE: readonly (readonly string[])[] = [
  ['--drop', 'toolResults:preserveRecent=1'],
  ['--drop', 'toolResults'],
  ['--truncate', 'toolResults:blockThreshold=300,previewTokens=50'],
  ['--mask', 'preserveRecentTurns=0,preserveRecentMessages=1'],
  ['--algorithmic', 'toolResultSizeThreshold=1024,maxToolPairs=2'],
  ['--drop', '*:preserveRecent=3'],
  ['--superseded-reads'],
];

function mixed(): Session {
  const same = (path: string) => ({ name: 'Read', input: { file_path: path }, result: TEXT });
  const other = (path: string) => ({ ...same(path), result: tokensOf(700, path) });
  return session(
    same('a.ts'),
    other('b.ts'),
    same('c.ts'),
    { name: 'Write', input: { file_path: 'c.ts', content: 'x' }, result: 'ok' },
    same('d.ts'),
    other('d.ts'),
    same('a.ts'),
    ls(TEXT),
    other('e.ts'),
  );
}

describe.each(BESIDE.map((argv) => [argv.join(' '), argv] as const))('beside %s', (_step, argv) => {
  it.each(['newest', 'oldest'])(
    'a marker points to a copy that is there, keep=%s (report 94)',
    async (keep) => {
      const input = mixed().bytes;
      const dedupe = ['--dedupe', `keep=${keep}`];
      const first = await compacted('s.json', input, dedupe);
      expect(checkPointers(input, first.bytes)).toBe(4);
      for (const order of [
        [...argv, ...dedupe],
        [...dedupe, ...argv],
      ]) {
        const done = await compacted('s.json', input, order);
        checkPointers(input, done.bytes);
      }
      // A later run, with another step alone.
      copyFileSync('out-s.json.stash', 'kept.stash');
      const again = await compacted('s.json', input, dedupe);
      const later = await rerun(again, argv);
      expect(checkPointers(input, later)).toBe(4);
    },
  );
});

async function rerun(done: Done, argv: readonly string[]): Promise<Buffer> {
  put('t.json', done.bytes);
  copyFileSync('out-s.json.stash', 't.json.stash');
  const ran = await ctx(['compact', 't.json', '--in-place', '--counter', 'heuristic', ...argv]);
  expect(ran.code).toBe(0);
  return readFileSync('t.json');
}
