import { expect, it } from 'vitest';
import {
  blocksAt,
  conversationOf,
  indexed,
  liveRecords,
  messageAt,
  spoiled,
} from '../support/indexed.ts';

type Json = Record<string, unknown>;

const START = { type: 'session_start', id: 's', version: 2, cwd: '/home/dev' };
const message = (id: string, role: string, content: unknown, more: Json = {}): Json => ({
  type: 'message',
  id,
  timestamp: '2026-01-01T00:00:00.000Z',
  message: { role, content },
  ...more,
});
const text = (value: string): Json => ({ type: 'text', text: value });
const SESSION: Json[] = [
  START,
  message('u1', 'user', [text('<system-reminder>x</system-reminder>'), text('first')]),
  message('a1', 'assistant', [
    { type: 'thinking', thinking: 'why', signature: 'c2ln' },
    { type: 'tool_use', id: 'c1', name: 'Execute', input: { command: 'ls' } },
  ]),
  message('r1', 'user', [
    { type: 'tool_result', tool_use_id: 'c1', content: 'no such file', is_error: true },
  ]),
  message('n1', 'user', [text('<system-reminder>only</system-reminder>')]),
  message('a2', 'assistant', [text('done')]),
];

it('reads blocks of the Messages API', () => {
  const transcript = indexed(SESSION);
  expect(transcript.format.name).toBe('factory-droid');
  expect(transcript.format.removal).not.toBe(true);
  expect(blocksAt(transcript, 3)[0]).toMatchObject({
    kind: 'toolResult',
    tool: 'Execute',
    isError: true,
    pointer: '/message/content/0/content',
  });
  expect(blocksAt(transcript, 2)[0]?.signed).toBe(true);
  expect([1, 3, 4].map((record) => messageAt(transcript, record).real)).toEqual([
    true,
    false,
    false,
  ]);
});

it.each([
  ['the anchor by id', { id: 'u1', index: 9 }, [[6], [2], [3], [4], [5], [7]]],
  ['the anchor by place, when its id is gone', { id: 'zz', index: 2 }, [[6], [4], [5], [7]]],
  ['no anchor', undefined, [[6], [7]]],
])('a compaction with %s', (_, anchorMessage, live) => {
  const compaction = { type: 'compaction_state', id: 'k', summaryText: 'before', anchorMessage };
  const transcript = indexed([...SESSION, compaction, message('u2', 'user', [text('second')])]);
  expect(liveRecords(transcript)).toEqual(live);
  expect(messageAt(transcript, 6).fixed).toBe('compaction-summary');
});

it('counts reasoning that stands beside the content, and seals what is encrypted', () => {
  const more = { chatCompletionReasoningContent: 'abcd', openaiEncryptedContent: 'A'.repeat(160) };
  const transcript = indexed([START, message('a1', 'assistant', [text('x')], more)]);
  expect(blocksAt(transcript, 1).map(({ tokens, signed }) => [tokens, signed])).toEqual([
    [1, false],
    [30, true],
    [1, false],
  ]);
});

it('does not throw on any value of a wrong type', () => {
  for (const spoilt of spoiled(SESSION)) {
    const { messages } = conversationOf(indexed(spoilt, 'factory-droid'));
    expect(messages.length).toBeLessThanOrEqual(SESSION.length);
  }
});
