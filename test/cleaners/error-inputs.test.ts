import { describe, expect, it } from 'vitest';
import { compact } from '../../src/memory.ts';
import { messagesOf, Session, tokensOf } from '../masking/build.ts';

const BULKY = tokensOf(400, 'content');
const OTHER = tokensOf(400, 'mended');

const write = (path: string, content = BULKY) => ({
  name: 'Write',
  input: { file_path: path, content },
});
const fails = (path: string, content = BULKY) => ({
  ...write(path, content),
  result: 'No such folder',
  failed: true,
});
const works = (path: string, content = OTHER) => ({ ...write(path, content), result: 'Written.' });
const start = () => new Session().user('Go.');

/** Numbers of the calls whose input is another one afterwards. */
async function changed(session: Session): Promise<number[]> {
  session.says('Done.').user('And now?').says('Nothing.');
  const done = await session.compact([['error-inputs', '']]);
  const before = inputsOf(session.messages);
  return inputsOf(messagesOf(done)).flatMap((input, at) => (input === before[at] ? [] : [at + 1]));
}

function inputsOf(messages: readonly { readonly content: unknown }[]): string[] {
  return messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? (content as { type: string; input?: unknown }[]).flatMap(({ type, input }) =>
          type === 'tool_use' ? [JSON.stringify(input)] : [],
        )
      : [],
  );
}

const CASES: readonly (readonly [string, Session, number[]])[] = [
  ['a failure that was made good', start().calls(fails('a')).calls(works('a')), [1]],
  [
    'two failures that were made good',
    start().calls(fails('a'), fails('a')).calls(works('a')),
    [1, 2],
  ],
  ['a failure that stayed one', start().calls(fails('a')).calls(fails('a')), []],
  ['a success before the failure', start().calls(works('a')).calls(fails('a')), []],
  ['a success with another file', start().calls(fails('a')).calls(works('b')), []],
  [
    'a success of another tool',
    start()
      .calls(fails('a'))
      .calls({ ...works('a'), name: 'Edit' }),
    [],
  ],
  ['a repetition that nobody answered', start().calls(fails('a')).calls(write('a')), []],
  ['a short input', start().calls(fails('a', 'few words')).calls(works('a')), []],
  ['the success itself', start().calls(works('a')).calls(works('a')), []],
];

describe.each(CASES)('error-inputs: %s', (_name, session, expected) => {
  it('takes these inputs and no other', async () => {
    expect(await changed(session)).toEqual(expected);
  });
});

describe('error-inputs', () => {
  it('replaces the bulky strings of an input, and only these', async () => {
    const edits = { file_path: 'a', edits: [{ old: BULKY, new: 'short' }], count: 2 };
    const session = start()
      .calls({ name: 'MultiEdit', input: edits, result: 'Not found', failed: true })
      .calls({ name: 'MultiEdit', input: { file_path: 'a', edits: [] }, result: 'Done.' })
      .says('Done.');
    const done = await session.compact([['error-inputs', '']]);
    const [first = ''] = inputsOf(messagesOf(done));
    expect(JSON.parse(first)).toEqual({
      file_path: 'a',
      edits: [
        {
          old: expect.stringMatching(/^\[Dropped: ~400 tokens\] \[ref: [0-9a-f]{12}\]$/),
          new: 'short',
        },
      ],
      count: 2,
    });
  });

  it('takes the result instead where inputs may not change', async () => {
    const call = (toolUseId: string) => ({
      role: 'assistant',
      content: [{ toolUse: { toolUseId, name: 'write', input: { path: 'a', text: BULKY } } }],
    });
    const result = (toolUseId: string, status: string, text: string) => ({
      role: 'user',
      content: [{ toolResult: { toolUseId, status, content: [{ text }] } }],
    });
    const said = (role: string, words: string) => ({ role, content: [{ text: words }] });
    const messages = [
      said('user', 'Go.'),
      call('c1'),
      result('c1', 'error', OTHER),
      call('c2'),
      result('c2', 'success', OTHER),
      said('assistant', 'Done.'),
    ];
    const done = await compact(Buffer.from(JSON.stringify({ messages })), {
      steps: [['error-inputs', '']],
      format: 'converse',
    });
    const after = JSON.parse(done.bytes.toString('utf8')) as { messages: unknown[] };
    const [line] = done.bytes.toString('utf8').match(/\[Dropped: [^"]*/) ?? [];
    expect(line).toMatch(/^\[Dropped: ~[\d,]+ tokens\] \[ref: [0-9a-f]{12}\]$/);
    expect(after.messages).toEqual(messages.with(2, result('c1', 'error', line ?? '')));
  });

  it.each(['lossless', 'lean', 'archive'])('is no part of the preset %s', async (preset) => {
    const session = start()
      .calls(fails('a'))
      .calls(works('a'))
      .says('Done.')
      .user('Ok?')
      .says('Yes.');
    const done = await session.compact([preset]);
    expect(inputsOf(messagesOf(done))).toEqual(inputsOf(session.messages));
  });
});
