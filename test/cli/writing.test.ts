import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, names, put, report, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import { claude, smallClaude } from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];
const ARGS = [...TRUNCATE, ...FAST];

useFolder();

describe('writing', () => {
  it('a foreign file in the place of the output is refused, and replaced with --force', async () => {
    put('s.jsonl', claude());
    put('s.compact.jsonl', 'mine');
    const ran = await ctx(['compact', 's.jsonl', ...ARGS]);
    expect(ran.code).toBe(6);
    expect(ran.err).toContain('--force');
    expect(readFileSync('s.compact.jsonl', 'utf8')).toBe('mine');
    expect(names()).toEqual(['s.compact.jsonl', 's.jsonl']);
    expect((await ctx(['compact', 's.jsonl', '--force', ...ARGS])).code).toBe(0);
    await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(shaOf('back')).toBe(shaOf('s.jsonl'));
  });

  it('an own output that nobody touched is replaced, one that a client touched is not', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...ARGS]);
    const again = await ctx(['compact', 's.jsonl', '--drop', 'toolResults', ...FAST]);
    expect([again.code, again.err]).toEqual([0, '']);
    await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(shaOf('back')).toBe(shaOf('s.jsonl'));
    appendFileSync('s.compact.jsonl', '\n');
    const touched = await ctx(['compact', 's.jsonl', ...ARGS]);
    expect(touched.code).toBe(6);
  });

  it('the same run again gives the same bytes and leaves the stash as it is', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...ARGS]);
    const before = [shaOf('s.compact.jsonl'), shaOf('s.compact.jsonl.stash')];
    expect((await ctx(['compact', 's.jsonl', ...ARGS])).code).toBe(0);
    expect([shaOf('s.compact.jsonl'), shaOf('s.compact.jsonl.stash')]).toEqual(before);
  });

  it('with nothing to do: no file for the default name, a copy for -o and --out-dir', async () => {
    put('s.jsonl', smallClaude());
    expect((await ctx(['compact', 's.jsonl', ...ARGS])).code).toBe(0);
    expect((await ctx(['compact', 's.jsonl', '--in-place', ...ARGS])).code).toBe(0);
    expect(names()).toEqual(['s.jsonl']);
    const value = report(await ctx(['compact', 's.jsonl', '-o', 'o.jsonl', '--json', ...ARGS]));
    expect(value).toMatchObject({ output: { path: 'o.jsonl' }, stash: null });
    await ctx(['compact', 's.jsonl', '--out-dir', 'out', ...ARGS]);
    expect(names()).toEqual(['o.jsonl', 'out', 'out/s.jsonl', 's.jsonl']);
    expect([shaOf('o.jsonl'), shaOf('out/s.jsonl')]).toEqual([shaOf('s.jsonl'), shaOf('s.jsonl')]);
  });

  it('a copy does not replace a foreign file either', async () => {
    put('s.jsonl', smallClaude());
    put('o.jsonl', 'mine');
    expect((await ctx(['compact', 's.jsonl', '-o', 'o.jsonl', ...ARGS])).code).toBe(6);
    expect(readFileSync('o.jsonl', 'utf8')).toBe('mine');
    expect((await ctx(['compact', 's.jsonl', '-o', 'o.jsonl', '--force', ...ARGS])).code).toBe(0);
    expect(shaOf('o.jsonl')).toBe(shaOf('s.jsonl'));
  });

  it.skipIf(process.platform === 'win32')('the output has the mode of the input', async () => {
    const { chmodSync } = await import('node:fs');
    put('s.jsonl', claude());
    chmodSync('s.jsonl', 0o640);
    await ctx(['compact', 's.jsonl', ...ARGS]);
    expect(statSync('s.compact.jsonl').mode & 0o777).toBe(0o640);
  });

  it('in place through a link: the file behind it is replaced, the link stays', async () => {
    mkdirSync('real');
    put('real/s.jsonl', claude());
    symlinkSync('real/s.jsonl', 'link.jsonl');
    const ran = await ctx(['compact', 'link.jsonl', '--in-place', ...ARGS]);
    expect(ran.code).toBe(0);
    const { lstatSync } = await import('node:fs');
    expect(lstatSync('link.jsonl').isSymbolicLink()).toBe(true);
    expect(shaOf('real/s.jsonl')).toBe(shaOf('link.jsonl'));
    expect(readFileSync('real/s.jsonl', 'utf8')).toContain('[Truncated: ');
    expect((await ctx(['restore', 'link.jsonl', '-o', 'back'])).code).toBe(0);
    expect(readFileSync('back').equals(claude())).toBe(true);
  });

  it('--dry-run and explain write nothing, wherever they are pointed', async () => {
    put('s.jsonl', claude());
    for (const flags of [['--in-place'], ['-o', 'x'], ['--out-dir', 'd'], ['--stash', 'y']])
      expect((await ctx(['compact', 's.jsonl', '--dry-run', ...flags, ...ARGS])).code).toBe(0);
    await ctx(['explain', 's.jsonl', ...ARGS]);
    expect(names()).toEqual(['s.jsonl']);
    expect(readFileSync('s.jsonl').equals(claude())).toBe(true);
  });

  it('--marker-hint cli adds the command, the default nothing', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '-o', 'a', ...ARGS]);
    expect(readFileSync('a', 'utf8')).not.toContain('ctx retrieve');
    await ctx(['compact', 's.jsonl', '-o', 'b', '--marker-hint', 'cli', ...ARGS]);
    expect(readFileSync('b', 'utf8')).toMatch(/\(original: ctx retrieve [0-9a-f]{12}\)/);
  });

  it("in a client's session folder: the output goes to the current directory", async () => {
    const folder = '.claude/projects/-home-dev-shop';
    mkdirSync(folder, { recursive: true });
    put(`${folder}/s.jsonl`, claude());
    const ran = await ctx(['compact', `${folder}/s.jsonl`, ...ARGS]);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain(`cp s.compact.jsonl ${folder}/s.jsonl`);
    expect(names().filter((name) => name.includes('s.'))).toEqual(
      [`${folder}/s.jsonl`, 's.compact.jsonl', 's.compact.jsonl.stash'].toSorted(),
    );
  });

  it('a name without an extension, with dots, with spaces', async () => {
    mkdirSync('a.b');
    for (const [name, output] of [
      ['plain', 'plain.compact'],
      ['a.b/c', 'a.b/c.compact'],
      ['two.dots.jsonl', 'two.dots.compact.jsonl'],
      ['with space.jsonl', 'with space.compact.jsonl'],
      ['./here.jsonl', './here.compact.jsonl'],
    ] as const) {
      put(name, claude());
      const value = report(await ctx(['compact', name, '--json', ...ARGS]));
      expect(value).toMatchObject({ output: { path: output } });
      expect(existsSync(output)).toBe(true);
    }
    const shown = await ctx(['compact', 'with space.jsonl', '-o', "it's.jsonl", ...ARGS]);
    expect(shown.out).toContain(`ctx restore 'it'\\''s.jsonl'`);
  });
});

describe('standard input', () => {
  it('compact - --stash: the transcript to stdout, the table to stderr', async () => {
    const stdin = claude();
    const ran = await ctx(['compact', '-', '--stash', 'x.stash', ...ARGS], { stdin });
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/tokens +[\d,]+ -> /);
    expect(names()).toEqual(['x.stash']);
    put('o.jsonl', ran.bytes);
    await ctx(['restore', 'o.jsonl', '--stash', 'x.stash', '-o', 'back']);
    expect(readFileSync('back').equals(claude())).toBe(true);
  });

  it('gives the same bytes as a file', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...ARGS]);
    const ran = await ctx(['compact', '-', '--stash', 'x', '-q', ...ARGS], { stdin: claude() });
    expect([ran.err, ran.bytes.equals(readFileSync('s.compact.jsonl'))]).toEqual(['', true]);
    const file = await ctx(['compact', 's.jsonl', '-o', '-', '--stash', 'y', '-q', ...ARGS]);
    expect(file.bytes.equals(ran.bytes)).toBe(true);
  });

  it('--json goes to stderr then, so that stdout is the transcript alone', async () => {
    const flags = ['--stash', 'x', '--json', ...ARGS];
    const ran = await ctx(['compact', '-', ...flags], { stdin: claude() });
    expect(JSON.parse(ran.err)).toMatchObject({ schema: 'ctx.report/1', output: { path: '-' } });
    expect(ran.out).toContain('[Truncated: ');
  });

  it('with nothing to do it is passed on byte for byte, and no stash is made', async () => {
    const stdin = smallClaude();
    const ran = await ctx(['compact', '-', '--stash', 'x.stash', ...ARGS], { stdin });
    expect([ran.code, ran.bytes.equals(stdin)]).toEqual([0, true]);
    expect(names()).toEqual([]);
  });

  it('to a file', async () => {
    const flags = ['-o', 'o.jsonl', '--stash', 'x', ...ARGS];
    const ran = await ctx(['compact', '-', ...flags], { stdin: claude() });
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('o.jsonl')]);
    expect(names()).toEqual(['o.jsonl', 'x']);
  });

  it('explain - and --dry-run need no stash', async () => {
    for (const argv of [
      ['explain', '-'],
      ['compact', '-', '--dry-run'],
    ]) {
      const ran = await ctx([...argv, ...ARGS], { stdin: claude() });
      expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('truncated')]);
    }
    expect(names()).toEqual([]);
  });

  it('that is empty or of no format fails as a file does', async () => {
    const empty = await ctx(['compact', '-', '--stash', 'x', ...ARGS], { stdin: Buffer.alloc(0) });
    expect([empty.code, empty.out]).toEqual([3, '']);
    const other = await ctx(['compact', '-', '--stash', 'x'], { stdin: Buffer.from('{"a":1}\n') });
    expect([other.code, other.out]).toEqual([4, '']);
    expect(names()).toEqual([]);
  });
});
