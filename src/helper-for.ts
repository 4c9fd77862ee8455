import type { PrepareOptions } from './prepare.ts';
import type { Stash } from './stash/store.ts';
import { readSummary } from './stash/summaries.ts';
import { extractive } from './summarize/extractive.ts';
import { type Helper, makeHelper } from './summarize/helper.ts';
import type { SummaryAnswer } from './summarize/summarizer.ts';
import { limited } from './summarizers/limit.ts';

const CONCURRENCY = 4;

/** The summarizer of a run, with its permission and its cache. Without a deadline of its step it has its own. */
export function helperFor(
  { summarizer, summaries: terms = {} }: Pick<PrepareOptions, 'summarizer' | 'summaries'>,
  stash: Stash | undefined,
  got: Map<string, SummaryAnswer>,
): Helper {
  const { signal } = terms;
  return makeHelper(summarizer ?? extractive, {
    permitted: terms.allowTransfer ?? false,
    preview: terms.preview ?? false,
    cached: (key) => got.get(key) ?? fromStashes([stash, terms.cache], key),
    remember: (key, answer) => got.set(key, answer),
    limit: limited(terms.concurrency ?? CONCURRENCY),
    deadline: (timeoutMs) => {
      const late = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
      return AbortSignal.any([...late, ...(signal === undefined ? [] : [signal])]);
    },
    interrupted: () => signal?.aborted ?? false,
    progress: terms.onEvent ?? (() => {}),
  });
}

function fromStashes(
  stashes: readonly (Stash | undefined)[],
  key: string,
): SummaryAnswer | undefined {
  for (const stash of stashes) {
    const answer = stash === undefined ? undefined : readSummary(stash, key);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
