/** `ctx stats` from the outside: what it prints, in every form, and how it refuses. */

import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Stats } from '../../src/index.ts';
import {
  ctx,
  errorLine,
  names,
  put,
  RAW_CONTROL,
  sha,
  TRUNCATE,
  useFolder,
} from '../support/cli.ts';
import { callLine, claude, claudeLines, resultLine, userLine } from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];

useFolder();
beforeAll(async () => {
  await import('../../src/cli/commands/stats.ts');
});

/** A session of a user text, two reads of one file with the same output, a failed command and an edit. */
function session(): Buffer {
  const same = JSON.stringify('x'.repeat(400));
  return claude([
    userLine(1, null, 'u'.repeat(40)),
    callLine(2, 1, 'msg_1', 't1', 'Read', { file_path: '/a/one.ts' }),
    resultLine(3, 2, 't1', same),
    callLine(4, 3, 'msg_2', 't2', 'Read', { file_path: '/a/one.ts' }),
    resultLine(5, 4, 't2', `[{"type":"text","text":${same}}]`),
    callLine(6, 5, 'msg_3', 't3', 'Edit', { file_path: '/b/\u0007two.ts' }),
    resultLine(7, 6, 't3', '"done"'),
  ]);
}

async function json(...args: readonly string[]): Promise<Stats> {
  const ran = await ctx(['stats', ...args, '--json']);
  expect([ran.code, ran.err]).toEqual([0, '']);
  return JSON.parse(ran.out) as Stats;
}

describe('--json', () => {
  it('is ctx.stats/1 with every key', async () => {
    put('s.jsonl', session());
    const stats = await json('s.jsonl', ...FAST);
    expect(Object.keys(stats)).toEqual([
      'schema',
      'format',
      'input',
      'counter',
      'window',
      'tokens',
      'bytes',
      'counts',
      'copies',
      'placeholders',
      'kinds',
      'tools',
      'files',
      'messages',
      'blocks',
      'duplicates',
      'warnings',
    ]);
    expect(stats).toMatchObject({
      schema: 'ctx.stats/1',
      format: 'claude-code',
      input: { path: 's.jsonl', bytes: session().length, sha256: sha(session()) },
      counter: { name: 'heuristic', exact: false },
      window: { tokens: 200_000, source: 'model', model: 'claude-sonnet-4-5' },
      counts: { conversations: 1, records: 7, messages: 7, liveMessages: 7, blocks: 7 },
      copies: { count: 0, bytes: 0, names: [] },
      placeholders: { count: 0, tokens: 0, originals: 0, methods: {}, stash: null },
    });
  });

  it('gives one line a file when there are several, and a line for one that failed', async () => {
    put('s.jsonl', session());
    put('empty.jsonl', '');
    const ran = await ctx(['stats', 'empty.jsonl', 's.jsonl', '--json', ...FAST]);
    expect(ran.code).toBe(3);
    expect(errorLine(ran)).toContain('empty.jsonl is empty');
    const schemas = ran.out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { schema: string }).schema);
    expect(schemas).toEqual(['ctx.error/1', 'ctx.stats/1']);
  });

  it('leaves out what --by does not name', async () => {
    put('s.jsonl', session());
    const { kinds, tools, files, messages, blocks, duplicates } = await json(
      's.jsonl',
      '--by',
      'tool, file',
      ...FAST,
    );
    expect([kinds, messages, blocks, duplicates]).toEqual([null, null, null, null]);
    expect([tools?.rows.length, files?.rows.length]).toEqual([2, 2]);
  });

  it('takes --top, --window and --counter', async () => {
    put('s.jsonl', session());
    const stats = await json('s.jsonl', '--top', '1', '--window', '1k', ...FAST);
    expect(stats.window).toMatchObject({ tokens: 1000, source: 'flag' });
    expect(stats.tokens.percent).toBe(Math.round(stats.tokens.total) / 10);
    expect(stats.messages?.rows).toHaveLength(1);
    expect(stats.messages?.rest.rows).toBe(6);
    expect(stats.kinds?.rows.length).toBeGreaterThan(1);
  });

  it('reads standard input', async () => {
    const ran = await ctx(['stats', '-', '--json', ...FAST], { stdin: session() });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ input: { path: '-' } });
  });
});

describe('the chart', () => {
  const TTY = { tty: true, env: { TERM: 'xterm' } };

  it('is plain ASCII on a pipe, and exact', async () => {
    put('s.jsonl', session());
    const ran = await ctx(['stats', 's.jsonl', '--by', 'kind,file', ...FAST]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out).toBe(
      [
        's.jsonl  claude-code, 7 messages that resuming sends, 7 blocks',
        '',
        'window   #....................... 0.1% of 200,000 (model claude-sonnet-4-5)',
        'tokens   256 (heuristic, an estimate for this model): 256 in messages, 0 for the system prompt and tool definitions',
        `bytes    ${bytesOf(session())}`,
        '',
        'by kind      blocks  tokens  share  bytes',
        'toolResult        3     201  78.5%    835  ########################',
        'toolCall          3      45  17.6%     81  #####',
        'text (user)       1      10   3.9%     42  #',
        '',
        'by file        calls  tokens  share  bytes',
        '/a/one.ts          2     228  89.1%    879  ########################',
        '/b/\\x07two.ts      1      18   7.0%     37  ##',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['a terminal', TTY, true],
    ['NO_COLOR', { ...TTY, env: { ...TTY.env, NO_COLOR: '1' } }, false],
    ['a dumb terminal', { ...TTY, env: { TERM: 'dumb' } }, false],
    ['a pipe', {}, false],
  ])('on %s', async (_name, world, blocks) => {
    put('s.jsonl', session());
    const { out } = await ctx(['stats', 's.jsonl', ...FAST], world);
    expect(out.includes('\u2588')).toBe(blocks);
    expect(out.includes('###')).toBe(!blocks);
    expect(stripVTControlCharacters(out)).not.toMatch(RAW_CONTROL);
  });

  it('has no control character of a transcript in any form', async () => {
    const lines = claudeLines();
    const evil = '\u001b]0;x\u0007\u009b31m\u202e/etc/\u0000';
    const id = 'evil';
    lines.push(callLine(20, 13, 'msg_9', id, `Re\u001b[2Jad`, { file_path: evil }));
    lines.push(callLine(21, 20, 'msg_9', 't9', 'Read', { file_path: evil }));
    put('s.jsonl', claude(lines));
    for (const form of [[], ['--plain'], ['--json']]) {
      const { out, code } = await ctx(['stats', 's.jsonl', ...form, ...FAST]);
      expect(code).toBe(0);
      expect(out).not.toMatch(RAW_CONTROL);
      expect(out).not.toContain('\u202e');
    }
  });
});

function bytesOf(bytes: Buffer): string {
  const live = 835 + 81 + 42;
  const commas = (value: number) => value.toLocaleString('en-US');
  return `${commas(bytes.length)}: ${commas(live)} live, ${commas(bytes.length - live)} envelopes and bookkeeping`;
}

describe('--plain', () => {
  it('is tab-separated, totals first', async () => {
    put('s.jsonl', session());
    const ran = await ctx(['stats', 's.jsonl', '--plain', '--by', 'tool', ...FAST]);
    expect(ran.out.split('\n')).toEqual([
      'section\tname\tcount\ttokens\tdead\tbytes',
      `total\ts.jsonl\t7\t256\t0\t${session().length}`,
      'total\twindow\t0\t200000\t0\t0',
      'total\toverhead\t0\t0\t0\t0',
      'total\tcopies\t0\t0\t0\t0',
      'total\tmarkers\t0\t0\t0\t0',
      'total\tstash\t0\t0\t0\t0',
      'tools\tRead\t2\t228\t0\t879',
      'tools\tEdit\t1\t18\t0\t37',
      '',
    ]);
  });
});

describe('a compacted transcript', () => {
  it('shows markers, what they stand for, and the stash', async () => {
    put('s.jsonl', claude());
    const before = await json('s.jsonl', ...FAST);
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const held = names();
    const stats = await json('s.compact.jsonl');
    expect(names()).toEqual(held);
    const { placeholders } = stats;
    const results = before.kinds?.rows.find(({ kind }) => kind === 'toolResult')?.tokens ?? 0;
    expect(placeholders).toMatchObject({
      count: 3,
      originals: results,
      methods: { truncate: 3 },
      stash: { path: 's.compact.jsonl.stash', entries: 3, tokens: results, damaged: 0 },
    });
    expect(placeholders.tokens).toBe(
      stats.kinds?.rows.find(({ kind }) => kind === 'toolResult')?.tokens,
    );
    expect(placeholders.stash?.bytes).toBeLessThan(readFileSync('s.compact.jsonl.stash').length);
    const { out } = await ctx(['stats', 's.compact.jsonl']);
    expect(out).toContain('markers  3 (3 truncate): ');
    expect(out).toContain('stash    s.compact.jsonl.stash: 3 originals, ');
  });

  it('takes --stash, and refuses one that is not there', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST, '--stash', 'kept.stash']);
    const stats = await json('s.compact.jsonl', '--stash', 'kept.stash');
    expect(stats.placeholders.stash).toMatchObject({ path: 'kept.stash', entries: 3 });
    const ran = await ctx(['stats', 's.compact.jsonl', '--stash', 'none.stash']);
    expect([ran.code, errorLine(ran)]).toEqual([5, 'ctx: there is no stash at none.stash']);
  });

  it('counts a damaged entry and goes on', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...TRUNCATE, ...FAST]);
    const bytes = readFileSync('s.compact.jsonl.stash');
    const at = bytes.indexOf('"kind"');
    put(
      's.compact.jsonl.stash',
      Buffer.concat([bytes.subarray(0, at), Buffer.from('!kind!'), bytes.subarray(at + 6)]),
    );
    const { placeholders } = await json('s.compact.jsonl');
    expect(placeholders.stash).toMatchObject({ entries: 3, damaged: 1 });
  });
});

describe('refusals', () => {
  it.each([
    [['--by', 'kid'], 'there is no section kid', 'did you mean kind?'],
    [['--by', ''], 'there is no section', 'accepted: kind, tool'],
    [['--top', '0'], '--top 0 shows nothing', 'number of rows'],
    [['--window', 'x'], '--window x', 'write 200000'],
    [['--json', '--plain'], '--json and --plain exclude one another', ''],
  ])('of %j end with exit 2', async (flags, said, hint) => {
    put('s.jsonl', session());
    const ran = await ctx(['stats', 's.jsonl', ...flags]);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(errorLine(ran)).toContain(said);
    expect(ran.err).toContain(hint);
  });

  it('one stash for several files ends with exit 2', async () => {
    put('a.jsonl', session());
    put('b.jsonl', session());
    const ran = await ctx(['stats', 'a.jsonl', 'b.jsonl', '--stash', 'x']);
    expect(ran.code).toBe(2);
    expect(errorLine(ran)).toContain('--stash names one file, but there are 2 inputs');
  });

  it('a failing file does not stop the others; the worst exit code is given', async () => {
    put('s.jsonl', session());
    put('text.json', '{"hello":"world"}');
    const ran = await ctx(['stats', 'nowhere.jsonl', 'text.json', 's.jsonl', ...FAST]);
    expect(ran.code).toBe(4);
    expect(ran.out).toMatch(/^s\.jsonl {2}claude-code/);
    expect(ran.err.split('\n').filter((line) => line.startsWith('ctx: '))).toHaveLength(2);
  });

  it.each(['empty.jsonl', 'nowhere.jsonl', 'text.json', 'binary.json', 'torn.json'])(
    '%s is refused as explain refuses it',
    async (name) => {
      put('empty.jsonl', '');
      put('text.json', '{"hello":"world"}');
      put('binary.json', Buffer.from([0x1f, 0x8b, 0, 0, 1, 2, 3]));
      put('torn.json', '{"messages":[{"role":"user","content":"hello"},{"role":"assist');
      const explained = await ctx(['explain', name]);
      const ran = await ctx(['stats', name]);
      expect(explained.code).toBeGreaterThan(0);
      expect([ran.code, ran.err, ran.out]).toEqual([explained.code, explained.err, '']);
    },
  );
});
