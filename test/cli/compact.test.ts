import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, errorLine, names, put, report, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import { chat, claude, claudeLines, smallClaude } from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];
const ARGS = [...TRUNCATE, ...FAST];

useFolder();

describe('several files', () => {
  it('each gets its output; a failing one does not stop the others; the exit code is the worst', async () => {
    put('a.jsonl', claude());
    put('b.jsonl', '{"x":1}\n');
    put('c.jsonl', '');
    put('d.json', chat());
    const ran = await ctx([
      'compact',
      'a.jsonl',
      'b.jsonl',
      'c.jsonl',
      'd.json',
      '--json',
      ...ARGS,
    ]);
    expect(ran.code).toBe(4);
    const lines = ran.out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).input.path)).toEqual(['a.jsonl', 'd.json']);
    expect(ran.err.match(/^ctx: .*/gm)).toHaveLength(2);
    expect(existsSync('a.compact.jsonl') && existsSync('d.compact.json')).toBe(true);
  });

  it('globs that the shell left alone are expanded, sorted, without stashes', async () => {
    mkdirSync('deep/er', { recursive: true });
    put('deep/b.jsonl', claude());
    put('deep/er/a.jsonl', claude());
    put('deep/c.jsonl.stash', 'x');
    put('deep/note.txt', 'x');
    const ran = await ctx(['explain', 'deep/**/*.jsonl*', '--json', ...ARGS]);
    const paths = ran.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).input.path);
    expect(paths).toEqual(['deep/b.jsonl', 'deep/er/a.jsonl']);
  });

  it('a name with the signs of a glob that exists is a name', async () => {
    put('a[1].jsonl', claude());
    put('a1.jsonl', smallClaude());
    expect((await ctx(['compact', 'a[1].jsonl', ...ARGS])).code).toBe(0);
    expect(existsSync('a[1].compact.jsonl')).toBe(true);
    expect(existsSync('a1.compact.jsonl')).toBe(false);
  });

  it('--out-dir takes the names of the inputs and is made when it is not there', async () => {
    put('a.jsonl', claude());
    put('d.json', chat());
    put('s.jsonl', smallClaude());
    const args = ['compact', 'a.jsonl', 'd.json', 's.jsonl', '--out-dir', 'out/deep', ...ARGS];
    expect((await ctx(args)).code).toBe(0);
    expect(names().filter((name) => name.startsWith('out/deep/'))).toEqual([
      'out/deep/a.jsonl',
      'out/deep/a.jsonl.stash',
      'out/deep/d.json',
      'out/deep/d.json.stash',
      'out/deep/s.jsonl',
    ]);
    expect(shaOf('out/deep/s.jsonl')).toBe(shaOf('s.jsonl'));
  });

  it('two inputs of one name never share an output', async () => {
    mkdirSync('a');
    mkdirSync('b');
    put('a/s.jsonl', claude());
    put('b/s.jsonl', claude(claudeLines().slice(0, -2)));
    const ran = await ctx(['compact', 'a/s.jsonl', 'b/s.jsonl', '--out-dir', 'out', ...ARGS]);
    expect(ran.code).toBe(2);
    expect(errorLine(ran)).toMatch(/a\/s\.jsonl and b\/s\.jsonl/);
    expect(existsSync('out')).toBe(false);
  });
});

describe('--fail-if-over', () => {
  it.each([
    ['100', '100'],
    ['0.1k', '100'],
    ['0.05%', '100'],
  ])('%s: exit 1 with file, figure and limit', async (limit, shown) => {
    put('s.jsonl', claude());
    for (const command of ['explain', 'compact']) {
      const ran = await ctx([command, 's.jsonl', '--fail-if-over', limit, ...ARGS]);
      expect(ran.code).toBe(1);
      expect(errorLine(ran)).toMatch(
        new RegExp(`^ctx: s\\.jsonl: [\\d,]+ tokens are over the limit of ${shown}`),
      );
    }
    expect(existsSync('s.compact.jsonl')).toBe(true);
  });

  it('judges what is left, not what was there', async () => {
    put('s.jsonl', claude());
    const limit = ['--fail-if-over', '1,000'];
    expect((await ctx(['explain', 's.jsonl', ...limit, ...ARGS])).code).toBe(0);
    const untouched = ['--preset', 'agentic', ...FAST];
    expect((await ctx(['explain', 's.jsonl', ...limit, ...untouched])).code).toBe(1);
  });

  it('what is no limit is a usage error before anything is read', async () => {
    for (const limit of ['x', '-5', '5%%', '', 'NaN', '1e3']) {
      const ran = await ctx(['compact', 'none.jsonl', `--fail-if-over=${limit}`]);
      expect([limit, ran.code]).toEqual([limit, 2]);
    }
  });
});

describe('usage errors', () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['compact', 's.jsonl', '--presett', 'auto'], /unknown option.*\n.*--preset/],
    [['compat', 's.jsonl'], /unknown command.*\n.*compact/],
    [['compact'], /missing required argument/],
    [['compact', 's.jsonl', '--preset', 'agentc'], /no preset is named.*\n.*agentic/],
    [['compact', 's.jsonl', '--drop', 'toolResult'], /\n.*toolResults/],
    [['compact', 's.jsonl', '--drop', 'toolResults:preserveRecnt=2'], /\n?.*preserveRecent/],
    [['compact', 's.jsonl', '--truncate', 'toolResults:blockThreshold=0.5'], /50%/],
    [['compact', 's.jsonl', '--drop', ''], /./],
    [['compact', 's.jsonl', '--counter', 'gpt2'], /o200k_base/],
    [['compact', 's.jsonl', '--window', '12'], /--window/],
    [['compact', 's.jsonl', '--marker-hint', 'mcpp'], /Allowed choices/],
    [['compact', 's.jsonl', '-o', 'a', '--out-dir', 'b'], /exclude/],
    [['compact', 's.jsonl', '-o', 'a', '--in-place'], /excludes/],
    [['compact', 's.jsonl', '--out-dir', 'a', '--in-place'], /excludes/],
    [['compact', 's.jsonl', '--json', '--plain'], /exclude/],
    [['compact', 's.jsonl', 't.jsonl', '-o', 'a'], /2 inputs.*\n.*--out-dir/],
    [['compact', 's.jsonl', 't.jsonl', '--stash', 'a'], /2 inputs/],
    [['compact', '-'], /needs --stash/],
    [['compact', 's.jsonl', '-o', '-'], /needs --stash/],
    [['compact', '-', '--in-place', '--stash', 'x'], /needs a file/],
    [['compact', 's.jsonl', '-o', 's.jsonl'], /--in-place/],
    [['explain', 's.jsonl', '-o', 'x'], /unknown option/],
    [['restore'], /missing required argument/],
    [['restore', 's.jsonl', 't.jsonl'], /too many arguments/],
    [['retrieve'], /a ref is missing/],
    [['presets', 'show', 'agentik'], /agentic/],
    [['presets', 'show'], /missing required argument/],
  ];
  it.each(cases)('%j', async (argv, words) => {
    put('s.jsonl', claude());
    put('t.jsonl', claude());
    const ran = await ctx(argv);
    expect(ran.code).toBe(2);
    expect(ran.out).toBe('');
    expect(ran.err).toMatch(/^ctx: /);
    expect(ran.err).toMatch(words);
    expect(names()).toEqual(['s.jsonl', 't.jsonl']);
    expect(readFileSync('s.jsonl').equals(claude())).toBe(true);
  });
});

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
