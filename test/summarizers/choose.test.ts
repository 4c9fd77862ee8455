import { expect, it } from 'vitest';
import { extractive } from '../../src/summarize/extractive.ts';
import { chooseSummarizer } from '../../src/summarizers/choose.ts';

it('gives the built-in one', () => {
  expect(chooseSummarizer('extractive', {}, {})).toBe(extractive);
});

it.each([
  '',
  'extractiv',
  'Extractive',
  'command',
  'command:',
  'command:  ',
  "command:'' x",
  "command:claude -p 'x",
  'command:claude "x',
  'command:claude x\\',
  'openai',
  'openai:',
  'openai: ',
  'anthropic:',
  'gemini:x',
  'constructor:x',
])('refuses %j as a usage error with advice', (text) => {
  expect(() => chooseSummarizer(text, {}, {})).toThrow(
    expect.objectContaining({ code: 'usage', exitCode: 2, hint: expect.any(String) }),
  );
});

it('names a command by its program alone', () => {
  const made = chooseSummarizer('command:/opt/tools/claude -p --key secret-4711', {}, {});
  expect(made.name).toBe('command:claude');
  expect(made.external?.destination).toBe('program claude');
  // It is called once, whatever it answers.
  expect(made.external?.automatic).toBeUndefined();
  expect(made.external?.cacheKey).not.toContain('secret');
});

it('tells commands and inputs apart in the cache', () => {
  const keyOf = (text: string, input: 'json' | 'text'): unknown =>
    chooseSummarizer(text, { input }, {}).external?.cacheKey;
  const keys = [
    keyOf('command:llm -m a', 'json'),
    keyOf('command:llm -m b', 'json'),
    keyOf('command:llm -m a', 'text'),
  ];
  expect(new Set(keys).size).toBe(3);
  expect(keyOf('command:llm -m a', 'json')).toBe(keys[0]);
});
