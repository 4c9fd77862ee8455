import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractive } from '../../src/summarize/extractive.ts';
import type { SummaryItem } from '../../src/summarize/summarizer.ts';
import { makeSession } from './sessions.ts';

const quarter = (text: string): number => Math.ceil(text.length / 4);
const bytes = (text: string): number => Buffer.byteLength(text);
/** Costs more for a text than for its parts: the sum of the lines says too little. */
const steep = (text: string): number => Math.ceil(text.length ** 1.2);

async function summarize(
  items: readonly SummaryItem[],
  maxTokens: number,
  count: (text: string) => number = quarter,
): Promise<string> {
  return extractive.summarize({ items, maxTokens, count });
}

function tool(text: string, more: Partial<SummaryItem> = {}): SummaryItem {
  return { role: 'user', kind: 'toolResult', text, ...more };
}

function user(text: string): SummaryItem {
  return { role: 'user', kind: 'text', real: true, text };
}

const LINE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '  ',
    'Error: no such file',
    '  Error: no such file',
    'never do that\r',
    'id=12 at /srv/a/b.json',
    '{',
    'x'.repeat(500),
    '\ud800 lone must stay',
  ),
);

const ITEM: fc.Arbitrary<SummaryItem> = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'system', 'other'),
    kind: fc.constantFrom('text', 'thinking', 'toolCall', 'toolResult', 'image', 'opaque'),
    text: fc.array(LINE, { maxLength: 12 }).map((lines) => lines.join('\n')),
    real: fc.boolean(),
    isError: fc.boolean(),
  },
  { requiredKeys: ['role', 'kind', 'text'] },
);

const ITEMS = fc.array(ITEM, { maxLength: 8 });

test('the summary is whole lines of the items, in order, each once', () =>
  fc.assert(
    fc.asyncProperty(ITEMS, fc.integer({ min: 0, max: 400 }), async (items, maxTokens) => {
      const summary = await summarize(items, maxTokens);
      if (summary === '') return;
      const lines = summary.split('\n');
      const source = items.flatMap((item) => item.text.split('\n'));
      let at = 0;
      for (const line of lines) {
        at = source.indexOf(line, at) + 1;
        expect(at).toBeGreaterThan(0);
      }
      expect(new Set(lines.map((line) => line.trim())).size).toBe(lines.length);
    }),
  ));

test.each([
  ['a quarter of the length', quarter],
  ['bytes', bytes],
  ['a count that is more than the sum of its parts', steep],
])('never more than the budget, counted by %s', (_, count) =>
  fc.assert(
    fc.asyncProperty(ITEMS, fc.integer({ min: 1, max: 400 }), async (items, maxTokens) => {
      expect(count(await summarize(items, maxTokens, count))).toBeLessThanOrEqual(maxTokens);
    }),
  ),
);

test.each([10, 100, 1000, 3000])('a long session uses %i tokens and no more', async (maxTokens) => {
  const { items } = makeSession(5, 20);
  const used = quarter(await summarize(items, maxTokens));
  expect(used).toBeLessThanOrEqual(maxTokens);
  expect(used).toBeGreaterThan(maxTokens * 0.7);
});

test.each([
  [
    '200,000 lines',
    Array.from({ length: 200_000 }, (_, at) => `job ${at} took ${at % 7} ms`).join('\n'),
  ],
  ['one line of 1 MB', 'word '.repeat(200_000)],
  ['5 MB of NULs', '\0'.repeat(5_000_000)],
  ['5 MB of newlines', '\n'.repeat(5_000_000)],
  ['lone surrogates', '\ud800\udc00\ud800 never\n'.repeat(20_000)],
  ['blanks to the limit', `${' '.repeat(398)}x\n`.repeat(5000)],
  ['one word to the limit', `${'a.'.repeat(199)}!\n`.repeat(5000)],
  ['digits to the limit', `${'1,'.repeat(199)}!\n`.repeat(5000)],
])('hostile input takes linear time: %s', { timeout: 20_000 }, async (_, text) => {
  expect(quarter(await summarize([user(text), tool(text), user('Go on.')], 200))).toBeLessThan(201);
});
