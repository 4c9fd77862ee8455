import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ctx,
  errorLine,
  names,
  put,
  type Ran,
  refsOf,
  TRUNCATE,
  useFolder,
} from '../support/cli.ts';
import {
  BASH_TEXT,
  claude,
  claudeLines,
  GREP_TEXT,
  PNG,
  pictureClaude,
  READ_TEXT,
} from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];

useFolder();

let refs: string[] = [];
let bash = '';
beforeEach(async () => {
  put('s.jsonl', claude());
  refs = refsOf(await ctx(['compact', 's.jsonl', '--json', ...TRUNCATE, ...FAST]));
  bash = refs[0] as string;
});

const LINES = BASH_TEXT.split('\n');

describe('retrieve', () => {
  it('writes the text as it was, with nothing added', async () => {
    for (const [index, text] of [BASH_TEXT, READ_TEXT, GREP_TEXT].entries()) {
      const ran = await ctx(['retrieve', refs[index] as string]);
      expect(ran).toMatchObject({ code: 0, out: text, err: '' });
    }
  });

  it('--raw gives the exact JSON bytes', async () => {
    const ran = await ctx(['retrieve', bash, '--raw']);
    expect(ran.bytes.equals(Buffer.from(JSON.stringify(BASH_TEXT)))).toBe(true);
    expect(claude().includes(ran.bytes)).toBe(true);
  });

  it('removed messages are the records that they were, one a line', async () => {
    const flags = ['--json', '--drop', '*:preserveRecent=2', '-o', 'd.jsonl', ...FAST];
    const [ref = ''] = refsOf(await ctx(['compact', 's.jsonl', ...flags]));
    const ran = await ctx(['retrieve', ref, '--stash', 'd.jsonl.stash']);
    const lines = ran.out.split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(claudeLines()).toContain(line);
    const raw = await ctx(['retrieve', ref, '--stash', 'd.jsonl.stash', '--raw']);
    expect(raw.out).toBe(lines.join('\n'));
  });

  it('media are their bytes, never on a terminal and never cut', async () => {
    put('p.jsonl', pictureClaude());
    const flags = ['--json', '--drop', 'media:preserveRecent=1', ...FAST];
    const [ref = ''] = refsOf(await ctx(['compact', 'p.jsonl', ...flags]));
    expect((await ctx(['retrieve', ref])).bytes.equals(PNG)).toBe(true);
    expect((await ctx(['retrieve', ref, '-o', 'p.png'])).code).toBe(0);
    expect(readFileSync('p.png').equals(PNG)).toBe(true);
    const tty = await ctx(['retrieve', ref], { tty: true });
    expect([tty.code, tty.out, errorLine(tty)]).toEqual([2, '', expect.stringContaining('png')]);
    expect((await ctx(['retrieve', ref, '--head', '1'])).code).toBe(2);
    const facts = JSON.parse((await ctx(['retrieve', ref, '--json'])).out) as object;
    expect(facts).toMatchObject({ mime: 'image/png', mediaBytes: PNG.length });
  });

  it('-o writes a file that its owner alone reads, and says so on stderr', async () => {
    const ran = await ctx(['retrieve', bash, '-o', 'one.txt']);
    expect([ran.code, ran.out]).toEqual([0, '']);
    expect(ran.err).toContain('one.txt');
    expect(readFileSync('one.txt', 'utf8')).toBe(BASH_TEXT);
    const [, read = ''] = refs;
    expect((await ctx(['retrieve', read, '-o', 'one.txt'])).code).toBe(6);
    expect(readFileSync('one.txt', 'utf8')).toBe(BASH_TEXT);
    expect((await ctx(['retrieve', read, '-o', 'one.txt', '--force'])).code).toBe(0);
    expect(readFileSync('one.txt', 'utf8')).toBe(READ_TEXT);
  });

  it('--json gives text and facts in one document', async () => {
    const value = JSON.parse((await ctx(['retrieve', bash, '--json'])).out) as object;
    expect(value).toMatchObject({
      ref: bash,
      kind: 'toolResult',
      tool: 'Bash',
      callId: 't1',
      text: BASH_TEXT,
      bytes: JSON.stringify(BASH_TEXT).length,
    });
  });

  it('--list names runs, originals and tools; --json as one document', async () => {
    const { out, code } = await ctx(['retrieve', '--list']);
    expect(code).toBe(0);
    for (const ref of refs) expect(out).toContain(ref);
    for (const tool of ['Bash', 'Read', 'Grep']) expect(out).toContain(tool);
    expect(out).toContain('2026-01-01 00:00:00');
    const value = JSON.parse((await ctx(['retrieve', '--list', '--json'])).out) as object;
    expect(value).toMatchObject({
      runs: [{ format: 'claude-code', refs }],
      originals: [{ tool: 'Bash' }, { tool: 'Read' }, { tool: 'Grep' }],
    });
  });

  it('--list where there is no stash is exit 5', async () => {
    const ran = await ctx(['retrieve', '--list', '--stash', 'none.stash']);
    expect([ran.code, ran.out]).toEqual([5, '']);
    errorLine(ran);
  });
});

async function got(...flags: string[]): Promise<Ran> {
  const ran = await ctx(['retrieve', bash, ...flags]);
  expect(ran.code).toBe(0);
  return ran;
}

describe('parts of an original', () => {
  it('--lines', async () => {
    expect((await got('--lines', '3-5')).out).toBe(`${LINES.slice(2, 5).join('\n')}\n`);
    expect((await got('--lines', '7')).out).toBe(`${LINES[6]}\n`);
    expect((await got('--lines', '-2')).out).toBe(`${LINES.slice(0, 2).join('\n')}\n`);
    expect((await got('--lines', '399-')).out.trimEnd()).toBe(LINES.slice(398).join('\n'));
    expect((await got('--lines', '399-9999')).out.trimEnd()).toBe(LINES.slice(398).join('\n'));
  });

  it('--head and --tail', async () => {
    expect((await got('--head', '2')).out).toBe(`${LINES.slice(0, 2).join('\n')}\n`);
    expect((await got('--tail', '2')).out.trimEnd()).toBe(LINES.slice(-2).join('\n'));
    const both = (await got('--head', '1', '--tail', '1')).out.trimEnd().split('\n');
    expect([both[0], both.at(-1)]).toEqual([LINES[0], LINES.at(-1)]);
    expect((await got('--head', '9999')).out).toBe(BASH_TEXT);
  });

  it('--pattern with lines around it, and where on stderr', async () => {
    const ran = await got('--pattern', 'line 20:', '--context', '1');
    expect(ran.out).toContain(LINES[18]);
    expect(ran.out).toContain(LINES[19]);
    expect(ran.out).toContain(LINES[20]);
    expect(ran.out).not.toContain(LINES[21]);
    expect(ran.err).toContain('1 match');
    const none = await got('--pattern', 'never there');
    expect([none.out, none.err]).toEqual(['', expect.stringContaining('No matches')]);
    expect((await got('--pattern', 'line 1:', '--context', '0')).out.split('\n')).toHaveLength(2);
  });

  it('a pattern of evil shape takes no time', async () => {
    const started = performance.now();
    await got('--pattern', '(a+)+$(.*)*x');
    await got('--pattern', '(((((');
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('--max-tokens cuts at a line end and says how to go on', async () => {
    const ran = await got('--max-tokens', '100');
    expect(ran.out.length).toBeLessThan(1000);
    const lines = ran.out.trimEnd().split('\n');
    expect(lines).toEqual(LINES.slice(0, lines.length));
    expect(ran.err).toContain(`--lines ${lines.length + 1}-`);
    expect((await got('--max-tokens', '1000000')).out).toBe(BASH_TEXT);
  });

  it.each([
    ['--lines', 'x'],
    ['--lines', '5-3'],
    ['--lines', '0'],
    ['--lines', '9999-'],
    ['--context', '-1'],
    ['--context', 'many'],
    ['--head', '0'],
    ['--head', '1.5'],
    ['--tail', 'x'],
    ['--max-tokens', '0'],
    ['--max-tokens', '1k'],
    ['--pattern', 'x'.repeat(5000)],
  ])('%s %s is a usage error', async (flag, value) => {
    const before = names();
    const ran = await ctx(['retrieve', bash, `${flag}=${value}`]);
    expect([ran.code, ran.out]).toEqual([2, '']);
    errorLine(ran);
    expect(names()).toEqual(before);
  });
});
