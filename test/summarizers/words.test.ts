import { expect, it } from 'vitest';
import { splitWords } from '../../src/summarizers/words.ts';

it.each<[string, string[]]>([
  ['', []],
  [' \t ', []],
  ['claude -p', ['claude', '-p']],
  ['  a\tb\n c ', ['a', 'b', 'c']],
  [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
  [`a'b'"c"d`, ['abcd']],
  [`'' "" x`, ['', '', 'x']],
  [String.raw`a\ b \' \"`, ['a b', "'", '"']],
  [String.raw`'a\b' "a\"b\\c\d"`, [String.raw`a\b`, String.raw`a"b\c\d`]],
  [`$HOME * ~ "$X" \`y\``, ['$HOME', '*', '~', '$X', '`y`']],
])('splits %j', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

it.each([`a 'b`, `a "b\\"`, `a\\`, `'`])('refuses %j', (line) => {
  expect(() => splitWords(line)).toThrow(expect.objectContaining({ exitCode: 2 }));
});

it('says where the mistake is', () => {
  expect(() => splitWords(`ab 'c`)).toThrow(
    "a ' that is not closed in the command line, at character 4",
  );
});
