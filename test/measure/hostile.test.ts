import { describe, expect, it } from 'vitest';
import { createCounter } from '../../src/measure/counters.ts';
import { ENCODINGS, expected, generator, pickText } from './oracle.ts';

/** Pieces of text at which splitters differ. */
const ATOMS = [
  ['a', 'e', 's', 'S', 'A', 'Z', 'HTTP', 'Re', 'the', ' the', 'camelCase', 'XMLHttp', 'foo'],
  ["'s", "'S", "'T", "'ll", "'LL", "'re", "'Ve", "'m", "'d", "'", '’s', '’', "'ſ", 'ſ', 'K'],
  ['\r', '\n', '\r\n', '\t', ' ', '  ', '    ', '\v', '\f', '\u2028', '\u3000', '\u1680'],
  ['\ufeff', '\u0085', '\u00a0', '\u200b', '\u0301', '\u0300\u0323', '\u200d', '\ufe0f'],
  ['1', '12', '1234', '٣', '१२', '½', 'Ⅷ', '²', '𝟘', '😀', '👨‍👩‍👧', '🇩🇪', '\ud800', '\udc00'],
  ['<|endoftext|>', '<|endofprompt|>', 'ﬁ', 'ß', 'ǅ', 'ʰ', 'ª', 'ğ', 'İ', 'é', 'É', '𝐀', '𝒂'],
  ['Привет', 'мир', '你好', '世', '日本語', '한국어', 'ไทย', 'हिन्दी', 'عربى'],
  ['/', '//', '*/', '!', '?', '...', '--', '====', '_', '(', ')', '{', '}', '[]', ';', ':'],
  ['"', '`', '$', '#', '@', '%', '\0', '\x7f', '\x1b[31m', '0x', '=>', '\\n'],
  // Classes that changed after Unicode 16.
  ['\u1ae6', '\u0c5c', '\u{1e030}', '\u{10d40}', '\u{323b0}'],
].flat();

const CONTRACTIONS = ["'s", "'T", "'rE", "'VE", "'m", "'lL", "'d", "'ſ", "'l", "'r", "'x", '’s'];

describe.each(ENCODINGS)('%s', (name) => {
  const counter = createCounter(name);
  /** The texts that tiktoken counts differently. */
  const wrong = (texts: Iterable<string>): string[] =>
    [...texts].filter((text) => counter.count(text) !== expected(name, text));

  it('hostile atoms in random order', () => {
    expect(wrong(atomTexts(20_000))).toEqual([]);
  }, 60_000);

  it('random code units and code points', () => {
    expect(wrong(codePointTexts(5000))).toEqual([]);
  });

  it('every code point below U+20000, alone and where its class shows', () => {
    expect(wrong(classTexts(0x20000))).toEqual([]);
  }, 60_000);

  it('contractions after and before all kinds of text', () => {
    const texts = ['', 'a', 'A', 'é', '你', '1', ' ', '!', '\n', '\u0301'].flatMap((before) =>
      CONTRACTIONS.flatMap((contraction) =>
        ['', 's', 'E', '1', "'s", ' ', '你'].map((after) => before + contraction + after),
      ),
    );
    expect(wrong(texts)).toEqual([]);
  });

  it('white space runs', () => {
    const texts = [' ', '\n', ' \n', '\n ', '\r\n  ', '\u3000 ', ' \u0085', '\t\t'].flatMap((run) =>
      ['', 'a', 'Ab', '1', '!', '\u0301', '你', '\u2028'].flatMap((after) =>
        [1, 2, 3, 90].map((repeat) => `x${run.repeat(repeat)}${after}`),
      ),
    );
    expect(wrong(texts)).toEqual([]);
  });

  it('texts of no, one or half a character', () => {
    const texts = ['', 'a', '\0', '\ud83d', '\ude00', '\ud83dx', 'x\ude00', '\ufffd'];
    expect(wrong(texts)).toEqual([]);
    expect(counter.count('')).toBe(0);
    expect(counter.count('a \ud800')).toBe(counter.count('a \ufffd'));
  });

  it('special-token text as ordinary text', () => {
    expect(wrong(['a <|endoftext|> b', '<|endofprompt|>'])).toEqual([]);
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });
});

function* atomTexts(count: number): Iterable<string> {
  const random = generator(20_261_201);
  for (let round = 0; round < count; round++) {
    // Few different atoms in half of the texts, so that runs and repeats come up.
    const few = Array.from({ length: 3 }, () => pickText(random, ATOMS, 1));
    yield pickText(random, random() < 0.5 ? ATOMS : few, 1 + Math.floor(random() ** 2 * 40));
  }
}

function* codePointTexts(count: number): Iterable<string> {
  const random = generator(3);
  for (let round = 0; round < count; round++) {
    const limit = [0x80, 0x800, 0x10000, 0x110000][round % 4] as number;
    const points = Array.from({ length: 1 + (round % 20) }, () => Math.floor(random() * limit));
    yield String.fromCodePoint(...points);
  }
}

function* classTexts(limit: number): Iterable<string> {
  for (let point = 0; point < limit; point++) {
    const text = String.fromCodePoint(point);
    yield text;
    yield `${text}A${text}a${text}1${text}\n${text} ${text}!${text}${text}B'${text}'s`;
  }
}
