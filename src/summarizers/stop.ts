/** What ends a question: the caller, its deadline, or an answer that is of no use. */
export interface Stop {
  readonly signal: AbortSignal;
  /** When the deadline is, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Ends the question at once; it rejects with this reason. */
  now(reason: Error): void;
}

/** Longer timers fire at once. */
const LONGEST = 2 ** 31 - 1;

/** Asks within `timeoutMs` milliseconds. Rejects with the reason of `signal` or with what the deadline says. */
export async function withStop<T>(
  signal: AbortSignal | undefined,
  timeoutMs: number,
  ask: (stop: Stop) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const limit = Math.min(timeoutMs, LONGEST);
  const follow = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => {
    const late = new Error(`no answer within ${limit / 1000} s`);
    late.name = 'TimeoutError';
    controller.abort(late);
  }, limit);
  signal?.addEventListener('abort', follow, { once: true });
  try {
    return await ask({
      signal: controller.signal,
      deadline: performance.now() + limit,
      now: (reason) => controller.abort(reason),
    });
  } catch (cause) {
    throw controller.signal.aborted ? controller.signal.reason : cause;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  }
}
