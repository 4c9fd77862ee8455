/** OneRingAI sessions and journals: user-role results, late results, what is opaque, and what is never touched. */

import { describe, expect, it } from 'vitest';
import { restore, type Step } from '../../src/index.ts';
import { again, outcomes, run } from '../support/run.ts';
import { longText } from '../support/session.ts';
import {
  distorted,
  formatOf,
  indexOf,
  jsonLines,
  realTurns,
  restoreRewritten,
  rows,
} from './index-of.ts';

const LONG = longText('log');
const DROP: readonly Step[] = [['drop', '*:preserveRecent=1']];
let count = 0;
const message = (role: string, ...content: unknown[]) => {
  count += 1;
  return { type: 'message', id: `${count}_abcdefg`, role, content };
};
const input = (text: string) => ({ type: 'input_text', text });
const output = (text: string) => ({ type: 'output_text', text });
const call = (id: string, more = {}) => ({
  type: 'tool_use',
  id,
  name: 'read_file',
  arguments: '{}',
  ...more,
});
const result = (id: string, content: string, more = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const PLACEHOLDER = 'Tool "web" is executing asynchronously. The result will be delivered later.';

const conversation = [
  { type: 'compaction', id: 'c', encrypted_content: 'QUJDREVG' },
  message('developer', input('Rules.')),
  message('user', input('Mend it.'), {
    type: 'input_image_url',
    image_url: { url: 'data:image/png;base64,AA' },
  }),
  message(
    'assistant',
    { type: 'thinking', thinking: 'hm', signature: 's', persistInHistory: true },
    output('I read.'),
    call('a', { thoughtSignature: 'sig' }),
    call('b'),
    call('w'),
  ),
  message(
    'user',
    result('a', LONG, { __images: [{ base64: 'AA', mediaType: 'image/png' }] }),
    result('b', '{}', { error: 'no file' }),
    result('w', PLACEHOLDER),
  ),
  message('assistant', output('Waiting.')),
  message(
    'user',
    input('[Async Tool Results]\n\nTool "web" (w) completed:\nfound\n\nProcess these.'),
  ),
  message('assistant', output('Found.')),
  message('user', input('Thanks.')),
  message('assistant', output('Welcome.')),
];

const session = (items: unknown = conversation) => ({
  version: 1,
  sessionId: 'Chat.01',
  state: {
    conversation: items,
    pluginStates: { working_memory: { entries: [{ value: LONG }] } },
    systemPrompt: 'Be brief.',
    metadata: { model: 'gpt-4o' },
  },
  metadata: { title: 'x' },
});

const journal = () =>
  conversation.slice(1).map((item, index) => ({
    timestamp: 1000 + index,
    type: 'user',
    item,
    turnIndex: Math.floor(index / 2),
  }));

const ROWS = [
  '0 opaque signed sealed',
  '1 text string /content/0/text',
  '2 text string /content/0/text',
  '2 image element /content/1',
  '3 thinking signed sealed',
  '3 text string /content/1/text',
  '3 toolCall signed sealed',
  '3 toolCall sealed',
  '3 toolCall sealed',
  '4 toolResult string /content/0/content',
  '4 image sealed',
  '4 toolResult string /content/1/content error=true',
  '4 toolResult string /content/2/content pending=false',
  '5 text string /content/0/text',
  '6 text string /content/0/text',
  '7 text string /content/0/text',
  '8 text string /content/0/text',
  '9 text string /content/0/text',
];

describe('a session', () => {
  it('is read block by block; an error is failed, its absence says nothing', () => {
    const transcript = indexOf(session());
    expect(transcript.format.name).toBe('oneringai');
    expect(rows(transcript)).toEqual(ROWS);
    expect(transcript.conversations[0]).toMatchObject({ model: 'gpt-4o', overhead: 3 });
  });

  it('results and late results are no turns of a person; a late result lives with its call', () => {
    const transcript = indexOf(session());
    expect(realTurns(transcript)).toEqual([2, 8]);
    const groups = transcript.conversations[0]?.messages.map(({ group }) => group) ?? [];
    expect([groups[4], groups[6]]).toEqual([groups[3], groups[3]]);
    expect(groups[5]).not.toBe(groups[3]);
  });

  it('a placeholder without a late result is pending, and the batch stays exact', async () => {
    const open = conversation.filter((_, index) => index !== 6);
    const steps = [
      ['mask', 'preserveRecentTurns=0,preserveRecentMessages=1,minObservationTokens=0'],
    ] as const;
    const bytes = (items: unknown) => Buffer.from(JSON.stringify(session(items)));
    expect(outcomes(await run(bytes(open), steps), 4)).toEqual(
      expect.arrayContaining(['kept pending-in-group', 'kept pending']),
    );
    expect(outcomes(await run(bytes(conversation), steps), 4)).not.toEqual(
      expect.arrayContaining(['kept pending-in-group']),
    );
  });

  it('only the conversation changes; a marker is an item with an id; all comes back', async () => {
    const bytes = Buffer.from(`${JSON.stringify(session(), null, 2)}\n`);
    const made = await run(bytes, DROP);
    const value = JSON.parse(made.bytes.toString()) as ReturnType<typeof session>;
    expect({ ...value.state, conversation }).toEqual(session().state);
    const items = value.state.conversation as { id: string; role?: string }[];
    expect(items).toHaveLength(5);
    expect(items[3]).toMatchObject({ type: 'message', role: 'user' });
    expect(items[3]?.id).toMatch(/^ctx_[0-9a-f]{12}$/);
    expect((await again(made, DROP)).stash).toBeNull();
    expect(restore(made.bytes, made.stash as Buffer).equals(bytes)).toBe(true);
    expect(restoreRewritten(made)).toEqual(session());
  });
});

describe('a journal', () => {
  it('is a format of its own that says it is an archive', () => {
    const transcript = indexOf(jsonLines(journal()));
    expect(transcript.format.name).toBe('oneringai-journal');
    expect(transcript.notices).toMatchObject([{ code: 'archive' }]);
    const own = ROWS.slice(1).map((row) =>
      row.replace(/^\d+/, (index) => String(Number(index) - 1)).replace(/ (\/content)/, ' /item$1'),
    );
    expect(rows(transcript)).toEqual(own);
  });

  it('a marker is a line with the time and turn of the first one removed', async () => {
    const bytes = Buffer.from(jsonLines(journal()));
    const made = await run(bytes, DROP);
    const lines = made.bytes.toString().trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({
      timestamp: 1002,
      type: 'user',
      turnIndex: 1,
      item: { type: 'message', role: 'user', content: [{ type: 'input_text' }] },
    });
    expect(restore(made.bytes, made.stash as Buffer).equals(bytes)).toBe(true);
  });

  it('lines that are no entries pass through', () => {
    const text = `${jsonLines(journal())}{"torn\n{"item":null,"turnIndex":3}\n`;
    expect(indexOf(text).conversations[0]?.messages).toHaveLength(journal().length);
  });
});

it('other versions and shapes are not taken for a session', () => {
  expect(formatOf({ ...session(), version: 2 })).toBe('format-unknown');
  expect(formatOf({ version: 1, state: { conversation: {} } })).toBe('format-unknown');
});

it('wrong types anywhere: no throw', () => {
  for (const variant of distorted(conversation)) {
    if (!Array.isArray(variant)) continue;
    expect(() => rows(indexOf(session(variant)))).not.toThrow();
    const lines = variant.map((item: unknown) => ({
      timestamp: 1,
      type: 'user',
      item,
      turnIndex: 1,
    }));
    expect(() => rows(indexOf(jsonLines(lines), 'oneringai-journal'))).not.toThrow();
  }
});
