/** The journal beside a OneRingAI session: announced, and read when asked for. */

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, put, TRUNCATE, useFolder } from '../support/cli.ts';
import { chat } from '../support/session.ts';

const SAMPLES = new URL('../../samples/', import.meta.url);
const SESSION = readFileSync(new URL('oneringai.json', SAMPLES));
const JOURNAL = readFileSync(new URL('oneringai-journal.jsonl', SAMPLES));
const ARGS = [...TRUNCATE, '--counter', 'heuristic', '--json'];

useFolder();

const codes = (out: string): string[] =>
  (JSON.parse(out) as { warnings: { code: string }[] }).warnings.map(({ code }) => code);

describe('a session with a journal beside it', () => {
  it('is compacted itself, with a warning', async () => {
    put('chat.json', SESSION);
    put('chat.history.jsonl', JOURNAL);
    const ran = await ctx(['compact', 'chat.json', ...ARGS]);
    expect(ran.code).toBe(0);
    expect(codes(ran.out)).toContain('journal-beside');
    expect(existsSync('chat.compact.json')).toBe(true);
  });

  it('--from-journal reads the journal, which is an archive', async () => {
    put('chat.json', SESSION);
    put('chat.history.jsonl', JOURNAL);
    const ran = await ctx(['compact', 'chat.json', '--from-journal', ...ARGS]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ format: 'oneringai-journal' });
    expect(codes(ran.out)).toContain('archive');
    expect(codes(ran.out)).not.toContain('journal-beside');
    expect(existsSync('chat.history.compact.jsonl')).toBe(true);
    expect(existsSync('chat.compact.json')).toBe(false);
    expect(readFileSync('chat.history.jsonl').equals(JOURNAL)).toBe(true);
  });

  it('--from-journal never writes in place', async () => {
    put('chat.json', SESSION);
    put('chat.history.jsonl', JOURNAL);
    const ran = await ctx(['compact', 'chat.json', '--from-journal', '--in-place', ...ARGS]);
    expect(ran.code).toBe(2);
    expect(readFileSync('chat.history.jsonl').equals(JOURNAL)).toBe(true);
  });
});

describe('without a journal', () => {
  it('there is no warning, and --from-journal says that there is none', async () => {
    put('chat.json', SESSION);
    expect(codes((await ctx(['explain', 'chat.json', ...ARGS])).out)).not.toContain(
      'journal-beside',
    );
    const ran = await ctx(['explain', 'chat.json', '--from-journal', ...ARGS]);
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('there is no history journal beside chat.json');
  });

  it('a file of another format is not warned about', async () => {
    put('chat.json', chat());
    put('chat.history.jsonl', JOURNAL);
    expect(codes((await ctx(['explain', 'chat.json', ...ARGS])).out)).not.toContain(
      'journal-beside',
    );
  });
});
