import { describe, expect, it } from 'vitest';
import { counterForModel, createCounter } from '../../src/measure/counters.ts';
import { loadVocabulary } from '../../src/measure/vocabulary-file.ts';

describe('createCounter', () => {
  it('keeps one counter a name', () => {
    expect(createCounter('cl100k_base')).toBe(createCounter('cl100k_base'));
    expect(createCounter('o200k_base').name).toBe('o200k_base');
    expect(createCounter('cl100k_base').name).toBe('cl100k_base');
  });

  it('takes four units of text for a token in the heuristic', () => {
    const counter = createCounter('heuristic');
    expect(counter.name).toBe('heuristic');
    expect(['', 'a', 'abcd', 'abcde', '😀😀😀'].map((text) => counter.count(text))).toEqual([
      0, 1, 1, 2, 2,
    ]);
  });
});

describe('counterForModel', () => {
  it.each([
    'gpt-4o',
    'gpt-4o-mini-2024-07-18',
    'chatgpt-4o-latest',
    'gpt-4.1-nano',
    'gpt-4.5-preview',
    'o1',
    'o1-pro',
    'o3-mini-2025-01-31',
    'o4-mini',
    'gpt-5',
    'gpt-5-codex',
    'gpt-5.1-codex-max',
    'gpt-oss-120b',
    'gpt-oss:20b',
    'openai/gpt-5-mini',
    'codex-mini-latest',
    'GPT-4o',
    'openrouter/openai/o3',
    'azure/gpt-4o',
    'openai.gpt-oss-20b-1:0',
    'ft:gpt-4o-mini:org::id',
  ])('%s is o200k_base', (model) => {
    expect(counterForModel(model)).toEqual({ name: 'o200k_base', exact: true });
  });

  it.each([
    'gpt-4',
    'gpt-4-0613',
    'gpt-4-turbo-2024-04-09',
    'openai/gpt-4-32k',
    'gpt-3.5-turbo-0125',
    'gpt-35-turbo',
    'text-embedding-3-small',
    'ft:gpt-3.5-turbo:org::id',
  ])('%s is cl100k_base', (model) => {
    expect(counterForModel(model)).toEqual({ name: 'cl100k_base', exact: true });
  });

  it.each([
    undefined,
    '',
    'claude-sonnet-4-5',
    'anthropic/claude-opus-4',
    'gemini-2.5-pro',
    'o10',
    'gpt-4all',
    'gpt-3',
    'gpt-2',
    'llama-3',
    'someone/gpt-4-distilled',
    'foo1',
    'gpt-6',
    '<synthetic>',
  ])('%s is estimated with o200k_base', (model) => {
    expect(counterForModel(model)).toEqual({ name: 'o200k_base', exact: false });
  });
});

describe('loadVocabulary', () => {
  it('says what to do when the file is missing', () => {
    expect(() => loadVocabulary('missing')).toThrowError(
      expect.objectContaining({
        code: 'internal',
        exitCode: 70,
        hint: expect.stringContaining('npm run build'),
      }),
    );
  });
});
