import { describe, expect, test } from 'vitest';
import { standingsOf } from '../../src/summarize/family.ts';

const NAMES = [
  'oak',
  'elm',
  'ash',
  'fir',
  'yew',
  'box',
  'bay',
  'fig',
  'plum',
  'pear',
  'lime',
  'rose',
];

function rows(length: number): string[] {
  return Array.from(
    { length },
    (_, at) =>
      `10:${at} INFO [${NAMES[at % 12]}] pushed ${at} rows to ${NAMES[(at * 5) % 12]} in ${at % 7} s`,
  );
}

describe('a line among many of one pattern', () => {
  test.each([8, 30, 300])('is lone when it says something else (%i lines)', (length) => {
    const found = standingsOf(
      rows(length).toSpliced(3, 0, '10:3 INFO [oak] lease handed over at /run/lease'),
    );
    expect(found[3]).toBe('lone');
    expect(found.filter((standing) => standing === 'lone').length).toBe(1);
    expect(['typical', 'shared']).toContain(found[0]);
  });

  test('is not lone for common words in another order', () => {
    const list = Array.from(
      { length: 60 },
      (_, at) => `./${NAMES[at % 4]}/${NAMES[(at * 3) % 4]}.ts`,
    );
    expect(standingsOf([...list, './oak/oak.ts', './elm/elm/elm.ts'])).not.toContain('lone');
  });
});

test('where every line differs none is lone', () => {
  const text =
    `${NAMES.join(' ')} once upon a time there lived three small bears in their own house`.split(
      ' ',
    );
  const lines = text.map((word, at) =>
    Array.from({ length: 2 + (at % 5) }, (_, more) => `${word}${'x'.repeat(more)}`).join(' '),
  );
  expect(new Set(standingsOf(lines))).toEqual(new Set(['single']));
});

test('a few lines have no pattern', () => {
  expect(standingsOf(['a', 'a', 'a', 'b'])).toEqual(['single', 'single', 'single', 'single']);
  expect(standingsOf([])).toEqual([]);
});
