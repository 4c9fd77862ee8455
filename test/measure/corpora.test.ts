import { describe, expect, it } from 'vitest';
import { createBpeCounter, PART } from '../../src/measure/bpe.ts';
import { corpora } from './corpora.ts';
import { ENCODINGS, expected } from './oracle.ts';

const TEXTS = Object.entries(corpora());

describe.each(ENCODINGS)('%s counts as tiktoken does', (name) => {
  const counter = createBpeCounter(name);

  it.each(TEXTS)('%s', (_kind, text) => {
    const tokens = expected(name, text);
    expect(counter.count(text)).toBe(tokens);
    // A second time the pieces come from the cache.
    expect(counter.count(text)).toBe(tokens);
  });

  it('prefixes of every length, after longer texts have filled the scratch buffer', () => {
    const [, text] = TEXTS.find(([kind]) => kind === 'scripts') as [string, string];
    const prefixes = Array.from({ length: 200 }, (_, length) => text.slice(0, length));
    const wrong = prefixes.filter((prefix) => counter.count(prefix) !== expected(name, prefix));
    expect(wrong).toEqual([]);
  });

  it('a text that is counted in parts', () => {
    const text = TEXTS.map(([, part]) => part)
      .join('\n')
      .repeat(3);
    expect(text.length).toBeGreaterThan(PART);
    expect(counter.count(text)).toBe(expected(name, text));
    // No line end to cut at: the scratch buffer grows.
    const line = text.replaceAll('\n', ' ').replaceAll('\r', ' ');
    expect(counter.count(line)).toBe(expected(name, line));
  }, 60_000);

  it('UTF-8 that is part of a larger buffer', () => {
    const [, text] = TEXTS.find(([kind]) => kind === 'cjk') as [string, string];
    const bytes = new TextEncoder().encode(`xyz${text}xyz`);
    expect(counter.countUtf8(bytes, 3, bytes.length - 3)).toBe(expected(name, text));
    expect(counter.countUtf8(bytes, 3, 3)).toBe(0);
  });
});
