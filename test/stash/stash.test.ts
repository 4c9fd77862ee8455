import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashPieces } from '../../src/hash/hash.ts';
import { buildStash } from '../../src/stash/build.ts';
import { originalLine, readOriginal } from '../../src/stash/lines.ts';
import { RefBook } from '../../src/stash/refs.ts';
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

describe('a stash that was damaged', () => {
  it('by a torn tail: it is skipped, and the next run goes on behind it', async () => {
    const [bash] = await compacted('--drop', 'tool::Bash');
    appendFileSync(STASH, '{"t":"original","ref":"ffffffffffff","sha2');
    expect((await ctx(['retrieve', bash])).out).toBe(BASH_TEXT);
    const ran = await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Grep', ...FAST]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect((await ctx(['retrieve', bash])).out).toBe(BASH_TEXT);
    const back = await ctx(['restore', 's.jsonl', '-o', 'back']);
    expect(back.out).toContain('2 runs undone');
    expect(readFileSync('back').equals(claude())).toBe(true);
    expect((await ctx(['verify', 's.jsonl'])).code).toBe(0);
  });

  it('at any byte of its last run: what lies before it is read', async () => {
    const [bash] = await compacted('--drop', 'tool::Bash');
    const first = readFileSync(STASH);
    await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Grep', ...FAST]);
    const second = readFileSync(STASH);
    for (let cut = first.length; cut < second.length; cut += 397) {
      writeFileSync(STASH, second.subarray(0, cut));
      expect([cut, (await ctx(['retrieve', bash])).out === BASH_TEXT]).toEqual([cut, true]);
    }
  });

  it('without its table: it is rebuilt by a scan', async () => {
    const refs = await compacted();
    writeFileSync(STASH, `${lines().slice(0, -1).join('\n')}\n`);
    for (const ref of refs) expect((await ctx(['retrieve', ref])).code).toBe(0);
    await ctx(['restore', 's.jsonl', '-o', 'back']);
    expect(readFileSync('back').equals(claude())).toBe(true);
    const list = await ctx(['retrieve', '--list', '--json']);
    expect(JSON.parse(list.out)).toMatchObject({ runs: [{ refs }] });
  });

  it('in an entry: exit 5 for it alone, and verify names it', async () => {
    const [bash, read] = await compacted();
    writeFileSync(STASH, readFileSync(STASH, 'utf8').replace('bash line 7:', 'bash line 8:'));
    const ran = await ctx(['retrieve', bash]);
    expect(ran.code).toBe(5);
    expect(errorLine(ran)).toContain('does not match its hash');
    expect(ran.out).toBe('');
    expect((await ctx(['retrieve', read])).out).toBe(READ_TEXT);
    const before = names();
    const back = await ctx(['restore', 's.jsonl', '-o', 'back']);
    expect(back.code).toBe(5);
    errorLine(back);
    expect(names()).toEqual(before);
    const verified = await ctx(['verify', 's.jsonl']);
    expect(verified.code).toBe(1);
    expect(verified.out).toContain(bash);
  });

  it('in its run line: restore says so and writes nothing', async () => {
    await compacted();
    const undo = readFileSync(STASH, 'utf8').replace(/"undo":\[\[\d+,/, '"undo":[[1,');
    writeFileSync(STASH, undo);
    const before = names();
    const ran = await ctx(['restore', 's.jsonl', '-o', 'back']);
    expect(ran.code).toBe(5);
    errorLine(ran);
    expect(names()).toEqual(before);
  });

  it('in an entry that is offloaded again: it is stored anew', async () => {
    const [bash] = await compacted('--drop', 'tool::Bash');
    await ctx(['restore', 's.jsonl']);
    expect(readFileSync('s.jsonl').equals(claude())).toBe(true);
    writeFileSync(STASH, readFileSync(STASH, 'utf8').replace('bash line 7:', 'bash line 8:'));
    expect((await ctx(['retrieve', bash])).code).toBe(5);
    const ran = await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'toolResults', ...FAST]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect((await ctx(['retrieve', bash])).out).toBe(BASH_TEXT);
    await ctx(['restore', 's.jsonl', '-o', 'back']);
    expect(readFileSync('back').equals(claude())).toBe(true);
  });

  it('so that it is no stash at all', async () => {
    const [bash] = await compacted();
    for (const text of ['', 'hello\n', '{"ctx":"other"}\n', '\0\0\0\0', '[]\n']) {
      writeFileSync(STASH, text);
      const ran = await ctx(['retrieve', bash]);
      expect([text, ran.code]).toEqual([text, 5]);
      expect(errorLine(ran)).toContain('is not a stash');
    }
  });

  it('is not written to', async () => {
    await compacted();
    writeFileSync(STASH, 'notes of mine\n');
    const before = [shaOf('s.jsonl'), shaOf(STASH)];
    const ran = await ctx(['compact', 's.jsonl', '--in-place', '--drop', 'tool::Grep', ...FAST]);
    expect(ran.code).toBe(5);
    expect([shaOf('s.jsonl'), shaOf(STASH)]).toEqual(before);
    expect(names()).toEqual(['s.jsonl', STASH]);
  });
});

describe('a stash of a newer ctx', () => {
  it('is refused with advice, for reading and for writing', async () => {
    const [bash] = await compacted();
    writeFileSync(STASH, readFileSync(STASH, 'utf8').replace('"v":1}', '"v":2}'));
    const before = shaOf(STASH);
    for (const args of [
      ['retrieve', bash],
      ['restore', 's.jsonl', '-o', 'back'],
      ['compact', 's.jsonl', '--in-place', '--drop', 'toolResults'],
      ['explain', 's.jsonl'],
      ['verify', 's.jsonl'],
    ]) {
      const ran = await ctx(args);
      expect([args[0], ran.code]).toEqual([args[0], 5]);
      expect(errorLine(ran)).toContain('newer ctx');
      expect(ran.err).toMatch(/ {2}install/);
    }
    expect(shaOf(STASH)).toBe(before);
    expect(names()).toEqual(['s.jsonl', STASH]);
  });
});

describe('finding an original', () => {
  /** A stash with two originals whose refs share 8 digits, and one whose ref begins another. */
  function crafted(): void {
    const facts = (ref: string) => ({
      ref,
      sha256: hashPieces([body(ref)]),
      kind: 'text',
      tokens: 1,
    });
    const body = (ref: string) => Buffer.from(JSON.stringify(ref));
    const refs = ['abcdef120001', 'abcdef129999', '5555555555550', '555555555555'];
    writeFileSync(
      'x.stash',
      buildStash(
        refs.map((ref) => ({ facts: facts(ref), pieces: [body(ref)] })),
        [],
      ),
    );
  }

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
    expect(errorLine(ran)).toContain('at least 6');
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
