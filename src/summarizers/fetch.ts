import { setTimeout as sleep } from 'node:timers/promises';
import type { Stop } from './stop.ts';

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Patience {
  readonly stop: Stop;
  readonly retries: number;
  /** Bytes that the body of an answer may have. */
  readonly maxBytes: number;
}

/**
 * A fetch that reads the whole body, asks again when the service is busy or fails or the connection breaks, waits
 * as long as `Retry-After` says where the deadline allows it, and follows no redirect: texts go to the host that
 * was named. The SDKs retry too, but can't be interrupted while they wait.
 */
export function patientFetch({ stop, retries, maxBytes }: Patience): Fetch {
  return async (url, init = {}) => {
    for (let attempt = 0; ; attempt += 1) {
      const result = await once(url, init, { stop, maxBytes });
      const wait = attempt < retries ? pauseAfter(result, attempt) : undefined;
      if (wait === undefined || performance.now() + wait >= stop.deadline) return settled(result);
      await sleep(wait, undefined, { signal: stop.signal });
    }
  };
}

type Result = { readonly response: Response } | { readonly failure: unknown };

async function once(
  url: string | URL | Request,
  init: RequestInit,
  { stop, maxBytes }: Pick<Patience, 'stop' | 'maxBytes'>,
): Promise<Result> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: plainHeaders(init.headers),
      redirect: 'manual',
      signal: stop.signal,
    });
    const body = await bodyOf(response, stop, maxBytes);
    const { status, statusText, headers } = response;
    // Some statuses forbid a body, even an empty one.
    const content = body.length === 0 ? null : new Uint8Array(body);
    return { response: new Response(content, { status, statusText, headers }) };
  } catch (failure) {
    if (stop.signal.aborted) throw stop.signal.reason;
    return { failure };
  }
}

function settled(result: Result): Response {
  if ('failure' in result) throw result.failure;
  return result.response;
}

/** The SDKs tell about the machine in such headers; nobody asked for it. */
function plainHeaders(headers: RequestInit['headers']): Headers {
  return new Headers(
    [...new Headers(headers)].filter(([name]) => !name.startsWith('x-stainless-')),
  );
}

async function bodyOf(response: Response, stop: Stop, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) stop.now(new Error(`the answer is larger than ${maxBytes} bytes`));
    stop.signal.throwIfAborted();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

/** Milliseconds to wait before another try; undefined when another try is of no use. */
function pauseAfter(result: Result, attempt: number): number | undefined {
  if ('failure' in result) return backoff(attempt);
  const { status, headers } = result.response;
  if (status !== 408 && status !== 429 && status < 500) return undefined;
  return toldPause(headers) ?? backoff(attempt);
}

function backoff(attempt: number): number {
  return Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE) * (0.75 + Math.random() / 4);
}

function toldPause(headers: Headers): number | undefined {
  const exact = headers.get('retry-after-ms');
  const told = headers.get('retry-after');
  const pause = exact === null ? secondsOf(told) : Number(exact);
  return pause !== undefined && pause >= 0 ? pause : undefined;
}

/** `Retry-After` holds seconds or a date. */
function secondsOf(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined;
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
