import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, names, put, report, sha, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import {
  BASH_TEXT,
  callLine,
  chat,
  claude,
  DELICATE,
  longText,
  replyLine,
  resultLine,
  userLine,
} from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];

useFolder();

type Json = Record<string, unknown>;

describe('what an edit changes', () => {
  it('is the value and our one key; numbers, escapes and keys of the record stay', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const before = claude().toString('utf8').split('\n');
    const after = readFileSync('s.compact.jsonl', 'utf8').split('\n');
    const edited = before.flatMap((line, index) => (line === after[index] ? [] : [index]));
    expect(edited).toEqual([6, 7, 10]);
    for (const index of edited) {
      const [from, to] = [before[index] as string, after[index] as string];
      let start = 0;
      while (from[start] === to[start]) start += 1;
      // Everything before the value, and from its end to the closing brace, is as it was.
      expect(from.slice(0, start)).toMatch(/"content":(\[\{"type":"text","text":)?"$/);
      const rest = from.slice(from.lastIndexOf('}]}'), -1);
      expect(to).toContain(`${rest},"ctx":{"v":1,"offloaded":[`);
      const { ctx: identity, ...record } = JSON.parse(to) as Json & { ctx: Identity };
      expect(identity.v).toBe(1);
      const [entry] = identity.offloaded;
      expect(Object.keys(entry as object)).toEqual(['at', 'ref', 'method', 'tokens', 'kind']);
      expect(entry).toMatchObject({ method: 'truncate', kind: 'toolResult' });
      expect(valueAt(record, entry?.at ?? '')).toContain(`[ref: ${entry?.ref}]`);
    }
    expect(after[6]).toContain(DELICATE);
    expect(after[8]).toContain(DELICATE);
  });

  it('is the value alone where the format has no place for a key', async () => {
    put('c.json', chat());
    await ctx(['compact', 'c.json', ...TRUNCATE, ...FAST]);
    const before = JSON.parse(chat().toString('utf8')) as { messages: Json[] };
    const after = JSON.parse(readFileSync('c.compact.json', 'utf8')) as { messages: Json[] };
    for (const index of [3, 4]) {
      const was = before.messages[index] as Json;
      const is = after.messages[index] as Json;
      expect(is['content']).not.toEqual(was['content']);
      expect(Array.isArray(is['content'])).toBe(Array.isArray(was['content']));
      expect({ ...is, content: null }).toEqual({ ...was, content: null });
      was['content'] = is['content'];
    }
    expect(after).toEqual(before);
  });

  it('a string stays a string and a list a list', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '--drop', 'toolResults', ...FAST]);
    const lines = readFileSync('s.compact.jsonl', 'utf8').split('\n');
    const content = (line: number) =>
      valueAt(JSON.parse(lines[line] as string) as Json, '/message/content/0/content');
    expect(content(6)).toMatch(/^\[Dropped: ~[\d,]+ tokens\] \[ref: [0-9a-f]{12}\]$/);
    expect(content(7)).toEqual([{ type: 'text', text: expect.stringMatching(/^\[Dropped: /) }]);
  });
});

interface Identity {
  readonly v: number;
  readonly offloaded: readonly { readonly at: string; readonly ref: string }[];
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((inner, key) => (inner as Json)[key], value);
}

describe('restore', () => {
  it('keeps what a client appended after the run', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const more = `${userLine(14, 13, 'And now?')}\r\n{"torn":`;
    appendFileSync('s.compact.jsonl', more);
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back.jsonl']);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('with what was appended');
    expect(readFileSync('back.jsonl', 'utf8')).toBe(`${claude().toString('utf8')}${more}`);
  });

  it('writes beside the output when no place is named, and never over a file', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    expect((await ctx(['restore', 's.compact.jsonl'])).code).toBe(0);
    expect(names()).toEqual(
      ['s.compact.jsonl', 's.compact.jsonl.stash', 's.jsonl', 's.restored.jsonl'].toSorted(),
    );
    expect(shaOf('s.restored.jsonl')).toBe(shaOf('s.jsonl'));
    const again = await ctx(['restore', 's.compact.jsonl']);
    expect(again.code).toBe(6);
    expect(again.err).toContain('--force');
    expect((await ctx(['restore', 's.compact.jsonl', '--force'])).code).toBe(0);
    const over = await ctx(['restore', 's.compact.jsonl', '-o', 's.compact.jsonl']);
    expect(over.code).toBe(2);
    expect(over.err).toContain('--in-place');
  });

  it('finds its run by hash: a renamed output needs only its stash', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    put('elsewhere.jsonl', readFileSync('s.compact.jsonl'));
    const none = await ctx(['restore', 'elsewhere.jsonl', '-o', 'back']);
    expect([none.code, none.err]).toEqual([5, expect.stringContaining('--stash')]);
    const args = ['--stash', 's.compact.jsonl.stash', '-o', 'back'];
    expect((await ctx(['restore', 'elsewhere.jsonl', ...args])).code).toBe(0);
    expect(shaOf('back')).toBe(shaOf('s.jsonl'));
  });

  it('reports as JSON', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const ran = await ctx(['restore', 's.compact.jsonl', '--json', '-o', 'back']);
    expect(JSON.parse(ran.out)).toMatchObject({
      path: 'back',
      how: 'exact',
      runs: 1,
      bytes: claude().length,
      sha256: sha(claude()),
      lost: [],
    });
  });

  it('works with --no-verify outputs too', async () => {
    put('s.jsonl', claude());
    const ran = await ctx(['compact', 's.jsonl', '--no-verify', '--json', ...TRUNCATE, ...FAST]);
    expect(report(ran)['verify']).toBeNull();
    await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(shaOf('back')).toBe(shaOf('s.jsonl'));
  });
});

describe('two runs', () => {
  const FIRST = ['--truncate', 'tool::Bash:blockThreshold=200,previewTokens=60', ...FAST];
  const SECOND = ['--drop', 'tool::Grep', ...FAST];

  it('in one file: the whole chain, or the last run alone', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '--in-place', ...FIRST]);
    const middle = shaOf('s.jsonl');
    await ctx(['compact', 's.jsonl', '--in-place', ...SECOND]);
    expect(names()).toEqual(['s.jsonl', 's.jsonl.stash']);
    expect((await ctx(['restore', 's.jsonl', '--last', '-o', 'last'])).out).toContain(
      '1 run undone',
    );
    expect(shaOf('last')).toBe(middle);
    expect((await ctx(['restore', 's.jsonl', '-o', 'all'])).out).toContain('2 runs undone');
    expect(shaOf('all')).toBe(sha(claude()));
    // In place by default, because it was compacted in place.
    expect((await ctx(['restore', 's.jsonl'])).code).toBe(0);
    expect(shaOf('s.jsonl')).toBe(sha(claude()));
  });

  it('into another file: the stash is carried forward and stands alone', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '-o', 'one.jsonl', ...FIRST]);
    const ran = await ctx(['compact', 'one.jsonl', '-o', 'two.jsonl', ...SECOND]);
    expect(ran.code).toBe(0);
    put('two.only', readFileSync('two.jsonl'));
    put('two.only.stash', readFileSync('two.jsonl.stash'));
    const back = await ctx(['restore', 'two.only', '-o', 'all']);
    expect(back.out).toContain('2 runs undone');
    expect(shaOf('all')).toBe(sha(claude()));
    await ctx(['restore', 'two.only', '--last', '-o', 'last']);
    expect(shaOf('last')).toBe(shaOf('one.jsonl'));
    const [ref = ''] = /(?<=ref: )[0-9a-f]{12}/.exec(readFileSync('one.jsonl', 'utf8')) ?? [];
    expect((await ctx(['retrieve', ref, '--stash', 'two.only.stash'])).out).toBe(BASH_TEXT);
    expect((await ctx(['verify', 'two.only'])).code).toBe(0);
  });

  it('with lines that a client appended between them', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '--in-place', ...FIRST]);
    const more = claude([
      userLine(14, 13, 'Run it again.'),
      callLine(15, 14, 'msg_5', 't4', 'Bash', {}),
      resultLine(16, 15, 't4', JSON.stringify(longText('again'))),
      replyLine(17, 16, 'msg_6', { type: 'text', text: 'Green.' }),
    ]);
    appendFileSync('s.jsonl', more);
    await ctx(['compact', 's.jsonl', '--in-place', ...FIRST]);
    const ran = await ctx(['restore', 's.jsonl', '-o', 'all']);
    expect(ran.code).toBe(0);
    expect(shaOf('all')).toBe(sha(Buffer.concat([claude(), more])));
  });

  it('the second with nothing to do leaves file and stash alone', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '--in-place', ...FIRST]);
    const before = [shaOf('s.jsonl'), shaOf('s.jsonl.stash')];
    const ran = await ctx(['compact', 's.jsonl', '--in-place', ...FIRST]);
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('nothing to do')]);
    expect([shaOf('s.jsonl'), shaOf('s.jsonl.stash')]).toEqual(before);
  });
});
