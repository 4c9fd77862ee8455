import { expect, it } from 'vitest';
import { findings, index, outline } from './read.ts';

const flat = [
  { type: 'system', content: 'be kind' },
  {
    type: 'human',
    content: [
      'plain',
      { type: 'text', text: 'typed' },
      { type: 'image', base64: 'AAAA', mime_type: 'image/png' },
    ],
  },
  {
    type: 'ai',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'reading' },
      { type: 'tool_use', id: 'c1', name: 'read', input: {} },
    ],
    tool_calls: [{ name: 'read', args: {}, id: 'c1', type: 'tool_call' }],
    invalid_tool_calls: [{ name: 'sum', args: '{', id: 'c2', error: 'bad' }],
    response_metadata: { model_name: 'claude-sonnet-4-5' },
    usage_metadata: { input_tokens: 812, output_tokens: 3 },
  },
  {
    type: 'tool',
    content: 'text',
    tool_call_id: 'c1',
    status: 'success',
    artifact: { raw: 'text' },
  },
  { type: 'tool', content: [{ type: 'text', text: 'no' }], tool_call_id: 'c2', status: 'error' },
  { type: 'remove', id: 'x', content: '' },
  { type: 'ai', content: 'done' },
];
const READ = [
  '0 system: text CONTENT',
  '1 user real: text CONTENT/0; text CONTENT/1/text; image CONTENT/2',
  '2 assistant: thinking - signed; text CONTENT/1/text; toolCall - read c1; toolCall - sum c2',
  '3,4 user: toolResult CONTENT read c1 ok; toolResult CONTENT sum c2 failed',
  '6 assistant: text CONTENT',
];
const CLASSES: Record<string, string> = {
  system: 'SystemMessage',
  human: 'HumanMessage',
  ai: 'AIMessage',
  tool: 'ToolMessage',
  remove: 'RemoveMessage',
};

it.each([
  ['flat', flat, '/content'],
  ['messages_to_dict', flat.map((data) => ({ type: data.type, data })), '/data/content'],
  [
    'dumpd',
    flat.map(({ type, ...kwargs }) => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'schema', 'messages', CLASSES[type]],
      kwargs,
    })),
    '/kwargs/content',
  ],
  ['state of a thread', { values: { messages: flat }, next: [] }, '/content'],
])('%s: calls once, results by status, no artifact', (_name, value, content) => {
  expect(outline(value)).toEqual(READ.map((line) => line.replaceAll('CONTENT', content)));
  expect(findings(value)).toEqual([]);
  const [conversation] = index(value).conversations;
  expect(conversation).toMatchObject({ model: 'claude-sonnet-4-5', usage: 812 });
});

it('roles with calls that have args', () => {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', tool_calls: [{ name: 'read', args: {}, id: 'c1' }] },
    { role: 'tool', content: 'text', tool_call_id: 'c1' },
  ];
  expect(index(messages).format.name).toBe('langchain');
  expect(outline(messages).slice(1)).toEqual([
    '1 assistant: toolCall - read c1',
    '2 user: toolResult /content read c1',
  ]);
});

it("calls of old models: in the provider's raw answer, paired by position", () => {
  const messages = [
    { type: 'human', content: 'go' },
    {
      type: 'ai',
      content: '',
      additional_kwargs: { function_call: { name: 'read', arguments: '{}' } },
    },
    { type: 'function', name: 'read', content: 'text' },
    {
      type: 'ai',
      content: '',
      additional_kwargs: { tool_calls: [{ id: 'c1', function: { name: 'sum', arguments: '{}' } }] },
    },
    { type: 'tool', content: 'text', tool_call_id: 'c1' },
  ];
  expect(outline(messages).slice(1)).toEqual([
    '1 assistant: toolCall - read function 1',
    '2 user: toolResult /content read function 1',
    '3 assistant: toolCall - sum c1',
    '4 user: toolResult /content sum c1',
  ]);
});
