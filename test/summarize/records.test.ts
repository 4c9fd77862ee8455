import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractive } from '../../src/summarize/extractive.ts';
import { recordsOf } from '../../src/summarize/records.ts';

const count = (text: string): number => Math.ceil(text.length / 4);

/** The summary of one result at 15 % of its tokens. */
function kept(text: string): string[] {
  const items = [{ role: 'user', kind: 'toolResult', text }];
  return extractive
    .summarize({ items, maxTokens: Math.ceil(count(text) * 0.15), count })
    .split('\n');
}

const pods = Array.from({ length: 60 }, (_, at) => ({
  pod: `api-${at}`,
  node: `n${at % 7}`,
  phase: 'Running',
  restarts: at % 3,
}));

test.each([
  ['an error', { pod: 'mailer-7', phase: 'Pending', reason: 'image pull failed: no such tag' }],
  ['an id', { note: 'evicted twice, see incident', ticket: 'OPS-48213' }],
  ['a path', { pod: 'dumper-1', wrote: '/var/crash/dumper/core.4411' }],
])('the odd element of a long list on one line is taken: %s', (_, odd) => {
  const text = JSON.stringify({ kind: 'List', items: pods.toSpliced(23, 0, odd as never) });
  expect(kept(text)).toContain(JSON.stringify(odd));
});

test('a list as Python prints it', () => {
  const odd = "{'job': 'sync', 'state': 'failed', 'error': 'lease expired'}";
  const list = Array.from(
    { length: 50 },
    (_, at) => `{'job': 'sync', 'state': 'done', 'n': ${at}}`,
  );
  expect(kept(`[${list.toSpliced(31, 0, odd).join(', ')}]`)).toContain(odd);
});

test('a member of an element that is itself too long', () => {
  const rest = Array.from({ length: 80 }, (_, at) => `plain${at}`);
  const text = JSON.stringify({ labels: rest, error: 'disk quota exceeded on vol-3', more: rest });
  expect(kept(text)).toContain('"error":"disk quota exceeded on vol-3"');
});

test('lines inside a long string', () => {
  const log = Array.from({ length: 60 }, (_, at) => `step ${at} of the build is done`);
  const text = JSON.stringify({ log: log.toSpliced(20, 0, 'ld: cannot find -lzstd').join('\n') });
  expect(kept(text)).toContain('ld: cannot find -lzstd');
});

test('a list that was cut off', () => {
  const text = `${JSON.stringify(pods).slice(0, -1)},{"pod":"x","error":"node lost"},{"pod":"cut o`;
  expect(kept(text)).toContain('{"pod":"x","error":"node lost"}');
});

test('a sentence of a paragraph on one line', () => {
  const talk = 'The service reads the queue and writes what it read to the store, batch by batch. ';
  const fact = 'The migration is tracked as PLAT7731 in the old tracker.';
  expect(kept(`${talk.repeat(9)}${fact} ${talk.repeat(9)}`)).toContain(fact);
});

test('brackets and commas inside strings are text', () => {
  const text = '{"a":"one, two ] }","b":"say \\"x, y\\" twice"}';
  const long = `[${Array.from({ length: 9 }, () => text).join(',')}]`;
  expect(recordsOf(long)).toEqual(Array.from({ length: 9 }, () => text));
});

test('what is one long thing has no parts', () => {
  expect(recordsOf('word '.repeat(200))).toEqual([]);
  expect(recordsOf('QUJD'.repeat(200))).toEqual([]);
  expect(recordsOf(`["${'x'.repeat(900)}"]`)).toEqual([]);
});

test('parts are verbatim, in order and do not overlap', () => {
  const unit = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '\\n',
    '\\',
    'word',
    '. T',
    '1',
    ' ',
  );
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 300 }),
      fc.constantFrom('', '[{', '{"'),
      (list, head) => {
        const line = head + list.join('');
        let at = 0;
        for (const part of recordsOf(line)) {
          const found = line.indexOf(part, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + part.length;
        }
      },
    ),
  );
});

test.each([
  ['numbers', `[${'12,'.repeat(2_000_000)}3]`],
  ['open brackets', '['.repeat(5_000_000)],
  ['closed brackets', `[1${']'.repeat(5_000_000)}`],
  ['brackets by turns', '[{"'.repeat(1_000_000)],
  ['a string without an end', `["${'\\n\\\\'.repeat(1_000_000)}`],
  ['sentences', 'A b. '.repeat(1_000_000)],
  ['blanks', `[ ${' '.repeat(5_000_000)}`],
  ['records', `[${'{"id":1,"error":"no such row 12"},'.repeat(100_000)}{}]`],
])('one long line takes linear time: %s', { timeout: 20_000 }, (_, text) => {
  expect(count(kept(text).join('\n'))).toBeLessThanOrEqual(Math.ceil(count(text) * 0.15));
});
