import { describe, expect, it } from 'vitest';
import { restore } from '../../src/index.ts';
import { again, run } from '../support/run.ts';
import {
  called,
  conversation,
  gemini,
  HEAD,
  indexed,
  type Json,
  jsonl,
  LONG,
  live,
  results,
  SESSION,
  user,
} from './support-gemini.ts';

describe('edits of a Gemini CLI session', () => {
  it('shortens both places of a result, and comes back byte for byte', async () => {
    const input = jsonl(SESSION);
    const done = await run(input, [['truncate', 'toolResults:blockThreshold=50,previewTokens=20']]);
    const records = done.bytes
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    const first = JSON.stringify(records[5]).match(/"output":"(.*?)(?<!\\)"/)?.[1];
    const second = JSON.stringify(records[6]).match(/"output":"(.*?)(?<!\\)"/)?.[1];
    expect(first).toMatch(/^\[Truncated: /);
    expect(second).toBe(first);
    expect(records[5]?.['ctx']).toMatchObject({ v: 1 });
    expect(records[6]?.['ctx']).toMatchObject({ v: 1 });
    expect(results(conversation(done.bytes))).toMatchObject([
      { placeholder: { method: 'truncate' }, also: [{ record: 6 }] },
    ]);
    expect(restore(done.bytes, done.stash as Buffer).equals(input)).toBe(true);
    const twice = await again(done, [
      ['truncate', 'toolResults:blockThreshold=50,previewTokens=20'],
    ]);
    expect(twice.stash).toBeNull();
  });

  it('removes every record of a message; the marker is a user message in its place', async () => {
    const input = jsonl(SESSION);
    const done = await run(input, [['drop', '*:preserveRecent=2']]);
    const records = done.bytes
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(records.map(({ id, $set }) => id ?? ($set === undefined ? 'head' : '$set'))).toEqual([
      'head',
      '$set',
      'u1',
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
      '$set',
      'u2',
      'g3',
    ]);
    expect(records[3]).toMatchObject({
      type: 'user',
      timestamp: '2026-01-01T00:00:01.000Z',
      content: [{ text: expect.stringMatching(/^\[Dropped: 3 messages/) }],
    });
    expect(restore(done.bytes, done.stash as Buffer).equals(input)).toBe(true);
  });

  it('knows a placeholder that the client took into a checkpoint with its key', async () => {
    const done = await run(jsonl(SESSION), [['drop', '*:preserveRecent=2']]);
    const records = done.bytes
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    const messages = [records[2], records[3], records[5]];
    const found = conversation(jsonl([...records, { $set: { messages } }, user('u9', 'on')]));
    const marker = live(found).find(({ gap }) => gap !== undefined);
    expect(marker).toMatchObject({ gap: { messages: 3 }, fixed: 'replacement-history' });
  });
});

describe('a Gemini CLI session that is one document', () => {
  const messages = [
    user('u1', 'first'),
    gemini('g1', 'looking', [called('x', LONG)]),
    gemini('g2', 'seen'),
    user('u2', 'second'),
    gemini('g3', 'done'),
  ];
  const document = Buffer.from(`${JSON.stringify({ ...HEAD, messages }, null, 2)}\n`);

  it('is told from a session of lines, on one line as well', () => {
    expect(indexed(document).format.name).toBe('gemini-cli-json');
    expect(indexed(Buffer.from(JSON.stringify({ ...HEAD, messages }))).format.name).toBe(
      'gemini-cli-json',
    );
    expect(indexed(jsonl([{ ...HEAD, messages }, user('u3', 'on')])).format.name).toBe(
      'gemini-cli',
    );
  });

  it('removes a reply and its result, which lie in one record, once', async () => {
    const done = await run(document, [['drop', '*:preserveRecent=2']]);
    const left = (JSON.parse(done.bytes.toString('utf8')) as { messages: Json[] }).messages;
    expect(left.map(({ type, content }) => [type, content])).toEqual([
      ['user', [{ text: 'first' }]],
      ['user', [{ text: expect.stringMatching(/^\[Dropped: 3 messages/) }]],
      ['user', [{ text: 'second' }]],
      ['gemini', 'done'],
    ]);
    expect(restore(done.bytes, done.stash as Buffer).equals(document)).toBe(true);
  });
});
