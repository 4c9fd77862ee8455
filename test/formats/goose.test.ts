/** Goose: what is sent of a session, what may go; databases are named. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import type { Format } from '../../src/formats/format.ts';
import { goose, gooseExport } from '../../src/formats/goose/formats.ts';
import { compactFile, restore, restoreFile } from '../../src/index.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { parseSpec } from '../../src/specs/parse.ts';
import { NO_STASH } from '../../src/stash/placed.ts';
import { checkTranscript } from '../../src/verify/check.ts';
import { NOW, useFolder } from '../support/cli.ts';
import { blocksOf, METER, messagesOf, shape } from '../support/opencode.ts';
import { run } from '../support/run.ts';
import { longText } from '../support/session.ts';

useFolder();

type Item = Record<string, unknown>;

const ABOUT = { working_dir: '/home/dev', description: 'd', message_count: 1, input_tokens: 77 };
const text = (value: string, extra: Item = {}): Item => ({ type: 'text', text: value, ...extra });
const request = (id: string): Item => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'ls' } } },
});
const response = (id: string, toolResult: unknown): Item => ({
  type: 'toolResponse',
  id,
  toolResult,
});
const success = (value: unknown): Item => ({ status: 'success', value });
const message = (role: string, content: unknown, extra: Item = {}): Item => ({
  role,
  created: 1_700_000_000,
  content,
  ...extra,
});
const seenBy = (userVisible: boolean, agentVisible: boolean): Item => ({
  metadata: { userVisible, agentVisible },
});

function lines(...messages: readonly unknown[]): Buffer {
  return Buffer.from([ABOUT, ...messages].map((value) => `${JSON.stringify(value)}\n`).join(''));
}

function index(bytes: Buffer, format: Format = goose): Transcript {
  return indexTranscript(memorySource(bytes), format, {
    meter: METER,
    placed: NO_STASH,
    id: 'main',
  });
}

const results = (found: Transcript) => blocksOf(found).filter(({ kind }) => kind === 'toolResult');

describe('what is sent', () => {
  it('pairs requests with responses and gives results the name of their tool', () => {
    const found = index(
      lines(
        message('user', [text('go')]),
        message('assistant', [text('yes'), request('a'), request('b')]),
        message('user', [response('a', success([text('1')])), response('b', success([text('2')]))]),
        message('assistant', [text('end')]),
      ),
    );
    expect(shape(found)).toEqual([
      'user:text',
      'assistant:text,toolCall,toolCall',
      'user:toolResult,toolResult',
      'assistant:text',
    ]);
    expect(results(found).map(({ tool }) => tool)).toEqual(['shell', 'shell']);
    expect(messagesOf(found).map(({ real }) => real)).toEqual([true, false, false, false]);
    expect(found.conversations[0]?.usage).toBe(77);
    expect(checkTranscript(found)).toEqual([]);
  });

  it('reads results of every age, and which of them failed', () => {
    const found = index(
      lines(
        message('user', [
          response('a', success([text('old')])),
          response('b', success({ content: [text('new')], isError: false })),
          response('c', success({ content: [text('new')], isError: true })),
          response('d', { status: 'error', error: 'not found' }),
        ]),
      ),
    );
    expect(results(found).map(({ isError, pointer, shape: at }) => [isError, pointer, at])).toEqual(
      [
        [false, '/content/0/toolResult/value', 'items'],
        [false, '/content/1/toolResult/value/content', 'items'],
        [true, '/content/2/toolResult/value/content', 'items'],
        [true, '/content/3/toolResult/error', 'string'],
      ],
    );
  });

  it('leaves out what is for the screen alone', async () => {
    const user = text(longText('screen'), { annotations: { audience: ['user'] } });
    const both = text(longText('both'), { annotations: { audience: ['user', 'assistant'] } });
    const bytes = lines(
      message('user', [text('go')]),
      message('assistant', [request('a')]),
      message('user', [response('a', success([user, both]))]),
      message('assistant', [user, text('end')]),
      message('user', [text('bye')]),
    );
    const found = index(bytes);
    expect(results(found)[0]?.tokens).toBe(METER.text(longText('both')));
    expect(shape(found)[3]).toBe('assistant:text');
    const made = await run(bytes, [['drop', 'toolResults']]);
    const output = made.bytes.toString();
    expect(output).toContain(JSON.stringify(longText('screen')));
    expect(output).not.toContain(JSON.stringify(longText('both')));
    expect(made.stash && restore(made.bytes, made.stash).equals(bytes)).toBe(true);
  });

  it('knows what the agent does not see, and what the person did not type', () => {
    const found = index(
      lines(
        message('user', [text('old')], seenBy(true, false)),
        message('user', [text('summary')], seenBy(false, true)),
        message('assistant', [{ type: 'systemNotification', msg: 'm' }], seenBy(true, false)),
        message('user', [text('typed')], seenBy(true, true)),
      ),
    );
    expect(messagesOf(found).map(({ live, real }) => [live, real])).toEqual([
      [false, true],
      [true, false],
      [true, true],
    ]);
  });

  it('seals thinking and says whether it is signed', () => {
    const found = index(
      lines(
        message('assistant', [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'thinking', thinking: 'hm', signature: '' },
          { type: 'redactedThinking', data: 'A'.repeat(160) },
        ]),
      ),
    );
    expect(blocksOf(found).map(({ signed, shape: at, counted }) => [signed, at, counted])).toEqual([
      [true, undefined, true],
      [false, undefined, true],
      [true, undefined, false],
    ]);
    expect(blocksOf(found)[2]?.tokens).toBe(30);
  });
});

describe('removal', () => {
  const messages = (extra: Item) => [
    message('user', [text('start')], extra),
    message('assistant', [request('a')], extra),
    message('user', [response('a', success([text(longText('a'))]))], extra),
    message('assistant', [text(longText('b', 60))], extra),
    message('user', [text('bye')], extra),
    message('assistant', [text('end')], extra),
  ];

  it('leaves a user message with the time of the first one', async () => {
    const bytes = lines(...messages({}));
    const made = await run(bytes, [['drop', '*:preserveRecent=2']]);
    const output = made.bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Item);
    expect(output.length).toBe(5);
    expect(output[2]).toEqual({
      role: 'user',
      created: 1_700_000_000,
      content: [text(expect.stringMatching(/^\[Dropped: 3 messages/) as unknown as string)],
      metadata: { userVisible: true, agentVisible: true },
    });
    expect(made.stash && restore(made.bytes, made.stash).equals(bytes)).toBe(true);
  });

  it('gives the marker an id where messages have one', async () => {
    const document = { id: '1', working_dir: '/', conversation: messages({ id: 'msg_x' }) };
    const bytes = Buffer.from(JSON.stringify(document, null, 2));
    const made = await run(bytes, [['drop', '*:preserveRecent=2']]);
    const output = JSON.parse(made.bytes.toString()) as { conversation: Item[] };
    expect(output.conversation[1]?.['id']).toMatch(/^msg_[0-9a-f]{24}$/);
    expect(made.stash && restore(made.bytes, made.stash).equals(bytes)).toBe(true);
  });

  it('brings everything back when the client has written the file anew', async () => {
    const bytes = lines(...messages({}));
    writeFileSync('s.jsonl', bytes);
    const specs = [
      parseSpec('truncate', 'toolResults:blockThreshold=100,previewTokens=30'),
      parseSpec('drop', 'assistantText:blockThreshold=100'),
    ];
    await compactFile('s.jsonl', { specs, output: 'o.jsonl', now: NOW });
    const rewritten = readFileSync('o.jsonl', 'utf8').replaceAll('{"role"', '{ "role"');
    writeFileSync('o.jsonl', rewritten);
    expect(restoreFile('o.jsonl', { output: 'b.jsonl' })).toMatchObject({
      how: 'blocks',
      lost: [],
    });
    const back = readFileSync('b.jsonl', 'utf8');
    expect(back.replaceAll('{ "role"', '{"role"')).toBe(bytes.toString());
    expect(rewritten.length).toBeLessThan(back.length);
  });
});

describe('detection', () => {
  const named = (bytes: Buffer) => detectFormat(readHead(memorySource(bytes, 'f')), 'f').name;

  it('tells lines from an export, with or without the first line', () => {
    const one = message('user', [text('hi')]);
    expect(named(lines(one))).toBe('goose');
    expect(named(Buffer.from(`${JSON.stringify(one)}\n`.repeat(2)))).toBe('goose');
    expect(named(Buffer.from(JSON.stringify({ conversation: [one] })))).toBe('goose-export');
    expect(named(Buffer.from(JSON.stringify({ messages: [one] }, null, 1)))).toBe('goose-export');
  });

  const database = (sql: string) => Buffer.from(`SQLite format 3\0${'\0'.repeat(84)}${sql}`);
  const databases: readonly (readonly [string, string, string])[] = [
    [
      'opencode-db',
      'CREATE TABLE `session` (`id`)\0CREATE TABLE `message` (`id`)\0CREATE TABLE `part` (`id`)',
      'opencode export',
    ],
    [
      'goose-db',
      'CREATE TABLE sessions (id)\0CREATE TABLE messages (id, content_json TEXT)',
      'goose session export',
    ],
    [
      'crush-db',
      'CREATE TABLE sessions (id)\0CREATE TABLE files (id)\0CREATE TABLE messages (id, parts TEXT)',
      'Crush',
    ],
  ];

  test.each(databases)('%s is named, with what to do instead', (name, sql, advice) => {
    const head = readHead(memorySource(database(sql), 'f'));
    expect(() => detectFormat(head, 'f')).toThrow(
      expect.objectContaining({
        exitCode: 4,
        code: 'format-unsupported',
        message: expect.stringContaining(name),
        hint: expect.stringContaining(advice),
      }),
    );
  });

  it('names any other database as one', () => {
    const head = readHead(memorySource(database('CREATE TABLE sessions_old (id)'), 'f'));
    expect(() => detectFormat(head, 'f')).toThrow(
      expect.objectContaining({
        code: 'format-unsupported',
        message: expect.stringContaining('SQLite database'),
      }),
    );
  });
});

describe('hostile input', () => {
  const odd: readonly unknown[] = [null, 1, 'x', [], {}, [null], { type: 1 }, [{ type: 'text' }]];

  test.each(odd.map((value) => [JSON.stringify(value), value]))(
    '%s anywhere is read',
    (_, value) => {
      const content = [
        value,
        { type: 'text', text: value, annotations: value },
        { type: 'image', data: value, mimeType: value },
        { type: 'toolRequest', id: value, toolCall: value },
        { type: 'toolResponse', id: value, toolResult: value },
        response('a', success(value)),
        response('b', { status: 'error', error: value }),
        { type: 'thinking', thinking: value, signature: value },
      ];
      const rows = [
        message('user', content, { metadata: value }),
        message('assistant', value),
        value,
      ];
      expect(() => checkTranscript(index(lines(...rows)))).not.toThrow();
      const document = Buffer.from(JSON.stringify({ conversation: rows, model_config: value }));
      expect(() => checkTranscript(index(document, gooseExport))).not.toThrow();
    },
  );
});
