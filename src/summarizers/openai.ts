import type { SummaryAnswer } from '../summarize/summarizer.ts';
import { promptOf } from './prompt.ts';
import { answerOf, fieldsOf } from './reply.ts';
import { HEADROOM, type Vendor } from './vendor.ts';

/** OpenAI's Chat Completions, and the many services that speak it. */
export const openai: Vendor = {
  kind: 'openai',
  package: 'openai',
  service: {
    url: 'https://api.openai.com/v1',
    urlVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
  },
  body: (model, request) => {
    const { instructions, data } = promptOf(request);
    return {
      model,
      max_completion_tokens: request.maxTokens + HEADROOM,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: data },
      ],
    };
  },
  load: async () => {
    const { OpenAI } = await import('openai');
    return async (body, { endpoint, key, env, fetch, signal, timeout }) => {
      const client = new OpenAI({
        apiKey: key.value,
        adminAPIKey: null,
        baseURL: endpoint.url,
        organization: env['OPENAI_ORG_ID'] ?? null,
        project: env['OPENAI_PROJECT_ID'] ?? null,
        fetch,
        maxRetries: 0,
        timeout,
        logLevel: 'off',
      });
      return client.post('/chat/completions', { body, signal });
    };
  },
  read: readCompletion,
};

const USELESS: Readonly<Record<string, string>> = {
  length: 'the answer was cut off at the token limit',
  content_filter: 'the answer was held back by a content filter',
};

function readCompletion(answer: unknown): SummaryAnswer {
  const { id, model, choices, usage } = fieldsOf(answer);
  const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  const { content, refusal } = fieldsOf(choice['message']);
  const useless = USELESS[String(choice['finish_reason'])];
  if (useless !== undefined) throw new Error(useless);
  if (typeof refusal === 'string' && refusal !== '') throw new Error('the model refused to answer');
  if (typeof content !== 'string') throw new Error('the answer is not a chat completion');
  const { prompt_tokens: input, completion_tokens: output } = fieldsOf(usage);
  return answerOf(content, { id, model, usage: { input, output } });
}
