import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

const TIME = '2026-01-01T00:00:00.000Z';
const HEAD = { type: 'session', version: 3, id: 's', timestamp: TIME, cwd: '/home/dev' };
const LONG = 'a line of output that is long enough\n'.repeat(60);

const entry = (id: string, parentId: string | null, type: string, fields: Json): Json => ({
  type,
  id,
  parentId,
  timestamp: TIME,
  ...fields,
});
const message = (id: string, parentId: string | null, fields: Json): Json =>
  entry(id, parentId, 'message', { message: { timestamp: 1, ...fields } });
const user = (id: string, parent: string | null, text: string): Json =>
  message(id, parent, { role: 'user', content: [{ type: 'text', text }] });
const reply = (id: string, parent: string, content: unknown[], more: Json = {}): Json =>
  message(id, parent, {
    role: 'assistant',
    content,
    api: 'x',
    model: 'claude-sonnet-4-5',
    ...more,
  });
const say = (text: string): Json => ({ type: 'text', text });
const call = (id: string): Json => ({
  type: 'toolCall',
  id,
  name: 'bash',
  arguments: { command: id },
});
const result = (id: string, parent: string, toolCallId: string, more: Json = {}): Json =>
  message(id, parent, {
    role: 'toolResult',
    toolCallId,
    toolName: 'bash',
    content: [say(LONG + toolCallId)],
    isError: false,
    ...more,
  });

/** Two turns: parallel calls, then a single one with an entry of the client in between. */
const SESSION: Json[] = [
  HEAD,
  user('u1', null, 'first'),
  reply('a1', 'u1', [say('both'), call('c1'), call('c2')]),
  result('r1', 'a1', 'c1'),
  result('r2', 'r1', 'c2', { isError: true }),
  entry('m1', 'r2', 'model_change', { provider: 'x', modelId: 'y' }),
  reply('a2', 'm1', [call('c3')]),
  result('r3', 'a2', 'c3'),
  reply('a3', 'r3', [say('done')]),
  user('u2', 'a3', 'second'),
  reply('a4', 'u2', [say('end')]),
];

describe('what resuming sends', () => {
  it('is the path from the last entry; the other branch is dead', () => {
    const transcript = indexed([
      HEAD,
      user('u1', null, 'first'),
      reply('a1', 'u1', [say('one')]),
      user('x1', 'a1', 'left'),
      entry('b1', 'a1', 'branch_summary', { fromId: 'x1', summary: 'what was left' }),
      user('u2', 'b1', 'second'),
    ]);
    expect(liveRecords(transcript)).toEqual([[1], [2], [4], [5]]);
    expect(messageAt(transcript, 3).live).toBe(false);
    expect(messageAt(transcript, 4).fixed).toBe('compaction-summary');
  });

  it('after a compaction is its summary, the kept entries and the later ones', () => {
    const transcript = indexed([
      HEAD,
      user('u1', null, 'first'),
      reply('a1', 'u1', [say('one')]),
      user('u2', 'a1', 'second'),
      entry('c1', 'u2', 'compaction', { summary: 'before', firstKeptEntryId: 'u2' }),
      reply('a2', 'c1', [say('two')]),
    ]);
    expect(liveRecords(transcript)).toEqual([[4], [3], [5]]);
  });

  it('keeps nothing before a compaction whose first kept entry is gone', () => {
    const gone = entry('c1', 'u1', 'compaction', { summary: 'before', firstKeptEntryId: 'zz' });
    expect(liveRecords(indexed([HEAD, user('u1', null, 'first'), gone]))).toEqual([[2]]);
  });

  it('leaves out replies that broke off and commands kept from the model', () => {
    const shell = { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 1 };
    const transcript = indexed([
      HEAD,
      user('u1', null, 'first'),
      reply('a1', 'u1', [say('half')], { stopReason: 'aborted' }),
      message('s1', 'a1', { ...shell, excludeFromContext: true }),
      message('s2', 's1', shell),
      user('u2', 's2', 'second'),
    ]);
    expect(liveRecords(transcript)).toEqual([[1], [4], [5]]);
    expect(blocksAt(transcript, 4).map(({ kind, isError }) => [kind, isError])).toEqual([
      ['opaque', undefined],
      ['toolResult', true],
    ]);
    expect(messageAt(transcript, 4).real).toBe(false);
  });

  it('in version 1 is the file in its order, and a compaction counts lines', () => {
    const old = (fields: Json): Json => ({ type: 'message', timestamp: TIME, message: fields });
    const transcript = indexed([
      { type: 'session', id: 's', timestamp: TIME, cwd: '/home/dev' },
      old({ role: 'user', content: 'first' }),
      old({ role: 'assistant', content: [say('one')] }),
      old({ role: 'user', content: 'second' }),
      { type: 'compaction', timestamp: TIME, summary: 'before', firstKeptEntryIndex: 2 },
      old({ role: 'assistant', content: [say('two')] }),
    ]);
    expect(transcript.format.name).toBe('pi-v1');
    expect(transcript.format.removal).not.toBe(true);
    expect(liveRecords(transcript)).toEqual([[4], [2], [3], [5]]);
  });
});

describe('blocks', () => {
  it('of results carry the tool, the call and the error flag; results in a row are one message', () => {
    const transcript = indexed(SESSION);
    expect(messageAt(transcript, 3).records).toEqual([3, 4]);
    expect(blocksAt(transcript, 4)[0]).toMatchObject({
      kind: 'toolResult',
      tool: 'bash',
      callId: 'c2',
      isError: true,
      pointer: '/message/content',
      shape: 'items',
    });
    const { group } = messageAt(transcript, 2);
    expect(messageAt(transcript, 3).group).toBe(group);
    expect(messageAt(transcript, 6).group).not.toBe(group);
  });

  it('with a signature are sealed', () => {
    const item = JSON.stringify({ type: 'reasoning', encrypted_content: 'A'.repeat(160) });
    const transcript = indexed([
      HEAD,
      user('u1', null, 'first'),
      reply('a1', 'u1', [
        { type: 'thinking', thinking: 'plain', thinkingSignature: 'c2ln' },
        { type: 'thinking', thinking: '', thinkingSignature: item },
        { type: 'text', text: 'signed', textSignature: 'c2ln' },
        say('free'),
      ]),
    ]);
    expect(blocksAt(transcript, 2).map(({ signed, counted }) => [signed, counted])).toEqual([
      [true, true],
      [true, false],
      [true, true],
      [false, true],
    ]);
    expect(blocksAt(transcript, 2)[1]?.tokens).toBe(30);
  });

  it('put in by an extension are injected, what a person typed is a turn', () => {
    const transcript = indexed([
      HEAD,
      user('u1', null, 'first'),
      entry('e1', 'u1', 'custom_message', { customType: 'x', content: 'put in' }),
      user('u2', 'e1', 'second'),
    ]);
    expect(messageAt(transcript, 2)).toMatchObject({ injected: true, real: false });
    expect(messageAt(transcript, 1).real).toBe(true);
  });

  it('tell the model and the usage of the last live reply', () => {
    const usage = { input: 5, cacheRead: 100, cacheWrite: 20 };
    const records = [HEAD, user('u1', null, 'a'), reply('a1', 'u1', [say('b')], { usage })];
    const { model, usage: sum } = conversationOf(indexed(records));
    expect([model, sum]).toEqual(['claude-sonnet-4-5', 125]);
  });
});

describe('removal', () => {
  async function dropped(records: readonly Json[], ...flags: string[]): Promise<Json[]> {
    put('s.jsonl', jsonLines(records));
    const ran = await ctx(['compact', 's.jsonl', '--counter', 'heuristic', ...flags]);
    expect(ran.code).toBe(0);
    return parsed('s.compact.jsonl');
  }

  it('takes over an id, keeps the entries of the client on the path, and moves one link', async () => {
    const out = await dropped(SESSION, '--drop', '*:preserveRecent=3');
    expect(out.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['s', undefined],
      ['u1', null],
      ['r2', 'u1'],
      ['m1', 'r2'],
      ['a3', 'm1'],
      ['u2', 'a3'],
      ['a4', 'u2'],
    ]);
    expect(JSON.stringify(out[2])).toContain('[Dropped: 4 messages');
    expect(out[2]).toMatchObject({ type: 'message', timestamp: TIME, message: { role: 'user' } });
  });

  it('moves the first kept entry of a compaction and a label to the marker', async () => {
    const records = [
      HEAD,
      user('u0', null, 'gone'),
      ...SESSION.slice(1, 9).map((record) =>
        record['id'] === 'u1' ? user('u1', 'u0', 'x') : record,
      ),
      entry('k1', 'a3', 'compaction', { summary: 'before', firstKeptEntryId: 'a1' }),
      entry('l1', 'k1', 'label', { targetId: 'a1', label: 'here' }),
      user('u2', 'l1', 'second'),
      reply('a4', 'u2', [say('end')]),
    ];
    const out = await dropped(records, '--drop', '*:preserveRecent=3', '--no-protect-ends');
    const ids = new Set(out.map(({ id }) => id));
    const links = out.flatMap((record) =>
      ['parentId', 'firstKeptEntryId', 'targetId'].flatMap((key) => record[key] ?? []),
    );
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
    expect(out.find(({ id }) => id === 'k1')?.['firstKeptEntryId']).toBe('r2');
    expect(ids.has('a1')).toBe(false);
  });

  it('comes back to its place when the client rewrote the file', async () => {
    await dropped(SESSION, '--drop', '*:preserveRecent=3');
    const spaced = parsed('s.compact.jsonl').map((record) => JSON.stringify(record));
    put('s.compact.jsonl', `${spaced.join('\n').replaceAll('":', '": ')}\n`);
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(ran.code).toBe(0);
    const back = parsed('back');
    expect(back.map(({ id, parentId }) => [id, parentId])).toEqual(
      // The entry of the client stood inside of the gap: it follows what came back.
      expect.arrayContaining(SESSION.map(({ id, parentId }) => [id, parentId])),
    );
    expect(back).toHaveLength(SESSION.length);
  });

  it('never takes the last entry', async () => {
    const open = [
      HEAD,
      user('u1', null, 'first'),
      reply('a0', 'u1', [call('c0')]),
      result('r0', 'a0', 'c0'),
      reply('a1', 'r0', [call('c1'), call('c2')]),
      result('r1', 'a1', 'c1'),
      result('r2', 'r1', 'c2'),
    ];
    const out = await dropped(open, '--drop', '*:blockThreshold=1', '--no-protect-ends');
    expect(out.map(({ id }) => id)).toEqual(['s', 'r0', 'a1', 'r1', 'r2']);
    expect(out.at(-1)).toEqual(open.at(-1));
  });

  it('leaves the padded title of a fork as it is', async () => {
    const title = { type: 'title', v: 1, title: 't', pad: ' '.repeat(40) };
    const out = await dropped([title, ...SESSION], '--drop', 'toolResults');
    expect(out[0]).toEqual(title);
    expect(JSON.stringify(out)).toContain('[Dropped:');
  });
});

it('does not throw on any value of a wrong type', () => {
  const records = [
    ...SESSION,
    entry('k', 'a4', 'compaction', { summary: 's', firstKeptEntryId: 'a4' }),
  ];
  for (const spoilt of spoiled(records)) {
    const transcript = indexed(spoilt, 'pi');
    expect(conversationOf(transcript).messages.length).toBeLessThanOrEqual(records.length);
  }
});

function parsed(path: string): Json[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Json);
}
