import { describe, expect, it } from 'vitest';
import { type ViewOptions, viewText } from '../../src/retrieve/view.ts';

// 200,000 lines, about 5 MB.
const LINES = 200_000;
const text = Array.from(
  { length: LINES },
  (_, index) => `${index} ${index % 97 === 0 ? 'ERROR' : 'ok'} of a line\n`,
).join('');
/** Generous: what is quadratic takes minutes. */
const LIMIT = 10_000;

describe('a large original', () => {
  it.each<[string, ViewOptions]>([
    ['a pattern', { pattern: 'ERROR' }],
    ['a pattern with a context as wide as the text', { pattern: 'o', context: LINES }],
    ['a pattern that backtracks elsewhere', { pattern: '(\\w+ ?)+$!' }],
    ['a range', { lines: { from: 2, to: LINES } }],
    ['head and tail', { head: LINES / 4, tail: LINES / 4 }],
    ['a budget', { maxTokens: 10_000 }],
  ])('takes linear time with %s', { timeout: LIMIT }, (_, options) => {
    expect(viewText(text, options, (part) => part.length / 4).notes).toBeDefined();
  });

  it('is hardly counted: a few times the budget', () => {
    for (const sample of [text, 'x'.repeat(5_000_000), `${' '.repeat(5_000_000)}x`]) {
      for (const maxTokens of [100, 10_000]) {
        let calls = 0;
        let read = 0;
        viewText(sample, { maxTokens }, (part) => {
          calls += 1;
          read += part.length;
          return Math.ceil(part.length / 4.4);
        });
        expect(calls).toBeLessThan(50);
        expect(read).toBeLessThan(maxTokens * 4.4 * 60);
      }
    }
  });
});
