import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ctx,
  NOW,
  names,
  put,
  RAW_CONTROL,
  report,
  sha,
  TRUNCATE,
  useFolder,
} from '../support/cli.ts';
import { callLine, claude, claudeLines, resultLine, smallClaude } from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];
const ARGS = ['s.jsonl', ...TRUNCATE, ...FAST];

useFolder();

describe('--json', () => {
  const KEYS = [
    'schema',
    'command',
    'format',
    'input',
    'output',
    'stash',
    'counter',
    'window',
    'tokens',
    'bytes',
    'strategies',
    'blocks',
    'budget',
    'cache',
    'warnings',
    'verify',
  ];
  const ROW = [
    'index',
    'conversation',
    'message',
    'record',
    'role',
    'kind',
    'tool',
    'callId',
    'live',
    'tokensBefore',
    'tokensAfter',
    'action',
    'strategy',
    'reason',
    'rule',
    'ref',
  ];

  it.each(['compact', 'explain'])('of %s has every key of ctx.report/1', async (command) => {
    put('s.jsonl', claude());
    const ran = await ctx([command, ...ARGS, '--json']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const value = report(ran);
    expect(Object.keys(value).toSorted()).toEqual(KEYS.toSorted());
    expect(value).toMatchObject({
      schema: 'ctx.report/1',
      command,
      format: 'claude-code',
      input: { path: 's.jsonl', bytes: claude().length, sha256: sha(claude()) },
      counter: { name: 'heuristic', exact: false },
      window: { tokens: 200_000, source: 'model', model: 'claude-sonnet-4-5' },
      bytes: { before: claude().length },
    });
    const { before, after, saved } = value.tokens;
    expect(saved).toBe(before - after);
    for (const row of value.blocks) {
      expect(Object.keys(row).toSorted()).toEqual(ROW.toSorted());
      expect(row.reason).toMatch(/^[a-z]+(-[a-z]+)*$/);
    }
    for (const step of value['strategies'] as Record<string, unknown>[])
      expect(Object.keys(step).toSorted()).toEqual([
        'acted',
        'fallback',
        'fired',
        'helper',
        'name',
        'noop',
        'passes',
        'saved',
        'savedBytes',
        'skipped',
        'why',
      ]);
  });

  it('tells what was written', async () => {
    put('s.jsonl', claude());
    const value = report(await ctx(['compact', ...ARGS, '--json']));
    const output = readFileSync('s.compact.jsonl');
    const stash = readFileSync('s.compact.jsonl.stash');
    expect(value).toMatchObject({
      output: { path: 's.compact.jsonl', bytes: output.length, sha256: sha(output) },
      stash: { path: 's.compact.jsonl.stash', entries: 3, bytes: stash.length },
      bytes: { before: claude().length, after: output.length },
      verify: { ok: true, violations: [] },
    });
    expect(stash.toString()).toContain(`"at":"${NOW}"`);
  });

  it('explain tells the same plan and writes nothing', async () => {
    put('s.jsonl', claude());
    const explained = report(await ctx(['explain', ...ARGS, '--json']));
    const dry = report(await ctx(['compact', ...ARGS, '--json', '--dry-run']));
    expect(names()).toEqual(['s.jsonl']);
    expect(explained).toMatchObject({ output: null, stash: null, verify: null });
    expect(dry).toMatchObject({ output: null, stash: null, verify: null });
    const done = report(await ctx(['compact', ...ARGS, '--json']));
    for (const key of ['blocks', 'tokens', 'strategies', 'counter', 'window', 'bytes'])
      expect([key, explained[key]]).toEqual([key, done[key]]);
    expect(dry.blocks).toEqual(done.blocks);
  });

  it('of several files is one line each', async () => {
    put('a.jsonl', claude());
    put('b.jsonl', smallClaude());
    const ran = await ctx(['explain', 'a.jsonl', 'b.jsonl', '--json', ...TRUNCATE, ...FAST]);
    const lines = ran.out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).input.path)).toEqual(['a.jsonl', 'b.jsonl']);
  });

  it('the numbers are those of the written output', async () => {
    put('s.jsonl', claude());
    const done = report(await ctx(['compact', ...ARGS, '--json']));
    const next = report(await ctx(['explain', 's.compact.jsonl', ...TRUNCATE, '--json']));
    expect(next.tokens.before).toBe(done.tokens.after);
  });
});

describe('the table', () => {
  it('says file, format, each block, totals, window, and how to go on', async () => {
    put('s.jsonl', claude());
    const { out, err, code } = await ctx(['compact', ...ARGS]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^s\.jsonl {2}claude-code, \d+ messages\b/);
    expect(out.match(/toolResult.*truncated.*above-block-threshold/g)).toHaveLength(3);
    expect(out).toMatch(/tokens +[\d,]+ -> [\d,]+, saves/);
    expect(out).toMatch(/bytes +[\d,]+ -> [\d,]+, saves/);
    expect(out).toMatch(/window +200,000 \(model claude-sonnet-4-5\)/);
    expect(out).toMatch(/written +s\.compact\.jsonl/);
    expect(out).toMatch(/ctx retrieve [0-9a-f]{12} --stash s\.compact\.jsonl\.stash/);
    expect(out).toContain('ctx restore s.compact.jsonl');
    expect(out).not.toMatch(RAW_CONTROL);
  });

  it('--all shows every block with its reason', async () => {
    put('s.jsonl', claude());
    const { out } = await ctx(['explain', ...ARGS, '--all']);
    expect(out).toContain('not-targeted');
    expect(out.match(/ kept /g)?.length).toBeGreaterThan(5);
  });

  it('a run without anything to do says so', async () => {
    put('s.jsonl', smallClaude());
    const { out, code } = await ctx(['compact', ...ARGS]);
    expect(code).toBe(0);
    expect(out).toContain('nothing to do, nothing written');
    expect(names()).toEqual(['s.jsonl']);
  });

  it('a window that nothing names is called assumed', async () => {
    put('s.jsonl', claude().toString('utf8').replaceAll('claude-sonnet-4-5', 'no-such-model'));
    const value = report(await ctx(['explain', ...ARGS, '--json']));
    expect(value['window']).toMatchObject({ tokens: 200_000, source: 'default' });
    const flagged = report(await ctx(['explain', ...ARGS, '--json', '--window', '64k']));
    expect(flagged['window']).toMatchObject({ tokens: 64_000, source: 'flag' });
  });
});

describe('--plain', () => {
  it('is tab-separated, one row a block, without escape characters', async () => {
    put('s.jsonl', claude());
    const env = { FORCE_COLOR: '1' };
    const { out, code } = await ctx(['explain', ...ARGS, '--plain', '--all'], { tty: true, env });
    expect(code).toBe(0);
    expect(out).not.toMatch(RAW_CONTROL);
    const rows = out
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'));
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    expect(rows).toHaveLength(14);
    const short = await ctx(['explain', ...ARGS, '--plain']);
    expect(short.out.trimEnd().split('\n')).toHaveLength(4);
  });
});

describe('-q', () => {
  it('prints nothing but errors', async () => {
    put('s.jsonl', claude());
    expect(await ctx(['compact', ...ARGS, '-q'])).toMatchObject({ code: 0, out: '', err: '' });
    const bad = await ctx(['compact', 'none.jsonl', '-q']);
    expect([bad.code, bad.out]).toEqual([3, '']);
    expect(bad.err).toContain('ctx: ');
  });
});

describe('colour', () => {
  const ESC = '\u001b[';
  const cases: readonly (readonly [string, string[], object, boolean, boolean])[] = [
    ['none into a pipe', [], {}, false, false],
    ['on a terminal', [], {}, true, true],
    ['not with NO_COLOR', [], { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR is none', [], { NO_COLOR: '' }, true, true],
    ['not on a dumb terminal', [], { TERM: 'dumb' }, true, false],
    ['into a pipe with FORCE_COLOR', [], { FORCE_COLOR: '1' }, false, true],
    ['not with FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, true, false],
    ['--color always wins over NO_COLOR', ['--color', 'always'], { NO_COLOR: '1' }, false, true],
    [
      '--color never wins over FORCE_COLOR',
      ['--color', 'never'],
      { FORCE_COLOR: '1' },
      true,
      false,
    ],
    ['--color=auto is the default', ['--color', 'auto'], {}, true, true],
  ];
  it.each(cases)('%s', async (_name, flags, env, tty, colored) => {
    put('s.jsonl', claude());
    const { out } = await ctx(['explain', ...ARGS, ...flags], { env: { ...env }, tty });
    expect(out.includes(ESC)).toBe(colored);
  });

  it('never in JSON', async () => {
    put('s.jsonl', claude());
    const { out } = await ctx(['explain', ...ARGS, '--json', '--color', 'always'], { tty: true });
    expect(out.includes(ESC)).toBe(false);
  });
});

describe('control characters of a transcript', () => {
  const EVIL = 'Bash\u001b[31m\u0007\u009b2J\r\nx\u202e';
  const lines = () =>
    claudeLines()
      .with(4, callLine(4, 3, 'msg_1', 't1', EVIL, {}))
      .with(6, resultLine(6, 4, 't1', JSON.stringify(`${EVIL}\n`.repeat(500))))
      .map((line) => line.replaceAll('claude-sonnet-4-5', 'claude-\\u001b[2J'));

  it.each([[[]], [['--all']], [['--plain', '--all']], [['--json']]])(
    'never reach the output raw: %j',
    async (flags) => {
      put('s.jsonl', claude(lines()));
      for (const tty of [true, false]) {
        const ran = await ctx(['explain', ...ARGS, ...flags, '--color', 'never'], { tty });
        expect(ran.code).toBe(0);
        expect(ran.out).not.toMatch(RAW_CONTROL);
        expect(ran.out).not.toContain('\u202e');
      }
    },
  );

  it('nor those of a path, a flag or a pattern', async () => {
    const name = 'a\u001b[31m\u0007.jsonl';
    put(name, claude());
    put(`b${name}`, '{"a":1}\n');
    const evil = '\u001b[31mx';
    for (const argv of [
      ['compact', name, ...TRUNCATE, ...FAST],
      ['explain', name, ...TRUNCATE, ...FAST],
      ['verify', name],
      ['restore', name],
      ['compact', `b${name}`],
      ['compact', `none${name}`],
      ['compact', name, `--${evil}`],
      ['compact', name, '--preset', evil],
      ['compact', name, '--drop', evil],
      ['compact', name, '--window', evil],
      ['compact', name, '--counter', evil],
      ['compact', name, '--format', evil],
      ['compact', name, '--fail-if-over', evil],
      ['compact', `${name}*${evil}`],
      ['presets', 'show', evil],
      ['retrieve', evil],
      ['retrieve', 'aaaaaa', '--lines', evil],
      ['retrieve', '--list'],
      [evil],
    ]) {
      const ran = await ctx(argv, { tty: true, env: { NO_COLOR: '1' } });
      expect([argv, RAW_CONTROL.test(ran.out + ran.err)]).toEqual([argv, false]);
    }
  });
});
