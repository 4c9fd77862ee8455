import { describe, expect, it } from 'vitest';
import { messagesOf, Session, text, tokensOf } from '../masking/build.ts';

const thought = (label: string, signature = 'c2lnbmVk') => ({
  type: 'thinking',
  thinking: tokensOf(60, label),
  ...(signature === '' ? {} : { signature }),
});
const sealed = { type: 'redacted_thinking', data: 'b3BhcXVl' };
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: id } });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'found' });

/** The session without the thoughts at these places, `message/block`. */
function without(session: Session, taken: readonly string[]): unknown[] {
  return session.messages.map(({ role, content }, message) => ({
    role,
    content: Array.isArray(content)
      ? content.filter((_block, at) => !taken.includes(`${message}/${at}`))
      : content,
  }));
}

const two = () =>
  new Session()
    .user('One.')
    .replies(thought('one'), text('First.'))
    .user('Two.')
    .replies(thought('two'), text('Second.'))
    .user('Three.')
    .replies(thought('three'), text('Third.'));

const CASES: readonly (readonly [string, string, Session, string[]])[] = [
  ['thoughts of finished turns', '', two(), ['1/0', '3/0']],
  ['those of one more turn stay', 'keep=1', two(), ['1/0']],
  ['those of all turns stay', 'keep=9', two(), []],
  [
    'a thought without a signature',
    '',
    new Session().user('One.').replies(thought('one', ''), text('First.')).user('Two.').says('Ok.'),
    ['1/0'],
  ],
  [
    'a sealed thought',
    '',
    new Session().user('One.').replies(sealed, text('First.')).user('Two.').says('Ok.'),
    ['1/0'],
  ],
  [
    'all thoughts of one reply',
    '',
    new Session()
      .user('One.')
      .replies(thought('one'), sealed, text('First.'), thought('more'), text('Last.'))
      .user('Two.')
      .says('Ok.'),
    ['1/0', '1/1', '1/3'],
  ],
  [
    'a thought before a call of a finished turn',
    '',
    new Session()
      .user('One.')
      .replies(thought('one'), call('c1'))
      .shows(result('c1'))
      .says('First.')
      .user('Two.')
      .says('Ok.'),
    ['1/0'],
  ],
  [
    'a thought before a call of the running turn stays',
    '',
    new Session()
      .user('One.')
      .replies(thought('one'), text('First.'))
      .user('Two.')
      .replies(thought('two'), call('c1'))
      .shows(result('c1'))
      .replies(thought('three'), call('c2'))
      .shows(result('c2')),
    ['1/0'],
  ],
  [
    'a reply that is nothing but a thought stays',
    '',
    new Session().user('One.').replies(thought('one')).user('Two.').says('Ok.'),
    [],
  ],
  [
    'the last reply keeps its thought',
    '',
    new Session().user('One.').replies(thought('one'), text('First.')),
    [],
  ],
];

describe.each(CASES)('thinking: %s', (_name, options, session, taken) => {
  it('takes these whole thoughts and nothing else', async () => {
    const done = await session.compact([['thinking', options]]);
    expect(messagesOf(done)).toEqual(without(session, taken));
  });
});
