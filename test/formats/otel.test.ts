import { expect, it } from 'vitest';
import { findings, index, outline } from './read.ts';

const messages = [
  { role: 'system', parts: [{ type: 'text', content: 'be kind' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', content: 'go' },
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAAA' },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', content: 'hm' },
      { type: 'tool_call', id: 'c1', name: 'read', arguments: { path: 'x' } },
      { type: 'tool_call', id: 'c2', name: 'read', arguments: null },
    ],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'text' }] },
  {
    role: 'tool',
    parts: [{ type: 'tool_call_response', id: 'c2', result: { code: 1, log: 'text' } }],
  },
  { role: 'assistant', parts: [{ type: 'text', content: 'done' }] },
];
const READ = [
  '0 system: text /parts/0/content',
  '1 user real: text /parts/0/content; image /parts/1',
  '2 assistant: thinking -; toolCall - read c1; toolCall - read c2',
  '3,4 user: toolResult /parts/0/response read c1; toolResult /parts/0/result/log read c2; opaque -',
  '5 assistant: text /parts/0/content',
];

it.each([
  ['a list', messages],
  ['the attribute', { 'gen_ai.input.messages': messages }],
  ['a span', { name: 'chat', attributes: { 'gen_ai.input.messages': messages } }],
])('%s', (_name, value) => {
  expect(index(value).format.name).toBe('otel-genai');
  expect(outline(value)).toEqual(READ);
  expect(findings(value)).toEqual([]);
});

it("system instructions and tools are overhead; model and usage are the span's", () => {
  const [conversation] = index({
    'gen_ai.request.model': 'gpt-4.1',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.system_instructions': [{ type: 'text', content: '12345' }],
    'gen_ai.input.messages': messages,
  }).conversations;
  expect(conversation).toMatchObject({ model: 'gpt-4.1', usage: 12, overhead: 5 });
});
