import { describe, expect, it } from 'vitest';
import { restore } from '../../src/index.ts';
import { run } from '../support/run.ts';
import {
  conversation,
  indexed,
  type Json,
  jsonl,
  LONG,
  live,
  results,
  sent,
  WRONG,
} from './support-gemini.ts';

const record = (uuid: string, parentUuid: string | null, type: string, more: Json): Json => ({
  uuid,
  parentUuid,
  sessionId: 's',
  timestamp: '2026-01-01T00:00:00.000Z',
  type,
  cwd: '/home/dev',
  version: '0.15.10',
  ...more,
});
const said = (role: string, ...parts: unknown[]) => ({ message: { role, parts } });
const prompt = (uuid: string, parent: string | null, text: string) =>
  record(uuid, parent, 'user', said('user', { text }));
const call = { functionCall: { id: 'x', name: 'read_file', args: {} } };
const answer = (output: string) => ({
  functionResponse: { id: 'x', name: 'read_file', response: { output } },
});

const SESSION = [
  prompt('u1', null, 'first'),
  record('a1', 'u1', 'assistant', {
    ...said('model', { text: 'why', thought: true }, { text: 'looking' }, call),
    model: 'qwen3-coder',
    usageMetadata: { promptTokenCount: 77 },
  }),
  record('s1', 'a1', 'system', { subtype: 'ui_telemetry', systemPayload: {} }),
  record('t1', 's1', 'tool_result', {
    ...said('user', answer(LONG)),
    toolCallResult: { callId: 'x', status: 'success', resultDisplay: LONG },
  }),
  record('a2', 't1', 'assistant', said('model', { text: 'seen' })),
  prompt('u2', 'a2', 'second'),
  record('a3', 'u2', 'assistant', said('model', { text: 'done' })),
  record('s2', 'a3', 'system', { subtype: 'custom_title', systemPayload: { customTitle: 't' } }),
];

describe('a Qwen Code session', () => {
  it('is told from Claude Code, with system records first as well', () => {
    const records = [record('s0', null, 'system', { subtype: 'ui_telemetry' }), ...SESSION];
    expect(indexed(jsonl(records)).format.name).toBe('qwen-code');
  });

  it('reads its messages, the model and the usage', () => {
    const found = conversation(jsonl(SESSION));
    expect(sent(found)).toEqual([
      'text 0 /message/parts/0/text',
      'thinking 1 -',
      'text 1 /message/parts/1/text',
      'toolCall 1 /message/parts/2/functionCall/args',
      'toolResult 3 /message/parts/0/functionResponse/response/output',
      'text 4 /message/parts/0/text',
      'text 5 /message/parts/0/text',
      'text 6 /message/parts/0/text',
    ]);
    expect(found).toMatchObject({ model: 'qwen3-coder', usage: 77 });
    expect(results(found)).toMatchObject([{ tool: 'read_file', isError: false }]);
  });

  it('takes a failure from the status that stands beside the message', () => {
    const failed = { ...SESSION[3], toolCallResult: { status: 'error' } };
    expect(results(conversation(jsonl(SESSION.with(3, failed))))).toMatchObject([
      { isError: true },
    ]);
  });

  it('follows the last record up; a branch that was left is dead', () => {
    const rewound = [
      ...SESSION,
      record('r', 'a2', 'system', { subtype: 'rewind' }),
      prompt('u3', 'r', 'other'),
    ];
    const found = conversation(jsonl(rewound));
    expect(found.messages.filter((message) => !message.live).map(({ records }) => records)).toEqual(
      [[5], [6]],
    );
    expect(live(found).at(-1)?.records).toEqual([9]);
  });

  it('stops at a parent that is not in the file, as the client does', () => {
    const found = indexed(jsonl(SESSION.with(4, { ...SESSION[4], parentUuid: 'gone' })));
    expect(found.findings.map(({ code }) => code)).toEqual(['dangling-parent']);
    expect(live(found.conversations[0] as never).map(({ records }) => records)).toEqual([
      [4],
      [5],
      [6],
    ]);
  });

  it('has records of one uuid as one message', () => {
    const found = conversation(
      jsonl(SESSION.toSpliced(5, 0, { ...SESSION[4], ...said('model', { text: 'more' }) })),
    );
    expect(live(found).map(({ records }) => records)).toContainEqual([4, 5]);
  });

  it('reads a compression in the place of everything before it, and removes nothing of it', () => {
    const compressedHistory = [
      { role: 'user', parts: [{ text: '<state_snapshot>\nsummary' }] },
      { role: 'model', parts: [{ text: 'Got it.' }] },
    ];
    const compressed = record('k', 's2', 'system', {
      subtype: 'chat_compression',
      systemPayload: { info: {}, compressedHistory },
    });
    const found = conversation(jsonl([...SESSION, compressed, prompt('u3', 'k', 'third')]));
    expect(live(found).map(({ records, real, fixed }) => [records, real, fixed])).toEqual([
      [[8], false, 'replacement-history'],
      [[8], false, 'replacement-history'],
      [[9], true, undefined],
    ]);
  });

  it('does not take a notice for a prompt', () => {
    const notice = record('n', 's2', 'user', {
      ...said('user', { text: 'timer' }),
      subtype: 'cron',
    });
    expect(live(conversation(jsonl([...SESSION, notice]))).at(-1)?.real).toBe(false);
  });

  it('removes messages, relinks what hung below them and keeps system records', async () => {
    const input = jsonl(SESSION);
    const done = await run(input, [['drop', '*:preserveRecent=2']]);
    const records = done.bytes
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    const marker = records[1]?.['uuid'];
    expect(records.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
      ['u1', null],
      [marker, 'u1'],
      ['s1', marker],
      ['u2', 's1'],
      ['a3', 'u2'],
      ['s2', 'a3'],
    ]);
    expect(records[1]).toMatchObject({
      type: 'user',
      cwd: '/home/dev',
      message: { role: 'user', parts: [{ text: expect.stringMatching(/^\[Dropped: 3 messages/) }] },
    });
    expect(indexed(done.bytes).findings).toEqual([]);
    expect(restore(done.bytes, done.stash as Buffer).equals(input)).toBe(true);
  });

  it('does not throw on values of wrong types', () => {
    for (const wrong of WRONG) {
      const records = [
        wrong,
        record('a', null, 'user', { message: wrong }),
        { ...record('b', 'a', 'user', said('user', wrong)), parentUuid: wrong },
        record('c', 'b', 'assistant', {
          message: { role: wrong, parts: wrong },
          usageMetadata: wrong,
          model: wrong,
        }),
        record('d', 'c', 'tool_result', {
          ...said('user', { functionResponse: wrong }),
          toolCallResult: wrong,
        }),
        record('e', 'd', 'system', { subtype: 'chat_compression', systemPayload: wrong }),
        record('f', 'e', 'system', {
          subtype: 'chat_compression',
          systemPayload: { compressedHistory: wrong },
        }),
        record('g', 'g', 'user', said('user', { text: 'x' })),
      ];
      expect(() => indexed(jsonl(records), 'qwen-code')).not.toThrow();
    }
  });
});
