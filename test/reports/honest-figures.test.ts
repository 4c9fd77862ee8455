import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, put, type Ran, report, useFolder } from '../support/cli.ts';
import { lines as records, resultText } from '../support/read.ts';
import { callLine, claude, longText, replyLine, resultLine, userLine } from '../support/session.ts';
import { count, session, shown, total } from './figures.ts';

useFolder();

const DROP = ['--drop', 'toolResults:blockThreshold=1'];
const run = (command: string, name: string, ...args: string[]): Promise<Ran> =>
  ctx([command, name, ...args, '--counter', 'heuristic']);

describe('before and after', () => {
  it.each([161_500, 12])(
    'are counted by one counter when the client claims %d tokens, which are only shown beside them (report 65)',
    async (usage) => {
      put('silent.jsonl', claude(session(longText('test'))));
      put('s.jsonl', claude(session(longText('test'), usage)));
      const silent = report(await run('explain', 'silent.jsonl', '--json', ...DROP));
      const done = report(await run('compact', 's.jsonl', '--json', ...DROP));
      expect(done.tokens).toEqual({ ...silent.tokens, clientUsage: usage });
      expect(done['counter']).toEqual({ name: 'heuristic', exact: false });
      // The output read as an input of its own: the figure after is now the figure before.
      put('alone.jsonl', readFileSync('s.compact.jsonl'));
      const alone = report(await run('explain', 'alone.jsonl', '--json', ...DROP));
      expect(alone.tokens).toMatchObject({ before: done.tokens.after, saved: 0 });
      const { out } = await run('explain', 's.jsonl', ...DROP);
      const { before, after, saved } = done.tokens;
      expect(shown(out, 'tokens')).toEqual({ before, after, verb: 'saves', by: saved });
      expect(out).toContain('(heuristic, an estimate for this model)');
      const claim = usage.toLocaleString('en-US');
      expect(out).toContain(`the client itself last counted ${claim}, with its own tokenizer`);
    },
  );
});

const escaped = (text: string) =>
  text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const STYLES: readonly (readonly [string, (line: string) => string])[] = [
  ['as it is', (line) => line],
  ['in escapes', escaped],
  ['with spaces after separators', (line) => line.replaceAll('":', '": ').replaceAll(',"', ', "')],
];

describe('text that is not ASCII', () => {
  it.each(STYLES)(
    'written %s: nothing but the replaced value is written anew, and the bytes shown are those of the files (report 66)',
    async (_name, style) => {
      const words = '日本語のテスト — naïve café 👩‍🚀\n';
      const lines = [`{"type":"summary","summary":${JSON.stringify(words)},"n":15.0}`].concat(
        session(words.repeat(200)),
      );
      const input = claude(lines.map(style));
      put('s.jsonl', input);
      const ran = await run('compact', 's.jsonl', ...DROP);
      const output = readFileSync('s.compact.jsonl');
      const by = input.length - output.length;
      const figures = { before: input.length, after: output.length, verb: 'saves', by };
      expect(shown(ran.out, 'bytes')).toEqual(figures);
      expect(by).toBeGreaterThan(5000);
      const written = output.toString().split('\n');
      expect(written.toSpliced(3, 1)).toEqual([...lines.map(style).toSpliced(3, 1), '']);
      const marker = /"(\[Dropped: [^"]+)"/.exec(written[3] ?? '')?.[0] ?? '';
      const value = style(JSON.stringify(words.repeat(200)));
      const [head = '', tail = ''] = style(lines[3] ?? '').split(value);
      const own = `${head}${marker}${tail.slice(0, -1)}`;
      expect(written[3]?.slice(0, own.length)).toBe(own);
      expect(Object.keys(records(output)[3] ?? {}).at(-1)).toBe('ctx');
    },
  );

  it('a run that saves tokens and makes the file longer says both (report 66)', async () => {
    const input = claude(session('x'.repeat(60)));
    put('s.jsonl', input);
    const { out } = await run('compact', 's.jsonl', ...DROP);
    const after = readFileSync('s.compact.jsonl').length;
    const by = after - input.length;
    expect(by).toBeGreaterThan(0);
    expect(shown(out, 'bytes')).toEqual({ before: input.length, after, verb: 'adds', by });
    expect(shown(out, 'tokens')).toMatchObject({ verb: 'saves', by: 4 });
  });
});

/** Equal outputs of two calls, a long answer and a live end. */
const LONG: readonly string[] = [
  ...session(longText('test')).slice(0, 3),
  callLine(4, 3, 'm2', 't2', 'Bash', { command: 'npm run again' }),
  resultLine(5, 4, 't2', JSON.stringify(longText('test'))),
  replyLine(6, 5, 'm3', { type: 'text', text: longText('answer', 40) }),
  userLine(7, 6, longText('question', 40)),
  replyLine(8, 7, 'm4', { type: 'text', text: 'Yes.' }),
  userLine(9, 8, 'Thanks.'),
];
const NET: readonly (readonly string[])[] = [
  DROP,
  ['--truncate', 'toolResults:blockThreshold=300,previewTokens=200'],
  ['--summarize', 'toolResults:blockThreshold=300'],
  ['--mask', 'preserveRecentTurns=1', '--effect', 'Bash=read'],
  ['--dedupe'],
  ['--drop', 'assistantText:blockThreshold=20', '--drop', 'userText:blockThreshold=20'],
  ['--drop', '*:preserveRecent=3'],
];

describe('savings', () => {
  it.each(NET)('%s %s: are net of what is put in the place (report 67)', async (...args) => {
    const input = claude(LONG);
    put('s.jsonl', input);
    const { tokens } = report(await run('compact', 's.jsonl', '--json', ...args));
    const output = readFileSync('s.compact.jsonl');
    expect([tokens.before, tokens.after]).toEqual([total(input), total(output)]);
    expect(tokens.saved).toBe(total(input) - total(output));
    expect(tokens.saved).toBeGreaterThan(0);
  });

  it('of a block is what its row says: its tokens less those of its marker (report 67)', async () => {
    put('s.jsonl', claude(LONG));
    const done = report(await run('compact', 's.jsonl', '--json', ...DROP));
    const rows = done.blocks.filter(({ action }) => action === 'dropped');
    const output = readFileSync('s.compact.jsonl');
    expect(rows).toMatchObject(
      ['t1', 't2'].map((callId) => ({
        callId,
        tokensBefore: count(longText('test')),
        tokensAfter: count(resultText(output, callId)),
      })),
    );
  });
});
