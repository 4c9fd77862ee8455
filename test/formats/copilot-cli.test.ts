import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ctx, put, useFolder } from '../support/cli.ts';
import {
  blocksAt,
  conversationOf,
  indexed,
  jsonLines,
  liveRecords,
  messageAt,
  spoiled,
} from '../support/indexed.ts';

useFolder();

type Json = Record<string, unknown>;

const LONG = 'a line of output that is long enough\n'.repeat(60);

/** Events in a chain: each names the one before it. */
function chain(...events: readonly (readonly [type: string, data: Json, more?: Json])[]): Json[] {
  const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  return events.map(([type, data, more], index) => ({
    type,
    data,
    id: id(index),
    timestamp: '2026-01-01T00:00:00.000Z',
    parentId: index === 0 ? null : id(index - 1),
    ...more,
  }));
}

const start = ['session.start', { sessionId: 's', version: 1 }] as const;
const user = (content: string, more: Json = {}) => ['user.message', { content, ...more }] as const;
const reply = (content: string, calls: readonly string[] = [], more: Json = {}) => {
  const toolRequests = calls.map((toolCallId) => ({ toolCallId, name: 'bash', arguments: {} }));
  return ['assistant.message', { messageId: content, content, toolRequests, ...more }] as const;
};
const started = (toolCallId: string) => ['tool.execution_start', { toolCallId }] as const;
const done = (toolCallId: string, more: Json = {}) =>
  [
    'tool.execution_complete',
    { toolCallId, success: true, result: { content: LONG + toolCallId }, ...more },
  ] as const;

const SESSION = chain(
  start,
  user('first', { transformedContent: '<now/>\n\nfirst' }),
  reply('both', ['c1', 'c2'], { reasoningText: 'why', reasoningOpaque: 'c2ln' }),
  started('c1'),
  started('c2'),
  done('c2', { shellExecution: { exitCode: 3 } }),
  done('c1'),
  ['assistant.turn_end', { turnId: '0' }],
  reply('one', ['c3']),
  started('c3'),
  done('c3', { success: false, result: undefined, error: { message: LONG } }),
  reply('done'),
  user('second'),
  reply('end'),
  ['session.shutdown', {}],
);

it('reads replies with the start of their calls, results in a row as one message', () => {
  const transcript = indexed(SESSION);
  expect(transcript.format.name).toBe('copilot-cli');
  expect(liveRecords(transcript)).toEqual([[1], [2, 3, 4], [5, 6], [8, 9], [10], [11], [12], [13]]);
  expect(blocksAt(transcript, 1)[0]?.pointer).toBe('/data/transformedContent');
  expect(blocksAt(transcript, 2).map(({ kind, signed }) => [kind, signed])).toEqual([
    ['thinking', true],
    ['text', false],
    ['toolCall', false],
    ['toolCall', false],
  ]);
  expect(messageAt(transcript, 5).group).toBe(messageAt(transcript, 2).group);
});

it('takes the error from the flag and from the exit code', () => {
  const transcript = indexed(SESSION);
  const facts = [5, 6, 10].map((record) => {
    const { isError, pointer, tool } = blocksAt(transcript, record)[0] ?? {};
    return [isError, pointer, tool];
  });
  expect(facts).toEqual([
    [true, '/data/result/content', 'bash'],
    [false, '/data/result/content', 'bash'],
    [true, '/data/error/message', 'bash'],
  ]);
});

it('after a compaction sends its summary and what came after its start', () => {
  const complete = { success: true, summaryContent: 'before' };
  const transcript = indexed(
    chain(
      start,
      user('first'),
      reply('one'),
      ['session.compaction_start', {}],
      reply('two'),
      ['session.compaction_complete', complete],
      user('second'),
    ),
  );
  expect(liveRecords(transcript)).toEqual([[5], [4], [6]]);
  expect(messageAt(transcript, 5).fixed).toBe('compaction-summary');
});

it('does not take a failed compaction for one; a cleared context is empty', () => {
  const failed = ['session.compaction_complete', { success: false, error: 'x' }] as const;
  const kept = chain(start, user('first'), ['session.compaction_start', {}], failed, user('next'));
  expect(liveRecords(indexed(kept))).toEqual([[1], [4]]);
  const cleared = ['session.context_cleared', { messagesCleared: 1 }] as const;
  expect(liveRecords(indexed(chain(start, user('first'), cleared, user('next'))))).toEqual([[3]]);
});

it('knows what a person typed, what the client put in, and what belongs to a subagent', () => {
  const transcript = indexed(
    chain(
      start,
      user('typed'),
      user('a skill', { source: 'skill-x' }),
      ['system.notification', { content: 'a note', kind: {} }],
      [...reply('aside'), { agentId: 'a' }],
      reply('end'),
    ),
  );
  expect([1, 2, 3].map((record) => messageAt(transcript, record).real)).toEqual([
    true,
    false,
    false,
  ]);
  expect(messageAt(transcript, 3).injected).toBe(true);
  expect(messageAt(transcript, 4).live).toBe(false);
});

it('counts the system prompt and seals text with citations and binary results', () => {
  const png = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  const transcript = indexed(
    chain(
      start,
      ['system.message', { role: 'system', content: 'x'.repeat(400) }],
      user('first'),
      reply('cited', ['c1'], { citations: { spans: [] } }),
      done('c1', { result: { content: 'seen', binaryResultsForLlm: [png] } }),
    ),
  );
  expect(conversationOf(transcript).overhead).toBe(100);
  expect(blocksAt(transcript, 3)[0]?.signed).toBe(true);
  expect(blocksAt(transcript, 4).map(({ kind, shape }) => [kind, shape])).toEqual([
    ['toolResult', 'string'],
    ['image', undefined],
  ]);
});

it('removes a reply with its start events and keeps the chain whole', async () => {
  put('s.jsonl', jsonLines(SESSION));
  const flags = ['--counter', 'heuristic', '--drop', '*:preserveRecent=3'];
  expect((await ctx(['compact', 's.jsonl', ...flags])).code).toBe(0);
  const out = parsed('s.compact.jsonl');
  expect(out.map(({ type }) => type)).toEqual([
    'session.start',
    'user.message',
    'user.message',
    'assistant.turn_end',
    'assistant.message',
    'user.message',
    'assistant.message',
    'session.shutdown',
  ]);
  expect(Object.keys(out[2] ?? {})).toEqual(['type', 'data', 'id', 'timestamp', 'parentId']);
  const ids = out.map(({ id }) => id);
  expect(out.map(({ parentId }) => parentId)).toEqual([null, ...ids.slice(0, -1)]);

  put('s.compact.jsonl', readFileSync('s.compact.jsonl', 'utf8').replaceAll('":', '": '));
  expect((await ctx(['restore', 's.compact.jsonl', '-o', 'back'])).code).toBe(0);
  const key = (record: Json) => `${String(record['id'])} ${String(record['parentId'])}`;
  expect(parsed('back').map(key).toSorted()).toEqual(SESSION.map(key).toSorted());
});

it('does not throw on any value of a wrong type', () => {
  for (const spoilt of spoiled(SESSION)) {
    const { messages } = conversationOf(indexed(spoilt, 'copilot-cli'));
    expect(messages.length).toBeLessThanOrEqual(SESSION.length);
  }
});

function parsed(path: string): Json[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Json);
}
