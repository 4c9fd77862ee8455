import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCounter } from '../../src/measure/counters.ts';
import { parseLines, type ViewOptions, viewText } from '../../src/retrieve/view.ts';

const quarter = (text: string) => Math.ceil(text.length / 4);
const o200k = (text: string) => createCounter('o200k_base').count(text);
const texts = fc
  .array(
    fc.constantFrom('word ', 'indivisible', '\n', '\n', '漢字', '👩‍👩‍👧', 'e\u0301', '12345', '𒀀'),
    {
      minLength: 1,
      maxLength: 200,
    },
  )
  .map((parts) => parts.join(''));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index + 1} some words of a line\n`).join('');
const hint = (notes: readonly string[]) => /next: --lines (\S+)$/.exec(notes.at(-1) ?? '')?.[1];

describe('the budget', () => {
  it('is never passed, and the text is a start of what was asked', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, maxTokens) => {
        for (const count of [quarter, o200k]) {
          const view = viewText(text, { maxTokens }, count);
          expect(count(view.text)).toBeLessThanOrEqual(maxTokens);
          expect(text.startsWith(view.text)).toBe(true);
        }
      }),
    );
  });

  it('takes as many lines as fit', () => {
    const text = numbered(500);
    const { text: shown, next } = viewText(text, { maxTokens: 300 }, quarter);
    const more = viewText(text, { lines: { from: 1, to: next?.line ?? 0 } }, quarter).text;
    expect(shown.endsWith('\n')).toBe(true);
    expect(quarter(more)).toBeGreaterThan(300);
  });

  it('leaves a text alone that fits', () => {
    const text = numbered(50);
    expect(viewText(text, { maxTokens: quarter(text) }, quarter)).toEqual({ text, notes: [] });
    const dense = '𒀀'.repeat(20);
    const { text: all } = viewText(dense, { maxTokens: o200k(dense) }, o200k);
    expect(all).toBe(dense);
  });

  it('is gone through by its hints: nothing is lost or shown twice', () => {
    const text = numbered(1000);
    const pages: string[] = [];
    for (let range: string | undefined = '1-900'; range !== undefined && pages.length < 100; ) {
      const view = viewText(text, { maxTokens: 700, lines: parseLines(range) }, quarter);
      pages.push(view.text);
      range = hint(view.notes);
      expect(range === undefined).toBe(view.next === undefined);
    }
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.join('')).toBe(viewText(text, { lines: { from: 1, to: 900 } }, quarter).text);
  });

  it('gives nothing for a budget of nothing', () => {
    expect(viewText('abc\ndef', { maxTokens: 0 }, quarter).text).toBe('');
  });

  it('names an open range at the end of the content, a closed one before it', () => {
    const text = numbered(100);
    const open = viewText(text, { maxTokens: 100 }, quarter);
    expect(open.notes.at(-1)).toBe(`[cut to 100 tokens] next: --lines ${open.next?.line}-`);
    const head = viewText(text, { maxTokens: 100, head: 60 }, quarter);
    expect(hint(head.notes)).toBe(`${head.next?.line}-60`);
  });

  it('goes on with a pattern in the lines that were not shown', () => {
    const text = numbered(900);
    const options: ViewOptions = { pattern: '0 some', context: 0, maxTokens: 200 };
    const view = viewText(text, options, quarter);
    expect(view.notes[0]).toBe('[90 matches for /0 some/]');
    expect(view.text.endsWith(' line\n')).toBe(true);
    expect(view.text).not.toMatch(/---\n$/);
    const rest = viewText(text, { ...options, lines: parseLines(hint(view.notes) ?? '') }, quarter);
    const seen = view.text.match(/^>/gm)?.length ?? 0;
    expect(rest.notes[1]).toContain(`[${90 - seen} matches`);
  });
});

describe('a line larger than the budget', () => {
  const family = '👩‍👩‍👧';

  it('is cut between graphemes, and the note says where', () => {
    const line = family.repeat(100);
    const view = viewText(`${line}\nrest`, { maxTokens: 11 }, quarter);
    expect(view.text).toBe(family.repeat(5));
    expect(view.notes).toEqual([
      '[line 1 was cut at character 40 of 800]',
      '[cut to 11 tokens] next: --lines 2-',
    ]);
    expect(viewText('x'.repeat(99), { maxTokens: 2 }, quarter).next).toBeUndefined();
  });

  it('counts characters of the line, not of the number before it', () => {
    const view = viewText('x'.repeat(99), { pattern: 'x', maxTokens: 4 }, quarter);
    expect(view.text).toBe('> 1| xxxxxxxxxxx');
    expect(view.notes.at(-1)).toBe('[line 1 was cut at character 11 of 99]');
    expect(viewText('x'.repeat(99), { pattern: 'x', maxTokens: 1 }, quarter).text).toBe('');
  });

  it('is not called cut when only its line end did not fit', () => {
    const view = viewText('12345678\nrest\n', { maxTokens: 2 }, quarter);
    expect(view).toEqual({
      text: '12345678',
      notes: ['[cut to 2 tokens] next: --lines 2-'],
      next: { line: 2 },
    });
  });

  it('survives characters that are joined without end', () => {
    for (const hostile of [`e${'\u0301'.repeat(5000)}`, '\ud83d'.repeat(5000), '🇦'.repeat(5000)]) {
      const { text } = viewText(hostile, { maxTokens: 100 }, quarter);
      expect(quarter(text)).toBeLessThanOrEqual(100);
      expect(text.length).toBeGreaterThan(300);
      // Cut between code points at the least.
      expect(text.endsWith('\ud83c')).toBe(false);
    }
  });
});
