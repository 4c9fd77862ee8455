import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLines, viewText } from '../../src/retrieve/view.ts';

const count = (text: string) => Math.ceil(text.length / 4);
const view = (text: string, options: Parameters<typeof viewText>[1]) =>
  viewText(text, options, count);
const lines = (from: number, to: number) => `${range(from, to).join('\n')}\n`;
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
/** Texts of short lines, with and without a final line end, with `\r`, wide and broken characters. */
const texts = fc
  .array(fc.constantFrom('a', 'b', 'ab', '\n', '\n', '\r\n', '漢', '😀', '\ud83d', ''), {
    minLength: 1,
    maxLength: 60,
  })
  .map((parts) => parts.join(''))
  .filter((text) => text !== '');
const refusal = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('the whole and its lines', () => {
  it('gives the text itself when nothing is selected', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => view(text, {}).text === text));
    expect(view('a\r\nb', {})).toEqual({ text: 'a\r\nb', notes: [] });
  });

  it('gives lines verbatim, so that two ranges make the text again', () => {
    fc.assert(
      fc.property(texts, fc.nat(70), (text, at) => {
        const total = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
        const cut = 1 + (at % total);
        const first = view(text, { lines: { from: 1, to: cut } });
        expect(first.notes).toEqual([`[Lines 1-${cut} of ${total}]`]);
        const after = { from: cut + 1, to: Number.POSITIVE_INFINITY };
        const rest = cut === total ? '' : view(text, { lines: after }).text;
        expect(first.text + rest).toBe(text);
      }),
    );
  });

  it('clamps the end of a range and keeps a missing line end missing', () => {
    expect(view('a\nb\nc', { lines: { from: 2, to: 99 } })).toEqual({
      text: 'b\nc',
      notes: ['[Lines 2-3 of 3]'],
    });
  });

  it('refuses a range that holds no line, with the number of lines', () => {
    for (const [from, to, size] of [
      [4, 9, '3 lines'],
      [3, 2, '3 lines'],
      [0, 2, '3 lines'],
      [Number.NaN, 2, '3 lines'],
    ] as const) {
      const error = refusal(() => view('a\nb\nc\n', { lines: { from, to } }));
      expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(size) });
    }
  });

  it('tells an empty content, whatever is asked', () => {
    for (const options of [{}, { pattern: 'x' }, { lines: { from: 5, to: 9 } }, { maxTokens: 1 }])
      expect(view('', options)).toEqual({ text: '', notes: ['Content is empty (0 lines).'] });
  });

  it('refuses content that has no text', () => {
    const error = refusal(() => viewText(undefined, { pattern: 'x' }, count));
    expect(error).toMatchObject({ exitCode: 2, message: 'cannot search non-text content' });
  });
});

describe('head and tail', () => {
  const text = lines(1, 10);

  it('gives the first and the last lines verbatim', () => {
    expect(view(text, { head: 2 }).text).toBe(lines(1, 2));
    expect(view(text, { tail: 2 }).text).toBe(lines(9, 10));
    expect(view('a\nb', { tail: 1 }).text).toBe('b');
    expect(view(text, { tail: 0 }).text).toBe('');
    expect(view(text, { head: 99 }).text).toBe(text);
  });

  it('names the lines between them', () => {
    const middle = '[... lines 3-9 elided ...]\n';
    expect(view(text, { head: 2, tail: 1 }).text).toBe(lines(1, 2) + middle + lines(10, 10));
    expect(view(text, { head: 5, tail: 5 }).text).toBe(text);
    const inner = view(text, { lines: { from: 3, to: 8 }, head: 1, tail: 1 }).text;
    expect(inner).toBe('line 3\n[... lines 4-7 elided ...]\nline 8\n');
  });
});

describe('patterns', () => {
  it('shows matches and the lines around them', () => {
    expect(view(lines(1, 20), { pattern: 'e (9|1)$', context: 1 })).toEqual({
      text: '>  1| line 1\n   2| line 2\n---\n   8| line 8\n>  9| line 9\n  10| line 10\n',
      notes: ['[2 matches for /e (9|1)$/]'],
    });
    expect(view(lines(1, 20), { pattern: 'e 10$' }).text).toMatch(/^ {3}5\| .*> 10\| .*15\n$/s);
  });

  it('agrees with a plain search, line by line', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('a', '^$', 'b$', '^a|漢', '.', '😀'), fc.nat(3), naive),
    );
  });

  it('searches inside a range, and in what head and tail leave', () => {
    const found = view(lines(1, 30), {
      pattern: 'line 2',
      lines: { from: 21, to: 99 },
      context: 0,
    });
    expect(found.notes).toEqual(['[Lines 21-30 of 30]', '[9 matches for /line 2/ in lines 21-30]']);
    const ends = view(lines(1, 30), { pattern: 'elided|line', head: 2, tail: 1, context: 0 });
    expect(ends.notes).toEqual(['[3 matches for /elided|line/]']);
    expect(ends.text).toBe('>  1| line 1\n>  2| line 2\n---\n> 30| line 30\n');
  });

  it('tells when nothing matches', () => {
    expect(view('a\nb', { pattern: 'A' })).toEqual({
      text: '',
      notes: ["No matches found for pattern 'A' (searched 2 lines)."],
    });
  });

  it('searches literally what is no regular expression, and says so', () => {
    const found = view('f(x\ny', { pattern: 'f(', context: 0 });
    expect(found.text).toBe('> 1| f(x\n');
    expect(found.notes[0]).toContain("'f(' is no regular expression");
    expect(view('(a)\\1', { pattern: '(a)\\1', context: 0 }).text).toBe('> 1| (a)\\1\n');
  });

  it('refuses a pattern of more than 200 characters', () => {
    expect(refusal(() => view('a', { pattern: 'x'.repeat(201) }))).toMatchObject({ exitCode: 2 });
    expect(refusal(() => view('a', { pattern: 'x'.repeat(200) }))).toBeUndefined();
  });

  it('leaves a carriage return in its line', () => {
    expect(view('a\r\nb', { pattern: 'a$' }).notes[0]).toContain('No matches');
    expect(view('a\r\nb', { pattern: 'a\\r$', context: 0 }).text).toBe('> 1| a\r\n');
  });
});

describe('ranges on the command line', () => {
  it('reads every form', () => {
    expect(parseLines('10-20')).toEqual({ from: 10, to: 20 });
    expect(parseLines('10-')).toEqual({ from: 10, to: Number.POSITIVE_INFINITY });
    expect(parseLines('-20')).toEqual({ from: 1, to: 20 });
    expect(parseLines('7')).toEqual({ from: 7, to: 7 });
  });

  it('refuses everything else', () => {
    for (const text of ['', '-', '0', '0-4', '5-4', 'a', '1-2-3', '1.5', '1,2', ' 1', '1e3'])
      expect(refusal(() => parseLines(text))).toMatchObject({ exitCode: 2 });
  });
});

/** The same search with the means of the language, over short texts. */
function naive(text: string, pattern: string, context: number): void {
  const all = text.replace(/\n$/, '').split('\n');
  const hit = all.map((line) => new RegExp(pattern, 'su').test(line));
  const near = all.map((_, index) => hit.slice(Math.max(0, index - context), index + context + 1));
  const shown = all.flatMap((_, index) => (near[index]?.includes(true) ? [index] : []));
  const width = String((shown.at(-1) ?? 0) + 1).length;
  const rows = shown.map((index, place) => {
    const gap = place > 0 && shown[place - 1] !== index - 1 ? '---\n' : '';
    return `${gap}${hit[index] ? '>' : ' '} ${String(index + 1).padStart(width)}| ${all[index]}\n`;
  });
  expect(view(text, { pattern, context }).text).toBe(rows.join(''));
}
