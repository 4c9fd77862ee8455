import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, names, put, type Ran, report, useFolder } from '../support/cli.ts';
import { callLine, claude, longText, replyLine, resultLine, userLine } from '../support/session.ts';
import { count, session, total } from './figures.ts';

useFolder();

const run = (...args: string[]): Promise<Ran> =>
  ctx(['compact', 's.jsonl', ...args, '--counter', 'heuristic']);

/** Equal outputs, a failed call that was made again, blank lines, copies: all smaller than what would stand for them. */
const TINY: readonly string[] = [
  userLine(1, null, 'Go.'),
  callLine(2, 1, 'm1', 't1', 'Read', { file_path: 'a' }),
  resultLine(3, 2, 't1', '"a\\n\\n\\n\\nb"', { raw: '"toolUseResult":{"stdout":"a b"}' }),
  callLine(4, 3, 'm2', 't2', 'Read', { file_path: 'a' }),
  resultLine(5, 4, 't2', '"a\\n\\n\\n\\nb"'),
  callLine(6, 5, 'm3', 't3', 'Edit', { file_path: 'a', new_string: 'c' }),
  resultLine(7, 6, 't3', '"ok"'),
  replyLine(8, 7, 'm4', { type: 'text', text: 'Ok.' }),
  userLine(9, 8, 'And?'),
  replyLine(10, 9, 'm5', { type: 'text', text: 'No.' }),
  userLine(11, 10, 'Bye.'),
];
const STEPS: readonly (readonly string[])[] = [
  ['--drop', 'toolResults'],
  ['--drop', 'toolResultErrors', '--drop', 'assistantText', '--drop', 'userText'],
  ['--drop', '*:preserveRecent=8'],
  ['--truncate', 'toolResults:blockThreshold=2,previewTokens=1'],
  ['--truncate', '*:blockThreshold=2,previewTokens=1'],
  ['--summarize', 'toolResults'],
  ['--summarize', '*:preserveRecent=8'],
  ['--mask', 'preserveRecentTurns=0,preserveRecentMessages=0'],
  ['--dedupe', '--superseded-reads', '--error-inputs'],
  ['--media', 'keep=0', '--ui-copies', 'minBytes=1', '--whitespace-lines', 'minLines=2'],
  ['--preset', 'agentic'],
];

describe('a session in which every replacement would be larger', () => {
  it.each(STEPS)('%s %s: nothing to do, exit 0, no file (report 71)', async (...args) => {
    const input = claude(TINY);
    put('s.jsonl', input);
    const ran = await run(...args);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('nothing to do, nothing written');
    expect(names()).toEqual(['s.jsonl']);
    const named = report(await run(...args, '-o', 'out.jsonl', '--json'));
    expect(named.tokens).toMatchObject({ before: total(input), after: total(input), saved: 0 });
    expect(named.blocks.every(({ action }) => action === 'kept')).toBe(true);
    expect(names()).toEqual(['out.jsonl', 's.jsonl']);
    expect(readFileSync('out.jsonl').equals(input)).toBe(true);
  });

  it('the replacement is made from the first token on that it saves (report 71)', async () => {
    const marker = '[Dropped: ~12 tokens] [ref: 0123456789ab]';
    const least = count(marker) + 1;
    const outcomes = [least - 1, least].map(async (tokens) => {
      put(`${tokens}.jsonl`, claude(session('x'.repeat(tokens * 4))));
      const args = ['--drop', 'toolResults', '--counter', 'heuristic', '--json'];
      const { blocks } = report(await ctx(['explain', `${tokens}.jsonl`, ...args]));
      return blocks.find(({ kind }) => kind === 'toolResult');
    });
    expect(await Promise.all(outcomes)).toMatchObject([
      { action: 'kept', reason: 'no-saving' },
      { action: 'dropped', tokensBefore: least, tokensAfter: least - 1 },
    ]);
  });
});

describe('--min-savings', () => {
  const DROP = ['--drop', 'toolResults:blockThreshold=100'];

  it('what would save less is not done, exit 0, and no figure claims it (report 71)', async () => {
    put('s.jsonl', claude(session(longText('test'))));
    const { saved, before } = report(await run(...DROP, '--dry-run', '--json')).tokens;
    const least = ['--min-savings', String(saved + 1)];
    expect((await run(...DROP, ...least)).out).toContain('nothing to do, nothing written');
    const done = report(await run(...DROP, ...least, '--json'));
    expect(names()).toEqual(['s.jsonl']);
    expect(done).toMatchObject({
      output: null,
      stash: null,
      cache: null,
      tokens: { before, after: before, saved: 0 },
      strategies: [{ acted: 0, saved: 0, savedBytes: 0, noop: 'min-savings' }],
    });
    expect(done.warnings.map(({ code }) => code)).toEqual(['min-savings']);
  });

  it('what saves as much is done (report 71)', async () => {
    put('s.jsonl', claude(session(longText('test'))));
    const { saved } = report(await run(...DROP, '--dry-run', '--json')).tokens;
    const done = report(await run(...DROP, '--min-savings', String(saved), '--json'));
    expect(done.tokens.saved).toBe(saved);
    expect(total(readFileSync('s.compact.jsonl'))).toBe(done.tokens.after);
  });
});
