import type { Summarizer, SummaryAnswer, SummaryRequest } from '../summarize/summarizer.ts';
import { type Endpoint, endpointOf, type Key, keyOf, type Service } from './endpoint.ts';
import { failureOf } from './failure.ts';
import { type Fetch, patientFetch } from './fetch.ts';
import type { SummarizerOptions } from './options.ts';
import { PROMPT_VERSION } from './prompt.ts';
import { cleaner } from './secrets.ts';
import { type Stop, withStop } from './stop.ts';

/** What a question needs besides its body. */
interface Connection {
  readonly endpoint: Endpoint;
  readonly key: Key;
  readonly env: NodeJS.ProcessEnv;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** Milliseconds; longer than the deadline, which `signal` keeps. */
  readonly timeout: number;
}

/** A service with an SDK of its own. */
export interface Vendor {
  readonly kind: string;
  readonly package: string;
  readonly service: Service;
  body(model: string, request: SummaryRequest): object;
  /** Loads the SDK and gives what sends a body and resolves to the answer as it came. */
  load(): Promise<(body: object, connection: Connection) => Promise<unknown>>;
  /** Throws an Error when the answer is cut off, refused, empty or not of the form that it should have. */
  read(answer: unknown): SummaryAnswer;
}

/** Room for thinking, which counts against the cap of an answer. */
export const HEADROOM = 4096;

/** A summarizer that asks a service. Throws a usage error when the address in the environment is of no use. */
export function vendorSummarizer(
  vendor: Vendor,
  model: string,
  options: SummarizerOptions,
  env: NodeJS.ProcessEnv,
): Summarizer {
  const endpoint = endpointOf(vendor.service, env);
  const { destination } = endpoint;
  return {
    name: `${vendor.kind}:${model}`,
    external: {
      destination,
      automatic: true,
      cacheKey: JSON.stringify([vendor.kind, model, destination, 'text', PROMPT_VERSION]),
      size: (request) => Buffer.byteLength(JSON.stringify(vendor.body(model, request))),
    },
    summarize: (request) =>
      withStop(request.signal, options.timeoutMs, async (stop) => {
        const key = keyOf(vendor.service, endpoint, env);
        const send = await loaded(vendor);
        const connection = connectionOf(options, { endpoint, key, env }, stop);
        const answer = await send(vendor.body(model, request), connection).catch((cause) => {
          throw failureOf(cause, destination, cleaner(env));
        });
        return vendor.read(answer);
      }),
  };
}

function connectionOf(
  options: SummarizerOptions,
  known: Pick<Connection, 'endpoint' | 'key' | 'env'>,
  stop: Stop,
): Connection {
  const { retries, maxOutputBytes: maxBytes } = options;
  return {
    ...known,
    fetch: patientFetch({ stop, retries, maxBytes }),
    signal: stop.signal,
    timeout: Math.ceil(stop.deadline - performance.now()) + 60_000,
  };
}

async function loaded(vendor: Vendor): Promise<Awaited<ReturnType<Vendor['load']>>> {
  try {
    return await vendor.load();
  } catch (cause) {
    throw new Error(
      `can't load the package ${vendor.package}; install it where ctx is: npm install ${vendor.package}`,
      { cause },
    );
  }
}
