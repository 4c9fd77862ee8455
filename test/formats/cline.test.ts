/** Task histories of Cline and Roo Code: what is sent, what is edited, and what never moves. */

import { describe, expect, it } from 'vitest';
import { restore, type Step } from '../../src/index.ts';
import { again, outcomes, run } from '../support/run.ts';
import { longText } from '../support/session.ts';
import { distorted, formatOf, indexOf, realTurns, restoreRewritten, rows } from './index-of.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const call = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: { path: id } });
const answer = (id: string, content: unknown, more = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const DETAILS = '<environment_details>\n# Current Mode\nACT MODE\n</environment_details>';
const LONG = longText('log');
const TRUNCATE: readonly Step[] = [['truncate', 'toolResults:blockThreshold=200,previewTokens=60']];

const task = () => [
  { role: 'user', content: text('<task>\nMend it.\n</task>'), ts: 1 },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'Signed.', signature: 'sig' },
      call('a'),
      call('b'),
    ],
    ts: 2,
    modelInfo: { modelId: 'claude-sonnet-4-5', providerId: 'anthropic' },
    metrics: { tokens: { prompt: 4321, completion: 5, cached: 0 } },
  },
  {
    role: 'user',
    content: [
      answer('a', LONG),
      answer('b', text('no such file'), { is_error: true }),
      { type: 'text', text: DETAILS },
    ],
    ts: 3,
  },
  { role: 'assistant', content: text('Done.'), ts: 4 },
  { role: 'user', content: text(DETAILS), ts: 5 },
  { role: 'user', content: text(`[read_file for 'a.js'] Result:\n${LONG}`), ts: 6 },
  { role: 'user', content: [...text('Thanks.'), ...text(DETAILS)], ts: 7 },
  { role: 'assistant', content: text('Welcome.'), ts: 8 },
];

describe('a task of Cline', () => {
  it('is read block by block; signed parts are sealed, error flags are the ones stored', () => {
    const transcript = indexOf(task());
    expect(transcript.format.name).toBe('cline');
    expect(rows(transcript)).toEqual([
      '0 text string /content/0/text',
      '1 thinking signed sealed',
      '1 text signed sealed',
      '1 toolCall sealed',
      '1 toolCall sealed',
      '2 toolResult string /content/0/content',
      '2 toolResult items /content/1/content error=true',
      '2 text string /content/2/text',
      '3 text string /content/0/text',
      '4 text string /content/0/text',
      '5 text string /content/0/text',
      '6 text string /content/0/text',
      '6 text string /content/1/text',
      '7 text string /content/0/text',
    ]);
  });

  it('no block may be taken out whole', () => {
    const blocks = indexOf(task()).conversations.flatMap((conversation) => conversation.blocks);
    expect(blocks.filter(({ element }) => element !== undefined)).toEqual([]);
  });

  it('a real turn is typed by a person: no result, no editor state, no answer of an XML tool', () => {
    expect(realTurns(indexOf(task()))).toEqual([0, 6]);
  });

  it('model and usage are the last ones stored', () => {
    const [conversation] = indexOf(task()).conversations;
    expect(conversation).toMatchObject({ model: 'claude-sonnet-4-5', usage: 4321 });
  });

  it('a result is shortened, the list keeps its length, and it comes back byte for byte', async () => {
    const input = Buffer.from(JSON.stringify(task()));
    const made = await run(input, TRUNCATE);
    const output = JSON.parse(made.bytes.toString()) as unknown[];
    expect(output).toHaveLength(task().length);
    expect(outcomes(made, 2)).toEqual([
      'truncated above-block-threshold',
      'kept not-targeted',
      'kept not-targeted',
    ]);
    expect(restore(made.bytes, made.stash as Buffer).equals(input)).toBe(true);
    expect(restoreRewritten(made, (value) => JSON.stringify(value, null, 2))).toEqual(task());
  });

  it('messages are never removed: an explicit removal is refused, a preset skips it', async () => {
    const input = Buffer.from(JSON.stringify(task()));
    await expect(run(input, [['drop', '*:preserveRecent=1']])).rejects.toMatchObject({
      exitCode: 2,
    });
    const made = await run(input, ['proactiveSummarization'], { window: 4000 });
    expect(JSON.parse(made.bytes.toString())).toHaveLength(task().length);
  });
});

const session = (result: unknown = LONG) => ({
  version: 1,
  updated_at: '2026-01-01T00:00:00.000Z',
  agent: 'lead',
  sessionId: 's1',
  messages: [
    {
      id: 'm1',
      role: 'user',
      content: [...text('Look.'), { type: 'file', path: '/a', content: LONG }],
    },
    {
      id: 'm2',
      role: 'assistant',
      content: [{ type: 'image', data: 'AAAA', mediaType: 'image/png' }, call('a')],
      modelInfo: { id: 'gpt-5.1', provider: 'openai' },
      metrics: { inputTokens: 10, outputTokens: 3, cacheReadTokens: 5, cacheWriteTokens: 1 },
    },
    { id: 'm3', role: 'user', content: [answer('a', result, { name: 'x', is_error: false })] },
    { id: 'm4', role: 'assistant', content: text('Seen.') },
  ],
  system_prompt: 'You are careful.',
});

describe("a session of Cline's SDK", () => {
  it('has files, pictures and the system prompt as overhead', () => {
    const transcript = indexOf(session());
    expect(transcript.format.name).toBe('cline');
    expect(rows(transcript)).toEqual([
      '0 text string /content/0/text',
      '0 text string /content/1/content',
      '1 image element /content/0',
      '1 toolCall sealed',
      '2 toolResult string /content/0/content error=false',
      '3 text string /content/0/text',
    ]);
    expect(transcript.conversations[0]).toMatchObject({ overhead: 4, model: 'gpt-5.1', usage: 16 });
  });

  it('a result that is an object has its largest string as the slot, now and in the next run', async () => {
    const result = { 'a/b~c': [{ small: 'x', big: LONG }, longText('other', 300)], ok: true };
    expect(rows(indexOf(session(result))).filter((row) => row.startsWith('2'))).toEqual([
      '2 toolResult string /content/0/content/a~1b~0c/0/big error=false',
      '2 opaque sealed',
    ]);
    const input = Buffer.from(JSON.stringify(session(result)));
    const made = await run(input, TRUNCATE);
    expect(JSON.parse(made.bytes.toString())).toMatchObject({
      messages: { 2: { content: { 0: { content: { 'a/b~c': { 1: longText('other', 300) } } } } } },
    });
    expect(made.bytes.length).toBeLessThan(input.length * 0.8);
    expect((await again(made, TRUNCATE)).stash).toBeNull();
    expect(restore(made.bytes, made.stash as Buffer).equals(input)).toBe(true);
    expect(restoreRewritten(made)).toEqual(session(result));
  });
});

const roo = () => [
  { role: 'user', content: text('old'), ts: 1, condenseParent: 'c1' },
  { role: 'assistant', content: [call('old')], ts: 2, condenseParent: 'c1' },
  { role: 'user', content: text('Summary.'), ts: 3, isSummary: true, condenseId: 'c1' },
  { role: 'user', content: [answer('old', 'late'), ...text('and more')], ts: 4 },
  { role: 'assistant', content: text('hidden'), ts: 5, truncationParent: 't1' },
  { role: 'assistant', content: text('shown'), ts: 6, truncationParent: 'gone' },
  { role: 'user', content: text('[marker]'), ts: 7, isTruncationMarker: true, truncationId: 't1' },
  { role: 'assistant', type: 'reasoning', encrypted_content: 'QUJD', summary: [], ts: 8 },
  { role: 'assistant', content: text('plain'), reasoning_details: [{ data: 'x' }], ts: 9 },
  { role: 'user', content: text('Go on.'), ts: 10 },
];

describe('a task of Roo Code', () => {
  it('what lies behind a summary or a truncation is dead, with results of calls in there', () => {
    const transcript = indexOf(roo());
    expect(transcript.format.name).toBe('roo-code');
    expect(rows(transcript)).toEqual([
      '0 text dead string /content/0/text',
      '1 toolCall dead sealed',
      '2 text string /content/0/text',
      '3 toolResult dead string /content/0/content',
      '4 text string /content/1/text',
      '5 text dead string /content/0/text',
      '6 text string /content/0/text',
      '7 text string /content/0/text',
      '8 thinking signed sealed',
      '9 thinking signed sealed',
      '9 text string /content/0/text',
      '10 text string /content/0/text',
    ]);
  });

  it('without its summary or marker a parent hides nothing', () => {
    const rest = roo().filter((message) => !('isSummary' in message || 'truncationId' in message));
    expect(rows(indexOf(rest)).filter((row) => row.includes('dead'))).toEqual([]);
  });

  it('a summary and a marker are no turns of a person', () => {
    expect(realTurns(indexOf(roo()))).toEqual([0, 10]);
  });
});

describe('recognition', () => {
  it('ui_messages.json is named and refused', () => {
    expect(formatOf([{ ts: 1, type: 'say', say: 'text', text: 'hi' }])).toBe('format-unsupported');
  });

  it('lists with times that are chat messages are no tasks', () => {
    const chat = [{ role: 'assistant', ts: 1, content: null, tool_calls: [] }];
    expect(formatOf(chat)).not.toBe('cline');
    expect(formatOf([{ role: 'user', content: 'hi' }])).toBe('openai-chat');
  });
});

describe('values of wrong types', () => {
  it.each([
    ['a task', task()],
    ['a session', session({ big: 'x' })],
    ['Roo Code', roo()],
  ])('%s: no throw, whatever stands where', (name, value) => {
    const variants = distorted(value);
    expect(variants.length).toBeGreaterThan(100);
    for (const variant of variants) {
      const forced = name === 'Roo Code' ? 'roo-code' : 'cline';
      const holds =
        Array.isArray(variant) || Array.isArray((variant as { messages?: unknown }).messages);
      if (holds) expect(() => rows(indexOf(variant, forced))).not.toThrow();
    }
  });
});
