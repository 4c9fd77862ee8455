import { CtxError, EXIT } from '../errors.ts';
import { sha256Hex } from '../hash/hash.ts';
import type { HelperReport } from '../report/report.ts';
import type { Summarizer, SummaryAnswer, SummaryRequest } from './summarizer.ts';

/** A summarizer with what a run needs around it: permission, the cache, a limit of parallel calls, its account. */
export interface Helper {
  readonly name: string;
  /** Texts would leave this program. */
  readonly external: boolean;
  /** The user allowed that, or it is not needed. */
  readonly permitted: boolean;
  /** A plan that is only shown asks nobody outside: what a summary would save is then an upper bound. */
  readonly preview: boolean;
  /** Further attempts at an answer that breaks its schema. */
  readonly repairs: number;
  /** A new account, for one step. */
  open(): Asking;
}

/** Asks, and remembers what it cost. */
export interface Asking {
  /**
   * An answer that `accept` has no objection to; only such an answer is remembered.
   * @throws the summarizer's error, or `accept`'s; CtxError with exit 130 when the run was interrupted.
   */
  ask(request: SummaryRequest, terms?: AskTerms): Promise<SummaryAnswer>;
  report(): HelperReport;
}

interface AskTerms {
  readonly timeoutMs?: number | undefined;
  /** Throws when the answer can't be used. */
  readonly accept?: (answer: SummaryAnswer) => void;
}

/** Ends one question; `clear` lets go of its timer. */
export interface Deadline {
  readonly signal: AbortSignal;
  readonly clear: () => void;
}

export interface HelperOptions {
  readonly permitted: boolean;
  readonly preview: boolean;
  /** Answers that a stash holds. */
  readonly cached: (key: string) => SummaryAnswer | undefined;
  /** Called with each new answer, so that it can be stored. */
  readonly remember: (key: string, answer: SummaryAnswer) => void;
  /** Runs a call when there is room for one more. */
  readonly limit: <T>(call: () => Promise<T>) => Promise<T>;
  /** Aborts after so many milliseconds, and when the run is interrupted. */
  readonly deadline: (timeoutMs: number | undefined) => Deadline;
  readonly interrupted: () => boolean;
  readonly progress: (event: HelperEvent) => void;
}

/** What a person may want to see while summaries are made. */
export interface HelperEvent {
  readonly type: 'queued' | 'asked' | 'answered' | 'failed';
  readonly bytes: number;
  /** Tokens of the answer. */
  readonly tokens: number;
}

export function makeHelper(summarizer: Summarizer, options: HelperOptions): Helper {
  const { external } = summarizer;
  return {
    name: summarizer.name,
    external: external !== undefined,
    permitted: external === undefined || options.permitted,
    preview: external !== undefined && options.preview,
    repairs: external?.automatic === true ? 1 : 0,
    open: () => opened(summarizer, options),
  };
}

function opened(summarizer: Summarizer, options: HelperOptions): Asking {
  const { name, external } = summarizer;
  const account = { calls: 0, cached: 0, failed: 0, bytesSent: 0, model: null as string | null };
  return {
    async ask(request, { timeoutMs, accept = () => {} } = {}) {
      const key = external === undefined ? '' : keyOf(external.cacheKey, request);
      const known = external === undefined ? undefined : options.cached(key);
      if (known !== undefined) {
        account.cached += 1;
        account.model = known.model ?? account.model;
        accept(known);
        return known;
      }
      if (external !== undefined) options.progress({ type: 'queued', bytes: 0, tokens: 0 });
      try {
        const answer = await options.limit(() => call(request, timeoutMs));
        account.model = answer.model ?? account.model;
        accept(answer);
        if (external !== undefined) options.remember(key, answer);
        return answer;
      } catch (cause) {
        if (options.interrupted())
          throw new CtxError('interrupted', EXIT.interrupted, 'interrupted; nothing was written');
        account.failed += 1;
        options.progress({ type: 'failed', bytes: 0, tokens: 0 });
        throw cause;
      }
    },
    report: () => ({
      name,
      ...account,
      invoked: account.calls + account.cached > 0,
      destination: external?.destination ?? null,
    }),
  };

  async function call(
    request: SummaryRequest,
    timeoutMs: number | undefined,
  ): Promise<SummaryAnswer> {
    account.calls += 1;
    const bytes = external?.size(request) ?? 0;
    account.bytesSent += bytes;
    if (external !== undefined) options.progress({ type: 'asked', bytes, tokens: 0 });
    if (external === undefined) return told(await summarizer.summarize(request));
    const { signal, clear } = options.deadline(timeoutMs);
    try {
      const answer = told(await summarizer.summarize({ ...request, signal }));
      options.progress({ type: 'answered', bytes: 0, tokens: request.count(answer.text) });
      return answer;
    } finally {
      clear();
    }
  }
}

function told(answer: string | SummaryAnswer): SummaryAnswer {
  return typeof answer === 'string' ? { text: answer } : answer;
}

/** What an answer depends on: who answers, and all that it was asked. */
function keyOf(cacheKey: string, request: SummaryRequest): string {
  const { items, maxTokens, form, sourceRef, repair } = request;
  return sha256Hex(JSON.stringify([cacheKey, form ?? 'text', maxTokens, items, sourceRef, repair]));
}
