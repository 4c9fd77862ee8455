import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, put, report, sha, shaOf, useFolder } from '../support/cli.ts';
import { lines as records } from '../support/read.ts';
import { callLine, claude, longText, replyLine, resultLine, userLine } from '../support/session.ts';
import { total } from './figures.ts';

useFolder();

const FAST = ['--counter', 'heuristic', '--json'];

/** A record of progress that holds all that an agent below was sent so far, as the client writes it. */
function progress(line: number, history: readonly string[]): string {
  const normalizedMessages = history.map((text, index) => ({
    type: 'user',
    uuid: `n${index}`,
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `n${index}`, content: text }],
    },
  }));
  const data = {
    type: 'agent_progress',
    prompt: 'Look around.',
    agentId: 'a1',
    normalizedMessages,
  };
  return userLine(line, line - 1, '').replace(
    '"type":"user","message":{"role":"user","content":""}',
    `"type":"progress","data":${JSON.stringify(data)}`,
  );
}

/** A call whose result is 40 kB, with the mirror of it that the client draws, and progress that grows before it. */
function session(): string[] {
  const history = Array.from({ length: 12 }, (_, index) => longText(`below ${index}`, 100));
  const steps = history.map((_, index) => progress(index + 3, history.slice(0, index + 1)));
  const end = steps.length + 3;
  const stdout = longText('out', 1000);
  const mirror = { stdout, stderr: '', interrupted: false, isImage: false };
  return [
    userLine(1, null, 'Run it.'),
    callLine(2, 1, 'm1', 't1', 'Bash', { command: 'run' }),
    ...steps,
    resultLine(end, end - 1, 't1', JSON.stringify(stdout), {
      raw: `"toolUseResult":${JSON.stringify(mirror)}`,
    }),
    replyLine(end + 1, end, 'm2', { type: 'text', text: 'Done.' }),
    userLine(end + 2, end + 1, 'Thanks.'),
  ];
}

/** Keys and types of a value, strings left out. */
function shape(value: unknown): unknown {
  if (typeof value === 'string') return 'a string';
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === 'ctx' ? [] : [[key, shape(inner)]])),
  );
}

describe('progress that holds a history, and the mirror of a result', () => {
  it('leave the file with the same keys and types; what is sent stays byte for byte (report 79)', async () => {
    const input = claude(session());
    put('s.jsonl', input);
    const done = report(await ctx(['compact', 's.jsonl', '--ui-copies', ...FAST]));
    const output = readFileSync('s.compact.jsonl');
    expect(output.length / input.length).toBeLessThan(0.25);
    const sent = records(input).map(({ message }) => message);
    expect(records(output).map(({ message }) => message)).toEqual(sent);
    expect(records(output).map(shape)).toEqual(records(input).map(shape));
    expect(output.toString()).not.toContain('below 0 line 50:');
    expect(output.toString().split('out line 500:')).toHaveLength(2);
    expect(done.tokens).toMatchObject({ saved: 0 });
    expect((await ctx(['restore', 's.compact.jsonl', '-o', 'back.jsonl'])).code).toBe(0);
    expect(shaOf('back.jsonl')).toBe(sha(input));
  });

  it('count no tokens, and equal strings share one entry of the stash (report 79)', async () => {
    const lines = session();
    put('s.jsonl', claude(lines));
    const done = report(await ctx(['compact', 's.jsonl', '--ui-copies', ...FAST]));
    const sent = claude(lines.filter((line) => !line.includes('"type":"progress"')));
    expect(done.tokens.before).toBe(total(sent));
    // 78 strings of progress are 12 texts, and the mirror is one more.
    expect(done['stash']).toMatchObject({ entries: 13 });
  });
});
