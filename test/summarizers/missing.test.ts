import { expect, it, vi } from 'vitest';
import { chooseSummarizer } from '../../src/summarizers/choose.ts';
import { REQUEST } from './vendors.ts';

const gone = vi.hoisted(() => () => {
  throw new Error('not there');
});
vi.mock('openai', gone);
vi.mock('@anthropic-ai/sdk', gone);

it.each([
  ['openai:m', 'OPENAI_API_KEY', 'openai'],
  ['anthropic:m', 'ANTHROPIC_API_KEY', '@anthropic-ai/sdk'],
])('says how to install what %s needs', async (text, key, name) => {
  // Choosing loads nothing, so it works.
  const summarizer = chooseSummarizer(text, {}, { [key]: 'secret-4711' });
  await expect(summarizer.summarize(REQUEST)).rejects.toThrow(
    `can't load the package ${name}; install it where ctx is: npm install ${name}`,
  );
});
