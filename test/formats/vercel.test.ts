import { expect, it } from 'vitest';
import { findings, index, outline } from './read.ts';

const LONG = 'a long line of output\n'.repeat(20);
const user = (text: string) => ({ id: 'u', role: 'user', parts: [{ type: 'text', text }] });
const run = (...parts: object[]) => ({ id: 'a', role: 'assistant', parts });
const tool = (more: object) => ({
  type: 'tool-read',
  toolCallId: 'c1',
  input: { path: 'x' },
  ...more,
});

it('splits a run at its steps: a reply, then the results of its calls', () => {
  const messages = [
    user('go'),
    run(
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'reading' },
      tool({ state: 'output-available', output: 'text' }),
      {
        type: 'dynamic-tool',
        toolName: 'sum',
        toolCallId: 'c2',
        state: 'output-error',
        errorText: 'no',
        input: {},
      },
      { type: 'step-start' },
      { type: 'data-note', data: { seen: 'by nobody' } },
      { type: 'text', text: 'done', providerMetadata: { openai: { itemId: 'msg_1' } } },
    ),
  ];
  expect(outline(messages)).toEqual([
    '0 user real: text /parts/0/text',
    '1 assistant: thinking - signed; text /parts/2/text; toolCall - read c1; toolCall - sum c2',
    '1 user: toolResult /parts/3/output read c1 ok; toolResult /parts/4/errorText sum c2 failed',
    '1 assistant: text - signed',
  ]);
  expect(findings(messages)).toEqual([]);
});

it('takes the longest string of an object, and a marker once it stands there', () => {
  const done = (output: unknown) => [user('go'), run(tool({ state: 'output-available', output }))];
  expect(outline(done({ ok: true, 'a/b': ['x', LONG] }))[2]).toBe(
    '1 user: toolResult /parts/0/output/a~1b/1 read c1 ok; opaque -',
  );
  const marked = { head: '[Dropped: ~1,300 tokens] [ref: 3f9a1c7b2d04]', rest: LONG };
  const placed = index(done(marked));
  expect(outline(done(marked))[2]).toMatch(/\/parts\/0\/output\/head /);
  expect(placed.findings.map(({ code }) => code)).toEqual(['unresolved-placeholder']);
  expect(outline(done({ count: 3, none: null }))[2]).toBe('1 user: toolResult - read c1 ok');
});

it('counts an object once: its slot and the rest beside it', () => {
  const output = { exitCode: 0, stdout: LONG };
  const [conversation] = index([
    user('go'),
    run(tool({ state: 'output-available', output })),
  ]).conversations;
  const tokens = conversation?.blocks.slice(-2).map((block) => block.tokens);
  const rest = Math.ceil(JSON.stringify({ ...output, stdout: '' }).length / 2);
  expect(tokens).toEqual([LONG.length, rest]);
});

it('knows calls without a result, denied ones, and those that the provider ran', () => {
  const messages = [
    user('go'),
    run(tool({ state: 'output-denied', approval: { id: 'p', approved: false, reason: 'never' } }), {
      ...tool({ state: 'output-available', output: LONG }),
      toolCallId: 'c2',
      providerExecuted: true,
    }),
    user('and?'),
    run(tool({ state: 'approval-requested', approval: { id: 'q', signature: 's' } })),
  ];
  expect(outline(messages).slice(1)).toEqual([
    '1 assistant: toolCall - read c1; toolCall - read; opaque -',
    '1 user: toolResult - read c1 failed',
    '2 user real: text /parts/0/text',
    '3 assistant: toolCall - read c1',
  ]);
  expect(findings(messages)).toEqual([]);
});

it('version 4: parts are sent, content and toolInvocations repeat them', () => {
  const toolInvocation = {
    state: 'result',
    step: 0,
    toolCallId: 'c1',
    toolName: 'read',
    args: {},
    result: LONG,
  };
  const messages = [
    { id: 'u', role: 'user', content: 'go', parts: [{ type: 'text', text: 'go' }] },
    {
      id: 'a',
      role: 'assistant',
      content: 'readingdone',
      toolInvocations: [toolInvocation],
      parts: [
        { type: 'text', text: 'reading' },
        { type: 'tool-invocation', toolInvocation },
        { type: 'text', text: 'done' },
      ],
    },
  ];
  expect(outline(messages).slice(1)).toEqual([
    '1 assistant: text /parts/0/text; toolCall - read c1',
    '1 user: toolResult /parts/1/toolInvocation/result read c1',
    '1 assistant: text /parts/2/text',
  ]);
  const { parts: _parts, ...older } = messages[1] as { parts: unknown };
  expect(outline([messages[0], older]).slice(1)).toEqual([
    '1 assistant: toolCall - read c1',
    '1 user: toolResult /toolInvocations/0/result read c1',
    '1 assistant: text /content',
  ]);
});

it('a text never takes the place of an attachment, but of a file part', () => {
  const file = { contentType: 'image/png', url: 'data:image/png;base64,AAAA' };
  const messages = [
    { ...user('see'), content: 'see', experimental_attachments: [file] },
    { ...user('see'), parts: [{ type: 'file', mediaType: 'image/png', url: file.url }] },
    run({ type: 'step-start' }, { type: 'text', text: 'seen' }),
  ];
  expect(outline(messages).slice(0, 2)).toEqual([
    '0 user real: text /parts/0/text; image -',
    '1 user real: image /parts/0',
  ]);
});

it('model messages: each type of output, and approvals in the group of their call', () => {
  const call = (id: string, more = {}) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'read',
    input: {},
    ...more,
  });
  const result = (id: string, output: unknown) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'read',
    output,
  });
  const messages = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [
        call('c1'),
        call('c2'),
        call('c3'),
        call('c4'),
        { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'c1' },
        call('s1', { providerExecuted: true }),
        result('s1', { type: 'json', value: { encrypted: LONG } }),
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }],
    },
    {
      role: 'tool',
      content: [
        result('c1', { type: 'text', value: LONG }),
        result('c2', { type: 'error-json', value: { error: LONG } }),
      ],
    },
    {
      role: 'tool',
      content: [
        result('c3', {
          type: 'content',
          value: [
            { type: 'text', text: LONG },
            { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
          ],
        }),
        result('c4', { type: 'execution-denied' }),
      ],
    },
    { role: 'assistant', content: 'done' },
  ];
  expect(outline({ messages })).toEqual([
    '0 user real: text /content',
    '1 assistant: toolCall - read c1; toolCall - read c2; toolCall - read c3; toolCall - read c4; opaque -; toolCall - read; opaque -',
    '2,3,4 user: opaque -; toolResult /content/0/output/value read c1 ok; toolResult /content/1/output/value/error read c2 failed; opaque -; toolResult /content/0/output/value read c3 ok; toolResult - read c4 failed',
    '5 assistant: text /content',
  ]);
  expect(findings({ messages })).toEqual([]);
});

it('an answer to an approval belongs to the call even where a reply stands between', () => {
  const messages = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c1', toolName: 'x', input: {} },
        { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'c1' },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }],
    },
    { role: 'user', content: 'well?' },
  ];
  const groups = index(messages).conversations[0]?.messages.map(({ group }) => group);
  expect(groups).toEqual([0, 1, 1, 3]);
});
