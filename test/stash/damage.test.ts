import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, errorLine, names, put, refsOf, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import { BASH_TEXT, claude, READ_TEXT } from '../support/session.ts';

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
