import type { TokenCounter } from './counter.ts';

/** What a message costs beside its text, in the same estimate. */
export const MESSAGE_TOKENS = 4;

/** The estimate of OneRingAI: a token for every 3.5 UTF-16 units (masking and summary, section 2). */
export const oneRingAiCounter: TokenCounter = {
  name: 'oneringai',
  count: (text) => Math.ceil(text.length / 3.5),
};
