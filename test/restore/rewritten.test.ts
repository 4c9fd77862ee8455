import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, errorLine, names, put, refsOf, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import {
  BASH_TEXT,
  chat,
  claude,
  claudeLines,
  GREP_TEXT,
  pictureClaude,
  READ_TEXT,
} from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];

useFolder();

type Json = Record<string, unknown>;

/** Every line parsed and printed again, as a client does that rewrites its file. */
function rewritten(path: string, change: (record: Json) => Json = (record) => record): string {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const printed = lines.map((line) => JSON.stringify(change(JSON.parse(line) as Json)));
  return printed.map((line) => `${line.replaceAll('":', '": ')}\n`).join('');
}

function values(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line));
}

const ORIGINAL = values(claude().toString('utf8'));

async function compacted(...flags: string[]): Promise<string[]> {
  put('s.jsonl', claude());
  return refsOf(await ctx(['compact', 's.jsonl', '--json', ...flags, ...FAST]));
}

describe('a file that a client rewrote', () => {
  it('is restored block by block, with a warning and exit 0', async () => {
    await compacted(...TRUNCATE);
    put('s.compact.jsonl', rewritten('s.compact.jsonl'));
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/^ctx: warning: .*rewritten.*block by block\n$/);
    expect(ran.out).toContain('block by block');
    expect(values(readFileSync('back', 'utf8'))).toEqual(ORIGINAL);
  });

  it('without our key as well: the marker text is enough', async () => {
    await compacted('--drop', 'toolResults');
    const bare = rewritten('s.compact.jsonl', ({ ctx: _key, ...record }) => record);
    put('s.compact.jsonl', bare);
    expect(bare).not.toContain('"ctx"');
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(ran.code).toBe(0);
    expect(values(readFileSync('back', 'utf8'))).toEqual(ORIGINAL);
  });

  it('with messages removed: the records come back to their place', async () => {
    await compacted('--drop', '*:preserveRecent=2');
    const before = values(readFileSync('s.compact.jsonl', 'utf8'));
    expect(before.length).toBeLessThan(ORIGINAL.length);
    put('s.compact.jsonl', rewritten('s.compact.jsonl'));
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(ran.code).toBe(0);
    const back = values(readFileSync('back', 'utf8'));
    expect(sorted(back)).toEqual(sorted(ORIGINAL));
  });

  it('a document of messages', async () => {
    put('c.json', chat());
    await ctx(['compact', 'c.json', ...TRUNCATE, ...FAST]);
    const text = JSON.stringify(JSON.parse(readFileSync('c.compact.json', 'utf8')));
    put('c.compact.json', text);
    const ran = await ctx(['restore', 'c.compact.json', '-o', 'back']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(readFileSync('back', 'utf8'))).toEqual(JSON.parse(chat().toString('utf8')));
  });

  it('after two runs, both are undone', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Bash', ...FAST]);
    await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Grep', ...FAST]);
    put('s.jsonl', rewritten('s.jsonl'));
    const ran = await ctx(['restore', 's.jsonl', '-o', 'back']);
    expect(ran.code).toBe(0);
    expect(values(readFileSync('back', 'utf8'))).toEqual(ORIGINAL);
  });

  it('exit 5 when an original has no place any more; the others come back', async () => {
    const refs = await compacted(...TRUNCATE);
    const gone = refs[2] as string;
    const text = rewritten('s.compact.jsonl', (record) =>
      JSON.stringify(record).includes(gone)
        ? (JSON.parse(claudeLines()[13] as string) as Json)
        : record,
    );
    expect(text).not.toContain(gone);
    put('s.compact.jsonl', text);
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(ran.code).toBe(5);
    expect(ran.err).toContain(`the original ${gone} has no place in the file any more`);
    const back = readFileSync('back', 'utf8');
    expect(back).toContain(JSON.stringify(BASH_TEXT));
    expect(back).toContain(JSON.stringify(READ_TEXT));
    // It is not lost: only its place is.
    expect((await ctx(['retrieve', gone])).out).toBe(GREP_TEXT);
  });

  it('a marker that was edited is not taken for ours', async () => {
    const [first = '', ...others] = await compacted('--drop', 'toolResults');
    const text = rewritten('s.compact.jsonl').replace(` [ref: ${first}]`, ' (see notes)');
    put('s.compact.jsonl', text);
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(ran.code).toBe(5);
    expect(ran.err).toContain(first);
    for (const ref of others) expect(ran.err).not.toContain(ref);
    expect(readFileSync('back', 'utf8')).toContain(' (see notes)');
  });

  it('a file that has nothing to do with the stash is refused', async () => {
    await compacted(...TRUNCATE);
    put('other.jsonl', pictureClaude());
    const ran = await ctx(['restore', 'other.jsonl', '--stash', 's.compact.jsonl.stash']);
    expect(ran.code).toBe(5);
  });
});

function sorted(records: readonly unknown[]): string[] {
  return records.map((record) => JSON.stringify(record)).toSorted();
}

describe('restore --ref', () => {
  it('brings one original back and leaves the rest compacted', async () => {
    const [bash = '', read = '', grep = ''] = await compacted(...TRUNCATE);
    const args = ['--ref', read.slice(0, 8), '-o', 'back.jsonl'];
    const ran = await ctx(['restore', 's.compact.jsonl', ...args]);
    expect(ran.code).toBe(0);
    const before = claude().toString('utf8').split('\n');
    const middle = readFileSync('s.compact.jsonl', 'utf8').split('\n');
    const after = readFileSync('back.jsonl', 'utf8').split('\n');
    expect(after).toEqual(middle.with(7, before[7] as string));
    expect(after.join()).toContain(bash);
    expect(after.join()).toContain(grep);
    // What still holds markers has a stash beside it.
    expect((await ctx(['verify', 'back.jsonl'])).code).toBe(0);
  });

  it('all refs one by one give the original bytes', async () => {
    const refs = await compacted(...TRUNCATE);
    const flags = refs.flatMap((ref) => ['--ref', ref]);
    const ran = await ctx(['restore', 's.compact.jsonl', ...flags, '-o', 'back.jsonl']);
    expect(ran.code).toBe(0);
    expect(shaOf('back.jsonl')).toBe(shaOf('s.jsonl'));
  });

  it('a document of messages', async () => {
    put('c.json', chat());
    const [first = '', second = ''] = refsOf(
      await ctx(['compact', 'c.json', '--json', ...TRUNCATE, ...FAST]),
    );
    const args = ['--ref', second, '--ref', first, '-o', 'back.json'];
    expect((await ctx(['restore', 'c.compact.json', ...args])).code).toBe(0);
    expect(shaOf('back.json')).toBe(shaOf('c.json'));
  });

  it('a ref that the stash does not hold is refused, and nothing is written', async () => {
    await compacted(...TRUNCATE);
    const before = names();
    const ran = await ctx(['restore', 's.compact.jsonl', '--ref', 'ffffffffffff']);
    expect(ran.code).toBe(5);
    expect(errorLine(ran)).toContain('ffffffffffff');
    expect(names()).toEqual(before);
  });

  it('a picture', async () => {
    put('p.jsonl', pictureClaude());
    const flags = ['--drop', 'media:preserveRecent=1', '--json', ...FAST];
    const refs = refsOf(await ctx(['compact', 'p.jsonl', ...flags]));
    expect(refs).toHaveLength(1);
    await ctx(['restore', 'p.compact.jsonl', '--ref', refs[0] as string, '-o', 'back']);
    expect(shaOf('back')).toBe(shaOf('p.jsonl'));
  });
});
