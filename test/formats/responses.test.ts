/** OpenAI Responses items: what pairs with what, what is opaque, and what leaves. */

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
const call = (id: string, more = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...more,
});
const output = (id: string, value: unknown, more = {}) => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
  ...more,
});
const says = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const reasons = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'QUJD' };

const items = () => [
  { role: 'developer', content: 'Be careful.' },
  { role: 'user', content: 'Mend it.' },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'QUJDREVG' },
  reasons,
  says('I read two files.'),
  call('a'),
  call('b'),
  output('a', LONG),
  output('b', [
    { type: 'input_text', text: 'x' },
    { type: 'input_image', image_url: 'data:image/png;base64,AA' },
  ]),
  says('Found it.'),
  { role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
  says('Done.'),
];

describe('a list of items', () => {
  it('a reply with its reasoning is one message, outputs in a row are one, a compaction is opaque', () => {
    const transcript = indexOf({ model: 'gpt-5.1', input: items(), instructions: 'Short.' });
    expect(transcript.format.name).toBe('openai-responses');
    expect(rows(transcript)).toEqual([
      '0 text string /content',
      '1 text string /content',
      '2 opaque signed sealed',
      '3 thinking signed sealed',
      '3 text string /content/0/text',
      '3 toolCall sealed',
      '3 toolCall sealed',
      '4 toolResult string /output',
      '4 toolResult items /output',
      '5 text string /content/0/text',
      '6 text string /content/0/text',
      '7 text string /content/0/text',
    ]);
    expect(realTurns(transcript)).toEqual([1, 6]);
    const [conversation] = transcript.conversations;
    expect(conversation).toMatchObject({ model: 'gpt-5.1', overhead: 2 });
    expect(conversation?.messages.map(({ fixed }) => fixed)).toEqual([
      'system-message',
      undefined,
      'compaction-summary',
      ...Array.from({ length: 5 }, () => undefined),
    ]);
    expect(conversation?.messages[3]?.group).toBe(conversation?.messages[4]?.group);
  });

  it('reasoning leaves with its calls and their outputs, and comes back', async () => {
    const input = Buffer.from(JSON.stringify({ input: items() }));
    const made = await run(input, DROP);
    const left = (JSON.parse(made.bytes.toString()) as { input: { type?: string }[] }).input;
    expect(left.map(({ type }) => type ?? 'user')).toEqual([
      'user',
      'user',
      'compaction',
      'message',
      'message',
    ]);
    expect(left[3]).toMatchObject({ role: 'user', content: [{ type: 'input_text' }] });
    expect((await again(made, DROP)).stash).toBeNull();
    expect(restore(made.bytes, made.stash as Buffer).equals(input)).toBe(true);
    expect(restoreRewritten(made)).toEqual({ input: items() });
  });

  it('a call that has not ended, and what stands for its output, stay', () => {
    const open = [
      { role: 'user', content: 'Deploy.' },
      call('a', { status: 'in_progress' }),
      output('a', 'queued'),
      says('Waiting.'),
      call('b'),
      output('b', 'partial', { status: 'incomplete' }),
    ];
    const { conversations } = indexOf(open);
    expect(conversations[0]?.blocks.map(({ pending }) => pending === true)).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(conversations[0]?.messages.map(({ fixed }) => fixed)).toEqual([
      undefined,
      'pending',
      'pending',
      'pending',
      'pending',
    ]);
  });

  it('masking leaves a batch with an open call exact, and takes a settled one', async () => {
    const batch = (status: string) => [
      { role: 'user', content: 'Read.' },
      call('a'),
      call('b', { name: 'read_file', status }),
      output('a', LONG),
      output('b', LONG),
      says('Read.'),
      { role: 'user', content: 'Thanks.' },
      says('Welcome.'),
    ];
    const steps: readonly Step[] = [
      ['mask', 'preserveRecentTurns=0,preserveRecentMessages=1,minObservationTokens=0'],
    ];
    const made = async (status: string) =>
      outcomes(await run(Buffer.from(JSON.stringify(batch(status))), steps), 2);
    expect(await made('completed')).toContain('masked observation');
    expect(await made('in_progress')).not.toContain('masked observation');
    expect(await made('in_progress')).toContain('kept pending');
  });

  it('outputs of other tools: objects, exit codes, patches, screens, pictures, the other spelling', () => {
    const others = [
      { role: 'user', content: 'x' },
      { type: 'shell_call', call_id: 's', action: { commands: ['ls'] } },
      { type: 'apply_patch_call', call_id: 'p', operation: { type: 'update_file' } },
      { type: 'computer_call', call_id: 'c', action: { type: 'screenshot' } },
      { type: 'image_generation_call', id: 'ig_1', result: 'AAAA' },
      {
        type: 'shell_call_output',
        call_id: 's',
        output: [{ stdout: LONG, stderr: '', outcome: { type: 'exit', exit_code: 2 } }],
      },
      { type: 'apply_patch_call_output', call_id: 'p', status: 'completed', output: 'ok' },
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { image_url: 'data:image/png;base64,AA' },
      },
      { type: 'function_call', callId: 'j', name: 'f', arguments: '{}' },
      { type: 'function_call_result', callId: 'j', output: { type: 'text', text: 'said' } },
    ];
    expect(rows(indexOf(others))).toEqual([
      '0 text string /content',
      '1 toolCall sealed',
      '1 toolCall sealed',
      '1 toolCall sealed',
      '1 image sealed',
      '2 toolResult string /output/0/stdout error=true',
      '2 opaque sealed',
      '2 toolResult string /output error=false',
      '2 toolResult sealed',
      '2 image sealed',
      '3 toolCall sealed',
      '4 toolResult string /output/text',
      '4 opaque sealed',
    ]);
  });
});

describe('a stored response', () => {
  const response = {
    object: 'response',
    model: 'gpt-5.1',
    output: [reasons, call('a')],
    usage: { input_tokens: 7 },
  };

  it('keeps every item', () => {
    const { conversations } = indexOf(response);
    expect(conversations[0]).toMatchObject({ usage: 7, messages: [{ fixed: 'response-output' }] });
  });

  it('earlier items that only the service holds are announced', () => {
    expect(indexOf({ ...response, previous_response_id: null }).notices).toEqual([]);
    expect(indexOf({ ...response, previous_response_id: 'resp_0' }).notices).toMatchObject([
      { code: 'partial-context' },
    ]);
  });
});

describe('items one a line', () => {
  it('are read as the list is; a marker is a line; the file comes back', async () => {
    const input = Buffer.from(jsonLines(items()));
    const transcript = indexOf(input.toString());
    expect(transcript.format.name).toBe('openai-responses-jsonl');
    expect(rows(transcript)).toEqual(rows(indexOf(items())));
    const made = await run(input, DROP);
    const lines = made.bytes.toString().trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ type: 'message', role: 'user' });
    expect(restore(made.bytes, made.stash as Buffer).equals(input)).toBe(true);
  });
});

describe('recognition', () => {
  it('a document over several lines stays one when a line in it is an object by itself', () => {
    const text = `{\n"include": [\n"a"\n],\n"input": [\n${JSON.stringify(says('x'))}\n]\n}\n`;
    expect(formatOf(text)).toBe('openai-responses');
  });

  it.each([
    ['openai-responses', [output('c', 'x')]],
    ['openai-responses', { input: [{ role: 'user', content: 'hi' }] }],
    ['openai-chat', [{ role: 'user', content: 'hi' }]],
    ['openai-chat', { messages: [{ role: 'user', content: 'hi' }], input: 'x' }],
    ['codex', jsonLines([{ id: 's', timestamp: 't', instructions: '' }, says('x')])],
    ['openai-responses-jsonl', jsonLines([says('x'), call('a')])],
    ['roo-code', [{ role: 'assistant', type: 'reasoning', encrypted_content: 'x', ts: 1 }]],
  ])('%s', (name, value) => {
    expect(formatOf(value)).toBe(name);
  });
});

it('wrong types anywhere: no throw', () => {
  const variants = distorted(items());
  expect(variants.length).toBeGreaterThan(200);
  for (const variant of variants.filter((value) => Array.isArray(value))) {
    expect(() => rows(indexOf(variant, 'openai-responses'))).not.toThrow();
  }
});
