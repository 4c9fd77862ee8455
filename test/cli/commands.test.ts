import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, names, put, report, TRUNCATE, useFolder } from '../support/cli.ts';
import { claude, claudeLines, smallClaude } from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];

useFolder();

describe('ctx alone', () => {
  it('off a terminal prints the help to stderr, asks nothing, and exits with 2', async () => {
    const ran = await ctx([]);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err).toMatch(/Usage: ctx/);
    expect(ran.err).toContain('compact');
  });

  it.each(['--help', 'help', '-h'])('%s prints it to stdout', async (flag) => {
    const ran = await ctx([flag]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    for (const command of [
      'compact',
      'explain',
      'retrieve',
      'restore',
      'verify',
      'presets',
      'formats',
    ])
      expect(ran.out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  });

  it.each(['compact', 'explain', 'retrieve', 'restore', 'verify', 'presets', 'formats'])(
    '%s --help',
    async (command) => {
      const ran = await ctx([command, '--help']);
      expect([ran.code, ran.err]).toEqual([0, '']);
      expect(ran.out).toContain(`Usage: ctx ${command}`);
    },
  );

  it.each(['--version', '-V'])('%s', async (flag) => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(await ctx([flag])).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe('presets', () => {
  const NAMES = [
    'auto',
    'agentic',
    'proactiveSummarization',
    'largeToolOffloading',
    'overflowProtection',
    'staleToolCleanup',
  ];

  it('are listed, a line each', async () => {
    for (const argv of [['presets'], ['presets', 'list']]) {
      const { out, code } = await ctx(argv);
      expect(code).toBe(0);
      const lines = out.trimEnd().split('\n');
      expect(lines.map((line) => line.split(' ')[0])).toEqual(expect.arrayContaining(NAMES));
    }
    const listed = JSON.parse((await ctx(['presets', '--json'])).out) as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(NAMES));
  });

  it.each(NAMES)('%s: the flags that are shown make the same plan', async (name) => {
    put('s.jsonl', claude());
    const { out, code } = await ctx(['presets', 'show', name]);
    expect(code).toBe(0);
    const flags = words(out);
    expect(flags[0]).toMatch(/^--/);
    for (const window of ['200k', '4k']) {
      const args = ['explain', 's.jsonl', '--json', '--window', window, ...FAST];
      const pasted = report(await ctx([...args, ...flags]));
      const named = report(await ctx([...args, '--preset', name]));
      const plan = (value: typeof named) => value.blocks.map(({ action, ref }) => [action, ref]);
      expect(plan(pasted)).toEqual(plan(named));
      expect(pasted.tokens).toEqual(named.tokens);
    }
  });

  it('are found in kebab-case and snake_case', async () => {
    const { out } = await ctx(['presets', 'show', 'largeToolOffloading']);
    for (const name of ['large-tool-offloading', 'large_tool_offloading'])
      expect((await ctx(['presets', 'show', name])).out).toBe(out);
  });

  it('and flags combine in the order of the command line', async () => {
    put('s.jsonl', claude());
    const flags = [
      '--drop',
      'tool::Bash',
      '--preset',
      'largeToolOffloading',
      '--drop',
      'tool::Grep',
    ];
    const value = report(await ctx(['explain', 's.jsonl', '--json', ...flags, ...FAST]));
    expect((value['strategies'] as { name: string }[]).map(({ name }) => name)).toEqual([
      expect.stringContaining('tool::Bash'),
      expect.stringContaining('toolResults'),
      expect.stringContaining('tool::Grep'),
    ]);
  });

  it('auto is the default', async () => {
    put('s.jsonl', claude());
    const bare = report(await ctx(['explain', 's.jsonl', '--json', ...FAST]));
    const auto = report(await ctx(['explain', 's.jsonl', '--json', '-p', 'auto', ...FAST]));
    expect(bare).toEqual(auto);
  });
});

/** Splits pasted flags as a shell does: single quotes, and a backslash before a line end. */
function words(text: string): string[] {
  return [...text.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll("'", ''),
  );
}

describe('formats', () => {
  it('lists what is read, and what is only recognised', async () => {
    const { out, code } = await ctx(['formats']);
    expect(code).toBe(0);
    for (const name of ['claude-code', 'codex', 'openai-chat', 'anthropic', 'converse', 'strands'])
      expect(out).toContain(name);
    expect(out).toMatch(
      /recognised, not read:\n(.*\n)*claude-stream-json .*compact the session file/,
    );
    const value = JSON.parse((await ctx(['formats', '--json'])).out) as {
      formats: Record<string, unknown>[];
      recognised: Record<string, unknown>[];
    };
    expect(value.formats.find(({ name }) => name === 'strands-ts')).toMatchObject({
      read: true,
      write: true,
      messageRemoval: true,
      nativeHide: false,
      identity: 'block-metadata',
      compressed: ['.gz', '.zst'],
      datasetLines: 'strands-ts-jsonl',
      verified: expect.stringContaining('strands-agents'),
    });
    expect(value.formats.find(({ name }) => name === 'strands-log')).toMatchObject({
      messageRemoval: false,
      messageRemovalReason: expect.stringContaining('position'),
      compressed: [],
      datasetLines: null,
    });
    expect(value.recognised.find(({ name }) => name === 'codex-exec')).toMatchObject({
      reason: expect.stringContaining('rollout'),
      export: null,
    });
    expect(value.formats.map(({ name }) => name)).toContain('claude-code');
    expect(value.recognised.map(({ name }) => name)).toContain('opencode-db');
  });
});

describe('verify', () => {
  it('0 for a sound transcript, compacted or not', async () => {
    put('s.jsonl', claude());
    put('small.jsonl', smallClaude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const ran = await ctx(['verify', 's.jsonl', 's.compact.jsonl', 'small.jsonl']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out.match(/: ok/g)).toHaveLength(3);
    expect(ran.out).toContain('3 placeholders');
  });

  it('1 for a call whose result is gone', async () => {
    const lines = claudeLines();
    put('s.jsonl', claude(lines.toSpliced(10, 1)));
    const ran = await ctx(['verify', 's.jsonl']);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('t3');
  });

  it('1 for placeholders whose stash is gone', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const output = readFileSync('s.compact.jsonl');
    writeFileSync('alone.jsonl', output);
    const ran = await ctx(['verify', 'alone.jsonl']);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('stash');
    const named = await ctx(['verify', 'alone.jsonl', '--stash', 's.compact.jsonl.stash']);
    expect(named.code).toBe(0);
  });

  it('1 when our edit was damaged afterwards', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const lines = readFileSync('s.compact.jsonl', 'utf8').split('\n');
    writeFileSync('s.compact.jsonl', lines.toSpliced(10, 1).join('\n'));
    expect((await ctx(['verify', 's.compact.jsonl'])).code).toBe(1);
  });

  it('0 with what the original had already, which is named as such', async () => {
    put('s.jsonl', claude(claudeLines().toSpliced(10, 1)));
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const ran = await ctx(['verify', 's.compact.jsonl']);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('as in the original');
  });

  it('a marker that nobody of us wrote is inherited, not ours', async () => {
    const foreign = '[Dropped: ~9 tokens] [ref: 0123456789ab]';
    const lines = claudeLines().map((line) => line.replace('Good. Mend it.', foreign));
    put('s.jsonl', claude(lines));
    const value = report(await ctx(['compact', 's.jsonl', '--json', ...TRUNCATE, ...FAST]));
    expect(value.warnings.map(({ code }) => code)).toContain('unresolved-placeholder');
    const ran = await ctx(['verify', 's.compact.jsonl', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      ok: true,
      inherited: [{ code: 'unresolved-placeholder' }],
    });
  });

  it('the worst of several files; 3, 4 and 5 as elsewhere', async () => {
    put('s.jsonl', claude());
    put('bad.jsonl', '{"x":1}\n');
    expect((await ctx(['verify', 's.jsonl', 'none.jsonl'])).code).toBe(3);
    expect((await ctx(['verify', 'bad.jsonl', 's.jsonl'])).code).toBe(4);
    expect((await ctx(['verify', 's.jsonl', '--stash', 'none.stash'])).code).toBe(5);
  });

  it('--json is one report a line', async () => {
    put('s.jsonl', claude());
    put('t.jsonl', smallClaude());
    const { out } = await ctx(['verify', 's.jsonl', 't.jsonl', '--json']);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { path: 's.jsonl', ok: true, format: 'claude-code', violations: [], stash: null },
      { path: 't.jsonl', ok: true },
    ]);
    expect(names()).toEqual(['s.jsonl', 't.jsonl']);
  });
});

function checkpoint(): never {
  throw new TypeError('a fault of the test');
}

describe('a fault of ours', () => {
  it('is exit 70, one line, and a stack only with --debug', async () => {
    put('s.jsonl', claude());
    const args = ['compact', 's.jsonl', ...TRUNCATE, ...FAST];
    const ran = await ctx(args, { checkpoint });
    expect(ran.code).toBe(70);
    expect(ran.err).toMatch(/^ctx: internal error: a fault of the test\n {2}.*--debug.*\n$/);
    const debug = await ctx([...args, '--debug'], { checkpoint });
    expect(debug.err).toContain('commands.test.ts');
    expect(names()).toEqual(['s.jsonl']);
  });
});
