import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashPieces } from '../../src/hash/hash.ts';
import { buildStash } from '../../src/stash/build.ts';
import { RefBook } from '../../src/stash/refs.ts';
import { ctx, errorLine, put, refsOf, TRUNCATE, useFolder } from '../support/cli.ts';
import { BASH_TEXT, claude } from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];
const STASH = 's.jsonl.stash';

useFolder();

/** Compacts a session in place and gives its refs. */
async function compacted(...flags: string[]): Promise<[string, string, string]> {
  put('s.jsonl', claude());
  const steps = flags.length === 0 ? TRUNCATE : flags;
  const ran = await ctx(['compact', 's.jsonl', '--in-place', '--json', ...steps, ...FAST]);
  expect(ran.code).toBe(0);
  return refsOf(ran) as [string, string, string];
}

/** A stash with two originals whose refs share 8 digits, and one whose ref begins another. */
function crafted(): void {
  const refs = ['abcdef120001', 'abcdef129999', '5555555555550', '555555555555'];
  const originals = refs.map((ref) => {
    const body = Buffer.from(JSON.stringify(ref));
    return { facts: { ref, sha256: hashPieces([body]), kind: 'text', tokens: 1 }, pieces: [body] };
  });
  writeFileSync('x.stash', buildStash(originals, []));
}

describe('finding an original', () => {
  it('a unique prefix of six digits or more is enough, in any case', async () => {
    crafted();
    for (const ref of ['abcdef120001', 'abcdef1200', 'ABCDEF1200'])
      expect((await ctx(['retrieve', ref])).out).toBe('abcdef120001');
  });

  it('a complete ref wins over a longer one that it begins', async () => {
    crafted();
    expect((await ctx(['retrieve', '555555555555'])).out).toBe('555555555555');
    expect((await ctx(['retrieve', '5555555555550'])).out).toBe('5555555555550');
    expect((await ctx(['retrieve', '55555555'])).code).toBe(5);
  });

  it('four failures have four messages, all exit 5', async () => {
    const missing = await ctx(['retrieve', 'abcdef120001']);
    const named = await ctx(['retrieve', 'abcdef120001', '--stash', 'no.stash']);
    crafted();
    const unknown = await ctx(['retrieve', '0000000000']);
    const ambiguous = await ctx(['retrieve', 'abcdef12']);
    const damaged = readFileSync('x.stash', 'utf8').replace('["abcdef120001"]', '["abcdef120002"]');
    writeFileSync('x.stash', damaged);
    const corrupt = await ctx(['retrieve', 'abcdef120001']);
    const all = [missing, named, unknown, ambiguous, corrupt];
    expect(all.map(({ code }) => code)).toEqual([5, 5, 5, 5, 5]);
    expect(all.map(({ out }) => out)).toEqual(['', '', '', '', '']);
    expect(errorLine(missing)).toContain('no stash was found');
    expect(errorLine(named)).toContain('there is no stash at no.stash');
    expect(errorLine(unknown)).toContain('holds no original 0000000000');
    expect(errorLine(ambiguous)).toMatch(/abcdef120001, abcdef129999/);
    expect(errorLine(corrupt)).toContain('does not match its hash');
  });

  it('a prefix of fewer than six digits is refused, even when it is unique', async () => {
    crafted();
    const ran = await ctx(['retrieve', 'abcde']);
    expect(ran.code).toBe(5);
    expect(errorLine(ran)).toContain('abcde');
    expect(ran.err).toContain('at least 6');
  });

  it('a ref that is no hex is unknown, and never reaches the output raw', async () => {
    crafted();
    for (const ref of ['zzzzzzzz', '../../etc/passwd', '\u001b[31mred', '']) {
      const ran = await ctx(['retrieve', ref]);
      expect([ref, ran.code === 5 || ran.code === 2]).toEqual([ref, true]);
      expect(ran.err).not.toContain('\u001b');
    }
  });

  it('looks at --stash, then CTX_STASH, then in the folder, then in the list', async () => {
    const [bash] = await compacted();
    writeFileSync('kept.bin', readFileSync(STASH));
    writeFileSync(STASH, 'not a stash\n');
    const env = { CTX_STASH: 'kept.bin' };
    expect((await ctx(['retrieve', bash], { env })).out).toBe(BASH_TEXT);
    expect((await ctx(['retrieve', bash, '--stash', 'kept.bin'])).out).toBe(BASH_TEXT);
    expect((await ctx(['retrieve', bash, '--stash', STASH], { env })).code).toBe(5);
    expect((await ctx(['retrieve', bash])).code).toBe(5);
  });

  it('the list of stashes is written by a run, found from elsewhere, and can be turned off', async () => {
    const { mkdirSync, rmSync, renameSync } = await import('node:fs');
    mkdirSync('work');
    put('work/s.jsonl', claude());
    const env = { CTX_NO_INDEX: '', XDG_DATA_HOME: 'data' };
    const flags = ['--json', ...TRUNCATE, ...FAST];
    const [bash = ''] = refsOf(await ctx(['compact', 'work/s.jsonl', ...flags], { env }));
    expect(readFileSync('data/ctx/stashes', 'utf8')).toMatch(/work\/s\.compact\.jsonl\.stash\n$/);
    await ctx(['compact', 'work/s.jsonl', ...flags], { env });
    expect(readFileSync('data/ctx/stashes', 'utf8').match(/\n/g)).toHaveLength(1);
    expect((await ctx(['retrieve', bash], { env })).out).toBe(BASH_TEXT);
    expect((await ctx(['retrieve', bash])).code).toBe(5);
    // A list that can not be written fails no run.
    rmSync('data', { recursive: true });
    writeFileSync('data', 'a file');
    renameSync('work/s.jsonl', 'work/t.jsonl');
    expect((await ctx(['compact', 'work/t.jsonl', ...flags], { env })).code).toBe(0);
  });
});

describe('RefBook', () => {
  const base = 'a'.repeat(12);
  const one = base.padEnd(64, '1');
  const two = base.padEnd(64, '2');
  const three = `${base}2`.padEnd(64, '3');

  it('gives twelve digits, and the same ref for the same bytes', () => {
    const book = new RefBook();
    expect(book.assign(one)).toBe(base);
    expect(book.assign(one)).toBe(base);
  });

  it('lengthens the new one when two originals share them, never the old one', () => {
    const book = new RefBook();
    expect([book.assign(one), book.assign(two), book.assign(three)]).toEqual([
      base,
      `${base}2`,
      `${base}23`,
    ]);
    expect(book.assign(one)).toBe(base);
    expect(book.assign(two)).toBe(`${base}2`);
  });

  it('knows the originals of a stash', () => {
    const book = new RefBook([[base, one]]);
    expect(book.assign(two)).toBe(`${base}2`);
    expect(book.assign(one)).toBe(base);
  });
});
