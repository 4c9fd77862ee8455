import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SummaryAnswer, SummaryRequest } from '../../src/summarize/summarizer.ts';
import { chooseSummarizer } from '../../src/summarizers/choose.ts';
import type { SummarizerOptions } from '../../src/summarizers/options.ts';
import { breaks, raw, type Service, says, serve, sleeps } from './service.ts';
import { KINDS, type Kind, REQUEST } from './vendors.ts';

const SECRET = 'secret-4711-of-the-test';

async function ask(
  kind: Kind,
  service: Pick<Service, 'url'>,
  options: Partial<SummarizerOptions> = {},
  request: Partial<SummaryRequest> = {},
): Promise<SummaryAnswer> {
  const env = { [kind.key]: SECRET, [kind.base]: service.url };
  const summarizer = chooseSummarizer(`${kind.kind}:m-1`, { timeoutMs: 8000, ...options }, env);
  return (await summarizer.summarize({ ...REQUEST, ...request })) as SummaryAnswer;
}

/** The message of the failure; a success fails the test. */
async function failed(answer: Promise<unknown>): Promise<string> {
  const cause: unknown = await answer.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(cause).toBeInstanceOf(Error);
  const { message } = cause as Error;
  expect(message).not.toContain('\n');
  return message;
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.each(KINDS)('$kind', (kind) => {
  it('sends the prompt and reads the answer', async () => {
    await using service = await serve(says(200, kind.answer(' the summary\n')));
    expect(await ask(kind, service)).toEqual({
      text: 'the summary',
      id: 'answer-1',
      model: 'm-2',
      usage: { input: 12, output: 3 },
    });
    const [asked] = service.asked;
    expect(asked).toMatchObject({ method: 'POST', path: kind.path, body: { model: 'm-1' } });
    expect(JSON.stringify(asked?.headers)).toContain(SECRET);
    expect(Object.keys(asked?.headers ?? {}).join()).not.toContain('stainless');
    expect(JSON.stringify(asked?.body)).toContain('Never touch /etc/hosts.');
    const cap = asked?.body['max_tokens'] ?? asked?.body['max_completion_tokens'];
    expect(cap).toBe(200 + 4096);
  });

  it('tells the destination, and how much it would send', async () => {
    await using service = await serve(says(200, kind.answer('x')));
    const env = { [kind.base]: `${service.url}/gate/` };
    const { external, summarize } = chooseSummarizer(`${kind.kind}:m-1`, {}, env);
    expect(external?.destination).toBe(`${service.host}/gate`);
    await summarize(REQUEST);
    expect(service.asked[0]?.path).toBe(`/gate${kind.path}`);
    expect(external?.automatic).toBe(true);
    const sent = Buffer.byteLength(JSON.stringify(service.asked[0]?.body));
    expect(external?.size(REQUEST)).toBe(sent);
    const other = chooseSummarizer(`${kind.kind}:m-2`, {}, env).external?.cacheKey;
    expect(other).not.toBe(external?.cacheKey);
  });

  it.concurrent('asks again when told to slow down, as late as it was told', async () => {
    const slow = says(429, { error: { message: 'slow down' } }, { 'retry-after': '1' });
    await using service = await serve(slow, says(200, kind.answer('at last')));
    const start = performance.now();
    expect((await ask(kind, service)).text).toBe('at last');
    expect(performance.now() - start).toBeGreaterThan(900);
    expect(service.asked).toHaveLength(2);
  });

  it('does not wait longer than its deadline', async () => {
    const slow = says(429, { error: { message: 'slow down' } }, { 'retry-after': '3600' });
    await using service = await serve(slow);
    expect(await failed(ask(kind, service))).toBe('HTTP 429: slow down');
    expect(service.asked).toHaveLength(1);
  });

  it.concurrent('gives up on a service that goes on failing', async () => {
    await using service = await serve(says(500, { error: { message: 'broken' } }));
    expect(await failed(ask(kind, service, { retries: 1 }))).toBe('HTTP 500: broken');
    expect(service.asked).toHaveLength(2);
  });

  it('asks once when the question is refused', async () => {
    await using service = await serve(says(404, { error: { message: 'no model\nm-1' } }));
    expect(await failed(ask(kind, service))).toBe('HTTP 404: no model m-1');
    expect(service.asked).toHaveLength(1);
  });

  it.concurrent('asks again when the connection breaks in the middle', async () => {
    await using service = await serve(breaks, says(200, kind.answer('whole')));
    expect((await ask(kind, service)).text).toBe('whole');
  });

  it('says that the connection broke', async () => {
    await using service = await serve(breaks);
    const message = await failed(ask(kind, service, { retries: 0 }));
    expect(message).toMatch(/^the connection to 127\.0\.0\.1:\d+ failed \(\w+\)$/);
  });

  it('says that nobody listens', async () => {
    const gone = await serve(sleeps);
    await gone[Symbol.asyncDispose]();
    const message = await failed(ask(kind, gone, { retries: 0 }));
    expect(message).toBe(`the connection to ${gone.host} failed (ECONNREFUSED)`);
  });

  it('says why it could not even try', async () => {
    // Browsers and Node ask no echo service.
    const message = await failed(ask(kind, { url: 'http://127.0.0.1:7' }, { retries: 0 }));
    expect(message).toBe('the connection to 127.0.0.1:7 failed (bad port)');
  });

  it.concurrent('ends at the deadline', async () => {
    await using service = await serve(sleeps);
    const message = await failed(ask(kind, service, { timeoutMs: 300 }));
    expect(message).toBe('no answer within 0.3 s');
  });

  it('ends when the caller does, with its reason', async () => {
    await using service = await serve(sleeps);
    const caller = new AbortController();
    const answer = ask(kind, service, {}, { signal: caller.signal });
    await vi.waitFor(() => expect(service.asked).toHaveLength(1));
    const reason = new Error('stopped by hand');
    caller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect(ask(kind, service, {}, { signal: caller.signal })).rejects.toBe(reason);
    expect(service.asked).toHaveLength(1);
  });

  it.concurrent('ends while it waits to ask again', async () => {
    await using service = await serve(says(503, {}, { 'retry-after': '7' }));
    const caller = new AbortController();
    const answer = ask(kind, service, {}, { signal: caller.signal });
    await vi.waitFor(() => expect(service.asked).toHaveLength(1));
    const start = performance.now();
    setTimeout(() => caller.abort(new Error('stopped')), 100);
    expect(await failed(answer)).toBe('stopped');
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it.each([
    ['is not JSON', raw(200, 'well, the summary…'), /^the answer is not JSON$/],
    ['has the wrong shape', says(200, { choices: 3, content: 3 }), /^the answer is not a /],
    ['is a list', says(200, []), /^the answer is not a /],
    ['is nothing', raw(204, ''), /^the answer is not a /],
    ['is blank', says(200, kind.answer(' \n')), /^the answer is empty$/],
    ['is cut off', says(200, kind.answer('half', { cut: true })), /cut off at the token limit$/],
    ['is held back', says(200, kind.answer('no', { refused: true })), /held back|refused/],
    ['is a web page', raw(200, '<html>', { 'content-type': 'text/html' }), /^the answer is not a /],
  ])('refuses an answer that %s', async (_, act, message) => {
    await using service = await serve(act);
    expect(await failed(ask(kind, service))).toMatch(message);
    expect(service.asked).toHaveLength(1);
  });

  it('refuses an answer that is too large', async () => {
    await using service = await serve(says(200, kind.answer('x'.repeat(5000))));
    const message = await failed(ask(kind, service, { maxOutputBytes: 4096 }));
    expect(message).toBe('the answer is larger than 4096 bytes');
    expect(service.asked).toHaveLength(1);
    expect((await ask(kind, service, { maxOutputBytes: 8192 })).text).toHaveLength(5000);
  });

  it('follows no redirect', async () => {
    await using elsewhere = await serve(says(200, kind.answer('stolen')));
    await using service = await serve(says(307, {}, { location: `${elsewhere.url}${kind.path}` }));
    expect(await failed(ask(kind, service))).toMatch(/^HTTP 307: .* redirects elsewhere/);
    expect(elsewhere.asked).toEqual([]);
  });

  it.each([
    ['a message', (key: string) => ({ error: { message: `bad key ${key}!` } })],
    ['plain text', (key: string) => ({ error: `bad key ${key}!` })],
    ['a long message', (key: string) => ({ error: { message: `${'x'.repeat(490)} ${key}` } })],
  ])('never shows a key that comes back as %s', async (_, body) => {
    await using service = await serve(says(401, body(SECRET)));
    const message = await failed(ask(kind, service));
    expect(message).toContain('[key]');
    expect(message).not.toMatch(/secret-/);
  });

  it('never shows a key of another service, or a part of one', async () => {
    const message = 'not sk-proj-ab12********wxyz';
    await using service = await serve(says(401, { error: { message } }));
    expect(await failed(ask(kind, service))).toBe('HTTP 401: not [key]');
  });

  it('writes nothing, whatever the variables for logs say', async () => {
    vi.stubEnv('OPENAI_LOG', 'debug');
    vi.stubEnv('ANTHROPIC_LOG', 'debug');
    const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
    const spies = methods.map((name) => vi.spyOn(console, name).mockReturnValue(undefined));
    await using service = await serve(
      says(500, {}, { 'retry-after-ms': '1' }),
      says(200, kind.answer('quiet')),
    );
    expect((await ask(kind, service)).text).toBe('quiet');
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it("needs a key, but not for a service of one's own", async () => {
    const own = chooseSummarizer(`${kind.kind}:m-1`, {}, {});
    expect(await failed(Promise.resolve(own.summarize(REQUEST)))).toContain(
      `no key: set ${kind.key}`,
    );
    await using service = await serve(says(200, kind.answer('free')));
    const free = chooseSummarizer(`${kind.kind}:m-1`, {}, { [kind.base]: service.url });
    expect(await free.summarize(REQUEST)).toMatchObject({ text: 'free' });
  });

  it.each(['no address', 'ftp://host/', 'http://me:secret-pw@host/', 'http://host/?key=secret-pw'])(
    'refuses the address %s',
    (url) => {
      const choose = (): unknown => chooseSummarizer(`${kind.kind}:m`, {}, { [kind.base]: url });
      expect(choose).toThrow(expect.objectContaining({ exitCode: 2 }));
      expect(choose).toThrow(/^(?!.*secret-pw)/);
    },
  );
});

it('prefers the key, and sends a token where only that is set', async () => {
  const kind = KINDS[1] as Kind;
  await using service = await serve(says(200, kind.answer('x')));
  const env = { ANTHROPIC_BASE_URL: service.url, ANTHROPIC_AUTH_TOKEN: 'token-of-the-test' };
  await chooseSummarizer('anthropic:m', {}, env).summarize(REQUEST);
  expect(service.asked[0]?.headers['authorization']).toBe('Bearer token-of-the-test');
  const both = { ...env, ANTHROPIC_API_KEY: SECRET };
  await chooseSummarizer('anthropic:m', {}, both).summarize(REQUEST);
  expect(JSON.stringify(service.asked[1]?.headers)).not.toContain('token-of-the-test');
});

it('names the usual services', () => {
  const destinationOf = (text: string): unknown =>
    chooseSummarizer(text, {}, {}).external?.destination;
  expect(destinationOf('openai:m')).toBe('api.openai.com/v1');
  expect(destinationOf('anthropic:m')).toBe('api.anthropic.com');
});
