import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashPieces } from '../../src/hash/hash.ts';
import { originalLine, readOriginal } from '../../src/stash/lines.ts';
import { ctx, errorLine, names, put, refsOf, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import { BASH_TEXT, chat, claude, READ_TEXT } from '../support/session.ts';

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

function lines(): string[] {
  return readFileSync(STASH, 'utf8').split('\n').slice(0, -1);
}

describe('the file', () => {
  it.skipIf(process.platform === 'win32')('is readable by its owner alone', async () => {
    await compacted();
    expect(statSync(STASH).mode & 0o777).toBe(0o600);
  });

  it('is JSON Lines: header, originals, run, table of contents', async () => {
    const refs = await compacted();
    const values = lines().map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(values.map(({ t, ctx: name }) => t ?? name)).toEqual([
      'stash',
      'original',
      'original',
      'original',
      'run',
      'toc',
    ]);
    expect(values.slice(1, 4).map(({ ref }) => ref)).toEqual(refs);
    for (const { ref, sha256 } of values.slice(1, 4))
      expect(String(sha256).startsWith(String(ref))).toBe(true);
    expect(Object.keys(values[5]?.['refs'] as object)).toEqual(refs);
  });

  it('names no path of the machine', async () => {
    await compacted();
    expect(readFileSync(STASH, 'utf8')).not.toContain(process.cwd());
  });

  it('is only appended to', async () => {
    await compacted('--drop', 'tool::Bash');
    const first = readFileSync(STASH);
    await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Grep', ...FAST]);
    const second = readFileSync(STASH);
    expect(second.length).toBeGreaterThan(first.length);
    expect(second.subarray(0, first.length).equals(first)).toBe(true);
  });

  it('holds equal originals once', async () => {
    const text = claude().toString('utf8').replaceAll(JSON.stringify(BASH_TEXT), '"same"');
    const twice = text
      .replace('"same"', JSON.stringify(BASH_TEXT))
      .replace(
        /"t3","content":"(?:[^"\\]|\\.)*"/,
        () => `"t3","content":${JSON.stringify(BASH_TEXT)}`,
      );
    put('s.jsonl', twice);
    const flags = ['--in-place', '--json', ...TRUNCATE, ...FAST];
    const [one, , three] = refsOf(await ctx(['compact', 's.jsonl', ...flags]));
    expect(one).toBe(three);
    expect(lines().filter((line) => line.startsWith('{"t":"original"'))).toHaveLength(2);
    await ctx(['restore', 's.jsonl', '-o', 'back']);
    expect(readFileSync('back', 'utf8')).toBe(twice);
  });

  it('keeps a pretty-printed original with its newlines', async () => {
    put('c.json', chat(2));
    const ran = await ctx(['compact', 'c.json', '--json', ...TRUNCATE, ...FAST]);
    const [, second = ''] = refsOf(ran);
    const raw = await ctx(['retrieve', second, '--raw']);
    expect(chat(2).includes(raw.bytes)).toBe(true);
    expect((await ctx(['retrieve', second])).out).toBe(READ_TEXT);
    await ctx(['restore', 'c.compact.json', '-o', 'back']);
    expect(shaOf('back')).toBe(shaOf('c.json'));
  });

  it('keeps a removed record of a pretty-printed document, newlines and all', async () => {
    put('c.json', chat(4));
    const ran = await ctx(['compact', 'c.json', '--json', '--drop', '*:preserveRecent=2', ...FAST]);
    const [ref = ''] = refsOf(ran);
    const raw = await ctx(['retrieve', ref, '--raw']);
    expect(raw.out).toContain('\n            "role": ');
    const shown = await ctx(['retrieve', ref]);
    expect(shown.code).toBe(0);
    await ctx(['restore', 'c.compact.json', '-o', 'back']);
    expect(shaOf('back')).toBe(shaOf('c.json'));
  });
});

describe('entries', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['a string', ['"a"']],
    ['several pieces', ['"a"', '{"b":15.0}', '[]']],
    ['a newline', ['{\n  "a": 1\n}']],
    ['a carriage return', ['{\r\n"a":1}']],
    ['spaces around', [' "a" ']],
    [
      'the marks of our own line',
      ['",\\"pieces\\":[\\"base64\\":["', '{"pieces":["x"],"base64":[]}'],
    ],
    ['nothing', []],
    ['an empty piece', ['', '"a"']],
  ];
  it.each(cases)('with %s come back byte for byte', (_name, texts) => {
    const pieces = texts.map((text) => Buffer.from(text));
    const sha256 = hashPieces(pieces);
    const facts = {
      ref: sha256.slice(0, 12),
      sha256,
      kind: 'text',
      tokens: 3,
      tool: '","pieces":[',
    };
    const line = originalLine(facts, pieces);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    const back = readOriginal(line.subarray(0, -1));
    expect(back?.pieces.map(String)).toEqual(texts);
    expect(back).toMatchObject(facts);
  });

  it('with bytes that are no UTF-8', () => {
    const pieces = [Buffer.from([0x22, 0xff, 0xfe, 0x22])];
    const sha256 = hashPieces(pieces);
    const line = originalLine({ ref: 'x', sha256, kind: 'text', tokens: 3 }, pieces);
    expect(readOriginal(line.subarray(0, -1))?.pieces[0]?.equals(pieces[0] as Buffer)).toBe(true);
  });
});

describe('the lock', () => {
  it('of a process that runs refuses a second writer, and readers need none', async () => {
    const [bash] = await compacted('--drop', 'tool::Bash');
    const before = [shaOf('s.jsonl'), shaOf(STASH)];
    writeFileSync(`${STASH}.lock`, String(process.ppid));
    const ran = await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Grep', ...FAST]);
    expect(ran.code).toBe(5);
    expect(errorLine(ran)).toContain('another ctx is writing');
    expect([shaOf('s.jsonl'), shaOf(STASH)]).toEqual(before);
    expect(existsSync(`${STASH}.lock`)).toBe(true);
    expect((await ctx(['retrieve', bash])).code).toBe(0);
    expect((await ctx(['restore', 's.jsonl', '-o', 'back'])).code).toBe(0);
  });

  it.each(['4194300', '', 'rubbish', '-1', '0'])('that names %j is taken over', async (owner) => {
    await compacted('--drop', 'tool::Bash');
    writeFileSync(`${STASH}.lock`, owner);
    const ran = await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Grep', ...FAST]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(names()).toEqual(['s.jsonl', STASH]);
  });
});
