import type { SummaryRequest } from '../../src/summarize/summarizer.ts';

/** What differs between the two services in the tests. */
export interface Kind {
  readonly kind: 'openai' | 'anthropic';
  readonly path: string;
  readonly key: string;
  readonly base: string;
  answer(text: unknown, extra?: { cut?: boolean; refused?: boolean }): unknown;
}

export const KINDS: readonly Kind[] = [
  {
    kind: 'openai',
    path: '/chat/completions',
    key: 'OPENAI_API_KEY',
    base: 'OPENAI_BASE_URL',
    answer: (text, { cut = false, refused = false } = {}) => ({
      id: 'answer-1',
      model: 'm-2',
      choices: [
        {
          finish_reason: cut ? 'length' : refused ? 'content_filter' : 'stop',
          message: { role: 'assistant', content: text },
        },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 3 },
    }),
  },
  {
    kind: 'anthropic',
    path: '/v1/messages',
    key: 'ANTHROPIC_API_KEY',
    base: 'ANTHROPIC_BASE_URL',
    answer: (text, { cut = false, refused = false } = {}) => ({
      id: 'answer-1',
      type: 'message',
      role: 'assistant',
      model: 'm-2',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'x' },
        { type: 'text', text },
      ],
      stop_reason: cut ? 'max_tokens' : refused ? 'refusal' : 'end_turn',
      usage: { input_tokens: 12, output_tokens: 3 },
    }),
  },
];

export const REQUEST: SummaryRequest = {
  items: [
    { id: 'm1', role: 'user', kind: 'text', real: true, text: 'Never touch /etc/hosts.' },
    { id: 'm2', role: 'user', kind: 'toolResult', tool: 'bash', isError: true, text: 'exit 1' },
  ],
  maxTokens: 200,
  count: (text) => Math.ceil(text.length / 4),
};
