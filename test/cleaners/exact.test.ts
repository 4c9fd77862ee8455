import { describe, expect, it } from 'vitest';
import { actions, Session, tokensOf } from '../masking/build.ts';

/** Which results a cleaner takes, and which it leaves: both ways, result by result. */
const A = tokensOf(400, 'alpha');
const B = tokensOf(400, 'beta');

const read = (path: string, more = {}) => ({
  name: 'Read',
  input: { file_path: path, ...more },
});
const write = (path: string) => ({
  name: 'Write',
  input: { file_path: path, content: 'new' },
  result: 'The file was written.',
});
const start = () => new Session().user('Go.');
const end = (session: Session) => session.says('Done.').user('And now?').says('Nothing.');

const CASES: readonly (readonly [
  string,
  'dedupe' | 'superseded-reads',
  string,
  Session,
  string[],
])[] = [
  [
    'equal outputs of different calls',
    'dedupe',
    '',
    start().read('a', A).read('b', A),
    ['deduplicated', 'kept'],
  ],
  [
    'the oldest stays when asked',
    'dedupe',
    'keep=oldest',
    start().read('a', A).read('b', A),
    ['kept', 'deduplicated'],
  ],
  [
    'three of a kind',
    'dedupe',
    '',
    start().read('a', A).read('a', A).read('a', A),
    ['deduplicated', 'deduplicated', 'kept'],
  ],
  ['equal input is not enough', 'dedupe', '', start().read('a', A).read('a', B), ['kept', 'kept']],
  ['one byte more', 'dedupe', '', start().read('a', A).read('a', `${A}.`), ['kept', 'kept']],
  [
    'too short to point elsewhere',
    'dedupe',
    '',
    start().read('a', 'ok').read('a', 'ok'),
    ['kept', 'kept'],
  ],
  [
    'a later write',
    'superseded-reads',
    '',
    start().read('a.ts', A).calls(write('a.ts')),
    ['dropped', 'kept'],
  ],
  [
    'a later write that failed',
    'superseded-reads',
    '',
    start()
      .read('a.ts', A)
      .calls({ ...write('a.ts'), failed: true }),
    ['kept', 'kept'],
  ],
  [
    'a write of another file',
    'superseded-reads',
    '',
    start().read('a.ts', A).calls(write('b.ts')),
    ['kept', 'kept'],
  ],
  [
    'a later read of the same',
    'superseded-reads',
    '',
    start().read('a.ts', A).read('a.ts', B),
    ['dropped', 'kept'],
  ],
  [
    'a later read of another range',
    'superseded-reads',
    '',
    start()
      .read('a.ts', A)
      .calls({ ...read('a.ts', { offset: 500, limit: 10 }), result: B }),
    ['kept', 'kept'],
  ],
  [
    'a write before the read',
    'superseded-reads',
    '',
    start().calls(write('a.ts')).read('a.ts', A),
    ['kept', 'kept'],
  ],
];

describe.each(CASES)('%s', (_name, method, options, session, expected) => {
  it(`${method}: takes these and no other`, async () => {
    expect(actions(await end(session).compact([[method, options]]))).toEqual(expected);
  });
});
