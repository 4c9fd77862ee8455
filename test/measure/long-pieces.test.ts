import { describe, expect, it } from 'vitest';
import { createBpeCounter } from '../../src/measure/bpe.ts';
import { createLongMerge } from '../../src/measure/long-merge.ts';
import { openVocabulary } from '../../src/measure/vocabulary.ts';
import { ENCODINGS, expected, generator, pickText } from './oracle.ts';

const UNITS = ['a', 'ab', ' ', '\n', '  \n', '\0', '-', '=-', '界', '😀', '\u0301', 'Ж', 'A', 'ÿ'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
const SYLLABLES = ['the', 'world', 'ing', 'tion', 'er', 'un', 'camel', 'a', 'ß', '你好', '界'];

describe.each(ENCODINGS)('long pieces in %s', (name) => {
  const counter = createBpeCounter(name);
  const random = generator(9);

  it.each(UNITS)('%j repeated', (unit) => {
    const lengths = [30, 43, 63, 64, 65, 127, 128, 129, 130, 500, 2000];
    const texts = lengths.map((length) => unit.repeat(length / unit.length));
    expect(texts.map((text) => counter.count(text))).toEqual(
      texts.map((text) => expected(name, text)),
    );
  });

  it('random letters and syllables around the limits of the merges', () => {
    const lengths = [
      16, 17, 18, 31, 32, 33, 64, 65, 127, 128, 129, 400, 1664, 2047, 2048, 2049, 4096, 9000,
    ];
    const texts = lengths.flatMap((length) => [
      pickText(random, LETTERS, length),
      pickText(random, SYLLABLES, length / 3),
    ]);
    const wrong = texts.filter((text) => counter.count(text) !== expected(name, text));
    expect(wrong).toEqual([]);
  });

  it('windows of any size give what one window gives', () => {
    const vocabulary = openVocabulary(name);
    const whole = createLongMerge(vocabulary, 1 << 20);
    const inWindows = [1024, 1500, 4096].map((size) => createLongMerge(vocabulary, size));
    for (const unit of [...UNITS, ...LETTERS.map(() => '')]) {
      const text = unit === '' ? pickText(random, SYLLABLES, 2000) : unit.repeat(5000);
      const bytes = new TextEncoder().encode(text.padEnd(text.length + 16));
      const view = new DataView(bytes.buffer);
      const stop = bytes.length - 16;
      const tokens = whole(bytes, view, 0, stop);
      for (const merge of inWindows) expect(merge(bytes, view, 0, stop)).toBe(tokens);
    }
  });

  it.each(['a', '\0', '界', '😀'])('300,000 of %j grow linearly', (unit) => {
    // A run of equal characters has the same tokens all along, but for those at its end.
    const few = counter.count(unit.repeat(12_800));
    const more = counter.count(unit.repeat(25_600));
    expect(counter.count(unit.repeat(307_200))).toBe(few + 23 * (more - few));
  });
});
