import type { SummaryAnswer } from '../summarize/summarizer.ts';
import { promptOf } from './prompt.ts';
import { answerOf, fieldsOf } from './reply.ts';
import { HEADROOM, type Vendor } from './vendor.ts';

/** Anthropic's Messages, and gateways that speak it. */
export const anthropic: Vendor = {
  kind: 'anthropic',
  package: '@anthropic-ai/sdk',
  service: {
    url: 'https://api.anthropic.com',
    urlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  },
  body: (model, request) => {
    const { instructions, data } = promptOf(request);
    return {
      model,
      max_tokens: request.maxTokens + HEADROOM,
      system: instructions,
      messages: [{ role: 'user', content: data }],
    };
  },
  load: async () => {
    const { Anthropic } = await import('@anthropic-ai/sdk');
    return async (body, { endpoint, key, fetch, signal, timeout }) => {
      const client = new Anthropic({
        ...(key.variable === 'ANTHROPIC_AUTH_TOKEN'
          ? { authToken: key.value }
          : { apiKey: key.value }),
        baseURL: endpoint.url,
        fetch,
        maxRetries: 0,
        timeout,
        logLevel: 'off',
        openTelemetry: false,
      });
      // Not `messages.create`: it prints a warning for models that end soon.
      return client.post('/v1/messages', { body, signal, timeout });
    };
  },
  read: readMessage,
};

const USELESS: Readonly<Record<string, string>> = {
  max_tokens: 'the answer was cut off at the token limit',
  model_context_window_exceeded: 'the answer was cut off at the context window',
  refusal: 'the model refused to answer',
};

function readMessage(answer: unknown): SummaryAnswer {
  const { id, model, content, stop_reason: reason, usage } = fieldsOf(answer);
  const useless = USELESS[String(reason)];
  if (useless !== undefined) throw new Error(useless);
  if (!Array.isArray(content)) throw new Error('the answer is not a message');
  const texts = content.map(fieldsOf).filter(({ type }) => type === 'text');
  const text = texts
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
    .join('');
  const { input_tokens: input, output_tokens: output } = fieldsOf(usage);
  return answerOf(text, { id, model, usage: { input, output } });
}
