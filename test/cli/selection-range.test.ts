import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, names, put, useFolder } from '../support/cli.ts';
import { outcome, rowOf } from './outcome.ts';

/** What the flags of the selection let the steps act on, and what is out of their reach. */

useFolder();

const FAST = ['--counter', 'heuristic', '--json'];
const RESULTS = ['--drop', 'toolResults'];
const body = (label: string) => tokensOf(400, label);
/** Calls at messages 1, 3, 5 and 7, their results at 2, 4, 6 and 8, and texts up to message 11. */
const session = () =>
  new Session()
    .user('Go.')
    .read('a1', body('a1'))
    .calls({ name: 'Bash', result: body('a2') })
    .read('a3', body('a3'))
    .calls({ name: 'Grep', result: body('a4'), failed: true })
    .says(body('a5'))
    .user('And?')
    .says('Nothing.');

const CASES: readonly (readonly [string, string])[] = [
  ['', 'r1 r2 r3 r4'],
  ['--from 0', 'r1 r2 r3 r4'],
  ['--from 4', 'r2 r3 r4'],
  ['--from 5', 'r3 r4'],
  ['--from 99', ''],
  ['--to 0', ''],
  ['--to 3', 'r1'],
  ['--to 4', 'r1 r2'],
  ['--from 4 --to 4', 'r2'],
  ['--from 3 --to 7', 'r2 r3'],
  ['--last 0', ''],
  ['--last 3', ''],
  ['--last 4', 'r4'],
  ['--last 5', 'r4'],
  ['--last 99', 'r1 r2 r3 r4'],
  ['--last 8 --to 6', 'r2 r3'],
  ['--only tool::Read', 'r1 r3'],
  ['--only !tool::Read', 'r2 r4'],
  ['--only toolResults', 'r1 r2 r3'],
  ['--only toolResultErrors', 'r4'],
  ['--only assistantText', ''],
  ['--only *', 'r1 r2 r3 r4'],
  ['--only tool::Read --from 3', 'r3'],
  ['--keep-prefix 0', 'r1 r2 r3 r4'],
  ['--keep-prefix 3', 'r2 r3 r4'],
  ['--keep-prefix 4', 'r3 r4'],
  ['--keep-prefix 4 --from 2', 'r3 r4'],
  ['--keep-prefix 2 --from 5', 'r3 r4'],
  ['--conversation main', 'r1 r2 r3 r4'],
];

describe.each(CASES)('%s', (flags, taken) => {
  it(`takes ${taken || 'nothing'}`, async () => {
    const steps = [...RESULTS, '--drop', 'toolResultErrors'];
    const done = await outcome(session(), [...steps, ...flags.split(' ').filter(Boolean)]);
    expect(done.taken.join(' ')).toBe(taken);
    for (const name of ['r1', 'r2', 'r3', 'r4'])
      expect([name, rowOf(done, name).reason]).toEqual([
        name,
        taken.includes(name) ? 'targeted' : 'not-selected',
      ]);
  });
});

it('a group is removed only when all of it is selected', async () => {
  const done = await outcome(session(), ['--drop', '*:preserveRecent=1', '--from', '4']);
  expect(done.taken).toEqual(['c3', 'r3', 'c4', 'r4', 't9', 't10']);
  expect(rowOf(done, 'c2').reason).toBe('not-selected');
});

it('--keep-prefix leaves every byte up to the end of that message', async () => {
  const input = session().bytes;
  const { output } = await outcome(session(), [...RESULTS, '--keep-prefix', '3']);
  const prefix = input.indexOf('a2 a2');
  expect(prefix).toBeGreaterThan(0);
  expect(output.subarray(0, prefix).equals(input.subarray(0, prefix))).toBe(true);
  expect(output.equals(input)).toBe(false);
});

it.each([
  '--from x',
  '--from=-1',
  '--to 1.5',
  '--last=',
  '--last 1e3',
  '--keep-prefix a',
  '--only nope',
  '--only=',
  '--only toolResults:keep=1',
  '--conversation',
  '--from 5 --to 4',
])('%s is refused before anything is written', async (flags) => {
  put('s.json', session().bytes);
  const ran = await ctx(['compact', 's.json', ...FAST, ...RESULTS, ...flags.split(' ')]);
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(ran.err).toMatch(/^ctx: .+\n(?: {2}|\().+\n$/);
  expect(names()).toEqual(['s.json']);
});
