import { describe, expect, it } from 'vitest';
import { messagesOf, Session, text } from '../masking/build.ts';
import { PNG } from '../support/session.ts';

const picture = (label: string) => ({
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: Buffer.concat([PNG, Buffer.from(label)]).toString('base64'),
  },
});
const paper = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'A long paper. '.repeat(300) },
};
const call = (id: string) => ({ type: 'tool_use', id, name: 'Screenshot', input: {} });
const result = (id: string, ...content: readonly unknown[]) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

/** Places of the pictures and documents that are still there, `message/block` or `message/block/item`. */
function left(messages: readonly { readonly content: unknown }[]): string[] {
  return messages.flatMap(({ content }, message) => places(content, String(message)));
}

function places(content: unknown, base: string): string[] {
  if (!Array.isArray(content)) return [];
  return (content as { type: string; content?: unknown }[]).flatMap((block, at) =>
    block.type === 'image' || block.type === 'document'
      ? [`${base}/${at}`]
      : places(block.content, `${base}/${at}`),
  );
}

const shown = () =>
  new Session()
    .user('Look.')
    .says('At what?')
    .shows(text('This.'), picture('a'))
    .says('A square.')
    .shows(text('And this.'), picture('b'), paper)
    .says('Another.')
    .replies(call('c1'))
    .shows(result('c1', text('Taken.'), picture('c')))
    .says('A third.')
    .user('Thanks.')
    .says('Welcome.');

const CASES: readonly (readonly [string, string, Session, string[]])[] = [
  ['the newest stays, also in a result', '', shown(), ['7/0/1']],
  ['the newest two stay', 'keep=2', shown(), ['4/2', '7/0/1']],
  ['none stays', 'keep=0', shown(), []],
  ['more are kept than there are', 'keep=9', shown(), ['2/1', '4/1', '4/2', '7/0/1']],
  [
    'a picture of the first message',
    '',
    new Session()
      .shows(text('Look.'), picture('a'))
      .says('Yes.')
      .shows(picture('b'), text('And?'))
      .says('Yes.')
      .shows(text('And?'), picture('c'))
      .says('Done.'),
    ['0/1', '4/1'],
  ],
  [
    'a picture of the last message',
    'keep=0',
    new Session().user('Look.').says('At what?').shows(text('This.'), picture('a')),
    ['2/1'],
  ],
];

describe.each(CASES)('media: %s', (_name, options, session, expected) => {
  it('leaves these and no other', async () => {
    const done = await session.compact([['media', options]]);
    expect(left(messagesOf(done))).toEqual(expected);
  });
});

describe('media', () => {
  it('leaves a line that says what it was, and the text beside it', async () => {
    const done = await shown().compact([['media', '']]);
    const line =
      /^\[Dropped: image, ~1,334 tokens, removed from context after it was viewed\] \[ref: [0-9a-f]{12}\]$/;
    expect(messagesOf(done)[2]?.content).toEqual([
      text('This.'),
      { type: 'text', text: expect.stringMatching(line) },
    ]);
  });
});
