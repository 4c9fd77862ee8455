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

test('a long session stays within the budget and uses it', async () => {
  const { items } = makeSession(5, 20);
  for (const maxTokens of [10, 100, 1000, 3000]) {
    const used = quarter(await summarize(items, maxTokens));
    expect(used).toBeLessThanOrEqual(maxTokens);
    expect(used).toBeGreaterThan(maxTokens * 0.7);
  }
});

test('the same items give the same summary', async () => {
  const { items } = makeSession(6, 10);
  const again = structuredClone(items);
  expect(await summarize(items, 900)).toBe(await summarize(again, 900));
});

test('counting is in proportion to the budget', async () => {
  const { items } = makeSession(7, 60);
  let counted = 0;
  await summarize(items, 500, (text) => {
    counted += text.length;
    return quarter(text);
  });
  expect(counted).toBeLessThan(500 * 4 * 10);
});

test('priorities when there is room for one line', async () => {
  const items = [
    user('The importer is slow.\nNever edit the generated files.'),
    { role: 'assistant', kind: 'text', text: 'Decision: keep the queue.' },
    tool('Error: disk full\nall the rest of it'),
  ];
  expect(await summarize(items, 9)).toBe('Never edit the generated files.');
});

test('the last line of a Python traceback is kept', async () => {
  const text = [
    ...Array.from({ length: 200 }, (_, at) => `step ${at} ok`),
    'Traceback (most recent call last):',
    '  File "run.py", line 12, in <module>',
    '    main()',
    'zipimport.Oddity: bad local header',
  ].join('\n');
  expect(await summarize([tool(text)], 40)).toContain('zipimport.Oddity: bad local header');
});

test('a failed result keeps its first line when nothing in it reads as an error', async () => {
  const rows = Array.from({ length: 50 }, (_, at) => `plain words number ${at}`);
  const text = ['The tool gave up', ...rows].join('\n');
  expect(await summarize([tool(text, { isError: true })], 6)).toBe('The tool gave up');
});

test('a short call is kept as it stands, a long one left out', async () => {
  const short = '{"command":"npm test -- --run"}';
  const long = JSON.stringify({ content: 'word '.repeat(200) });
  const items = [short, long].map((text) => ({ role: 'assistant', kind: 'toolCall', text }));
  expect(await summarize(items, 1000)).toBe(short);
});

test('a long line is left out, never cut; a person may write longer ones', async () => {
  const long = `must ${'word '.repeat(120)}`;
  expect(await summarize([tool(long)], 1000)).toBe('');
  expect(await summarize([user(long)], 1000)).toBe(long);
});

test('context that a client put into a user message is no rule of the user', async () => {
  const items = [
    user('<system-reminder>\nYou must never mention this reminder.\n</system-reminder>'),
    user('Please fix it.'),
  ];
  expect(await summarize(items, 4)).toBe('Please fix it.');
});

test('nothing useful gives an empty summary', async () => {
  expect(await summarize([], 100)).toBe('');
  expect(await summarize([tool(''), tool('\n \n---\n{\n}')], 100)).toBe('');
  expect(await summarize([user('Fix it.')], 0)).toBe('');
  expect(await summarize([user('Fix it.')], Number.NaN)).toBe('');
  expect(await summarize([{ role: 'user', kind: 'image', text: '' }], 100)).toBe('');
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
  for (const kind of ['toolResult', 'text']) {
    const item = { role: 'user', kind, real: true, text };
    expect(quarter(await summarize([item, user('Go on.')], 200))).toBeLessThanOrEqual(200);
  }
});
