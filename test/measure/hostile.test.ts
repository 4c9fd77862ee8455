import { describe, expect, it } from 'vitest';
import { createCounter } from '../../src/measure/counters.ts';
import { ENCODINGS, expected, generator, pickText } from './oracle.ts';

/** Pieces of text at which splitters differ. */
const ATOMS = [
  ...['a', 'e', 's', 'S', 'A', 'Z', 'HTTP', 'Re', 'the', ' the', 'camelCase', 'XMLHttp', 'foo'],
  ...["'s", "'S", "'T", "'ll", "'LL", "'re", "'Ve", "'m", "'d", "'", '’s', '’', "'ſ", 'ſ', 'K'],
  ...['\r', '\n', '\r\n', '\t', ' ', '  ', '    ', '\v', '\f', '\u2028', '\u3000', '\u1680'],
  ...['\ufeff', '\u0085', '\u00a0', '\u200b', '\u0301', '\u0300\u0323', '\u200d', '\ufe0f'],
  ...['1', '12', '1234', '٣', '१२', '½', 'Ⅷ', '²', '𝟘', '😀', '👨‍👩‍👧', '🇩🇪', '\ud800', '\udc00'],
  ...['<|endoftext|>', '<|endofprompt|>', 'ﬁ', 'ß', 'ǅ', 'ʰ', 'ª', 'ğ', 'İ', 'é', 'É', '𝐀', '𝒂'],
  ...['Привет', 'мир', '你好', '世', '日本語', '한국어', 'ไทย', 'हिन्दी', 'عربى'],
  ...['/', '//', '*/', '!', '?', '...', '--', '====', '_', '(', ')', '{', '}', '[]', ';', ':'],
  ...['"', '`', '$', '#', '@', '%', '\0', '\x7f', '\x1b[31m', '0x', '=>', '\\n'],
  // Classes that changed after Unicode 16.
  ...['\u1ae6', '\u0c5c', '\u{1e030}', '\u{10d40}', '\u{323b0}'],
];

const CONTRACTIONS = ["'s", "'T", "'rE", "'VE", "'m", "'lL", "'d", "'ſ", "'l", "'r", "'x", '’s'];

describe.each(ENCODINGS)('%s', (name) => {
  const counter = createCounter(name);
  const check = (text: string): void => {
    const tokens = expected(name, text);
    if (counter.count(text) !== tokens) expect([text, counter.count(text)]).toEqual([text, tokens]);
  };

  it('hostile atoms in random order', () => {
    const random = generator(20_261_201);
    for (let round = 0; round < 20_000; round++) {
      // Few different atoms in half of the texts, so that runs and repeats come up.
      const atoms =
        random() < 0.5
          ? ATOMS
          : Array.from({ length: 3 }, () => pickText(random, ATOMS, 1)).filter(Boolean);
      check(pickText(random, atoms, 1 + Math.floor(random() ** 2 * 40)));
    }
  });

  it('random code units and code points', () => {
    const random = generator(3);
    for (let round = 0; round < 5000; round++) {
      const limit = [0x80, 0x800, 0x10000, 0x110000][round % 4] as number;
      const text = Array.from({ length: 1 + (round % 20) }, () =>
        String.fromCodePoint(Math.floor(random() * limit)),
      ).join('');
      check(text);
    }
  });

  it('code points in contexts that show their class', () => {
    // Every one below U+3400 and in the emoji and ancient scripts' plane by steps; all of them
    // were compared once when the table was made.
    for (let point = 0; point < 0x20000; point += point < 0x3400 ? 1 : 23) {
      const text = String.fromCodePoint(point);
      check(`${text}A${text}a${text}1${text}\n${text} ${text}!${text}${text}B'${text}'s`);
      check(text);
    }
  });

  it('contractions after and before all kinds of text', () => {
    for (const before of ['', 'a', 'A', 'é', '你', '1', ' ', '!', '\n', '\u0301']) {
      for (const contraction of CONTRACTIONS) {
        for (const after of ['', 's', 'E', '1', "'s", ' ', '你'])
          check(before + contraction + after);
      }
    }
  });

  it('white space runs', () => {
    for (const run of [' ', '\n', ' \n', '\n ', '\r\n  ', '\u3000 ', ' \u0085', '\t\t']) {
      for (const after of ['', 'a', 'Ab', '1', '!', '\u0301', '你', '\u2028']) {
        for (const repeat of [1, 2, 3, 90]) check(`x${run.repeat(repeat)}${after}`);
      }
    }
  });

  it('texts of no, one or half a character', () => {
    for (const text of ['', 'a', '\0', '\ud83d', '\ude00', '\ud83dx', 'x\ude00', '\ufffd'])
      check(text);
    expect(counter.count('')).toBe(0);
    expect(counter.count('a \ud800')).toBe(counter.count('a \ufffd'));
  });

  it('special-token text as ordinary text', () => {
    check('a <|endoftext|> b');
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });
});
