import { expect, test } from 'vitest';
import { extractive } from '../../src/summarize/extractive.ts';
import type { SummaryItem } from '../../src/summarize/summarizer.ts';
import { makeSession } from './sessions.ts';

const quarter = (text: string): number => Math.ceil(text.length / 4);
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

test('bullets and clauses in prose are not code', async () => {
  const text = [
    '* Decision: keep the queue',
    'Never do this (see above):',
    'const a = load();',
  ].join('\n');
  const kept = await summarize([{ role: 'assistant', kind: 'text', text }, user(text)], 16);
  expect(kept.split('\n')).toEqual(text.split('\n').slice(0, 2));
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
