import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, put, refsOf, useFolder } from '../support/cli.ts';
import { lines, resultText } from '../support/read.ts';
import { callLine, claude, longText, replyLine, resultLine, userLine } from '../support/session.ts';

useFolder();

const FILE = longText('price');
const FAST = ['--counter', 'heuristic', '--json'];
const WRITTEN = [userLine(7, 6, 'Now mend it.'), ...writes(8, 7, 'a.ts', 'mended')];

/** A file that is read twice in the same words, then a live end. */
function reads(): string[] {
  return [
    userLine(1, null, 'Find the bug.'),
    callLine(2, 1, 'm1', 't1', 'Read', { file_path: 'a.ts' }),
    resultLine(3, 2, 't1', JSON.stringify(FILE)),
    callLine(4, 3, 'm2', 't2', 'Read', { file_path: 'a.ts' }),
    resultLine(5, 4, 't2', JSON.stringify(FILE)),
    replyLine(6, 5, 'm3', { type: 'text', text: 'Found it.' }),
  ];
}

/** A write of a file that succeeds. */
function writes(line: number, parent: number, path: string, content: string): string[] {
  const id = `w${line}`;
  return [
    callLine(line, parent, `m${line}`, id, 'Write', { file_path: path, content }),
    resultLine(line + 1, line, id, '"The file was written."'),
    replyLine(line + 2, line + 1, `m${line + 2}`, { type: 'text', text: 'Done.' }),
  ];
}

const ONE_LINE: readonly (readonly [name: string, args: readonly string[], label: RegExp])[] = [
  ['dedupe', ['--dedupe'], /Duplicate: ~\d,\d{3} tokens, same as the result of t2/],
  ['superseded-reads', ['--superseded-reads'], /Superseded: a\.ts, ~\d,\d{3} tokens, .+ later/],
  ['drop', ['--drop', 'toolResults:preserveRecent=2'], /Dropped: ~\d,\d{3} tokens/],
  [
    'mask',
    ['--mask', 'preserveRecentTurns=1'],
    /Masked: Read result, 400 lines, ~\d,\d{3} tokens, ok/,
  ],
];

describe('what stands in the place of a file', () => {
  it.each(ONE_LINE)(
    '%s: one bracketed line with a ref and nothing of the file, told by a typed identity (report 58)',
    async (_name, args, label) => {
      put('s.jsonl', claude([...reads(), ...WRITTEN]));
      const ran = await ctx(['compact', 's.jsonl', ...args, ...FAST]);
      expect(ran.code).toBe(0);
      const output = readFileSync('s.compact.jsonl');
      const marker = resultText(output, 't1');
      const ref = refsOf(ran)[0] ?? '';
      expect(marker).toMatch(new RegExp(`^\\[${label.source}\\] \\[ref: ${ref}\\]$`));
      const identity = { at: '/message/content/0/content', ref };
      expect(lines(output)[2]).toMatchObject({ ctx: { v: 1, offloaded: [identity] } });
      expect((await ctx(['retrieve', ref, '--stash', 's.compact.jsonl.stash'])).out).toBe(FILE);
    },
  );

  it('truncate: a bracketed first line, then the file’s own head and tail around a bracketed cut (report 58)', async () => {
    put('s.jsonl', claude([...reads(), ...WRITTEN]));
    const truncate = ['--truncate', 'toolResults:blockThreshold=200,previewTokens=60'];
    expect((await ctx(['compact', 's.jsonl', ...truncate, ...FAST])).code).toBe(0);
    const [first = '', blank, ...shown] = resultText(readFileSync('s.compact.jsonl'), 't1').split(
      '\n',
    );
    expect(first).toMatch(/^\[Truncated: 1 block, ~[\d,]+ tokens\] \[ref: [0-9a-f]{12}\]$/);
    expect(blank).toBe('');
    const cut = shown.findIndex((line) => line.startsWith('[... '));
    expect(shown[cut]).toMatch(/^\[\.\.\. [\d,]+ chars elided \(lines \d+-\d+\) \.\.\.\]$/);
    const head = shown.slice(0, cut).join('\n').trimEnd();
    const tail = shown
      .slice(cut + 1)
      .join('\n')
      .trimStart();
    expect([head.length > 40, FILE.startsWith(head)]).toEqual([true, true]);
    expect([tail.length > 20, FILE.endsWith(tail)]).toEqual([true, true]);
  });
});

describe('a marker that an agent wrote into a file', () => {
  it('is that file’s content: kept as it is, brought back as it is, no placeholder (report 58)', async () => {
    const input = claude([...reads(), ...WRITTEN]);
    put('s.jsonl', input);
    const first = await ctx(['compact', 's.jsonl', '--dedupe', ...FAST]);
    const [ref = ''] = refsOf(first);
    const output = readFileSync('s.compact.jsonl');
    const marker = resultText(output, 't1');
    const later = claude([
      userLine(11, 10, 'Write what you read.'),
      ...writes(12, 11, 'b.ts', marker),
      callLine(15, 14, 'm15', 't3', 'Read', { file_path: 'b.ts' }),
      resultLine(16, 15, 't3', JSON.stringify(marker)),
      callLine(17, 16, 'm17', 't4', 'Read', { file_path: 'c.ts' }),
      resultLine(18, 17, 't4', JSON.stringify(`${marker}\n${longText('more')}`)),
      replyLine(19, 18, 'm19', { type: 'text', text: 'Written.' }),
      userLine(20, 19, 'Thanks.'),
    ]);
    put('s.compact.jsonl', Buffer.concat([output, later]));
    const drop = ['--drop', 'toolResults', '-o', 'again.jsonl'];
    const second = await ctx(['compact', 's.compact.jsonl', ...drop, ...FAST]);
    expect([second.code, second.err]).toEqual([0, '']);
    const last = readFileSync('again.jsonl');
    // The placeholder, the call that wrote its text and what was read from that file are as they were.
    for (const line of [2, 10, 11, 13])
      expect(last.toString().split('\n')[line]).toBe(
        Buffer.concat([output, later]).toString().split('\n')[line],
      );
    expect(resultText(last, 't3')).toBe(marker);
    // A file that only starts with such a line is a file like any other.
    const whole = refsOf(second).at(-1) ?? '';
    expect(resultText(last, 't4')).toMatch(new RegExp(`^\\[Dropped: .+\\[ref: ${whole}\\]$`));
    const stash = ['--stash', 'again.jsonl.stash'];
    expect((await ctx(['retrieve', whole, ...stash])).out).toBe(`${marker}\n${longText('more')}`);
    expect((await ctx(['retrieve', ref, ...stash])).out).toBe(FILE);
    expect((await ctx(['restore', 'again.jsonl', '-o', 'back.jsonl'])).code).toBe(0);
    expect(readFileSync('back.jsonl').equals(Buffer.concat([input, later]))).toBe(true);
  });
});
