import type { PrepareOptions } from './prepare.ts';
import type { Stash } from './stash/store.ts';
import { readSummary } from './stash/summaries.ts';
import { extractive } from './summarize/extractive.ts';
import { type Deadline, type Helper, makeHelper } from './summarize/helper.ts';
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
    deadline: (timeoutMs) => deadlineOf(timeoutMs, signal),
    interrupted: () => signal?.aborted ?? false,
    progress: terms.onEvent ?? (() => {}),
  });
}

/** Made by hand: a signal of `AbortSignal.any` over a timeout can be collected on Node 20 before it fires. */
function deadlineOf(timeoutMs: number | undefined, outer: AbortSignal | undefined): Deadline {
  const own = new AbortController();
  const late = () =>
    own.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const stop = () => own.abort(outer?.reason);
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  if (outer?.aborted === true) stop();
  outer?.addEventListener('abort', stop, { once: true });
  return {
    signal: own.signal,
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
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
