import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, errorLine, names, put, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
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
    const lines = ran.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { schema: 'ctx.report/1', input: { path: 'a.jsonl' } },
      { schema: 'ctx.error/1', path: 'b.jsonl', exit: 4 },
      { schema: 'ctx.error/1', path: 'c.jsonl', exit: 3 },
      { schema: 'ctx.report/1', input: { path: 'd.json' } },
    ]);
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
    [['compact', 's.jsonl', '-o', 'o', '--stash', './o', ...ARGS], /would be one file/],
    [['compact', 's.jsonl', '--in-place', '--stash', 's.jsonl', ...ARGS], /would be one file/],
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
