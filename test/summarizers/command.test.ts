import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Summarizer, SummaryAnswer, SummaryRequest } from '../../src/summarize/summarizer.ts';
import { chooseSummarizer } from '../../src/summarizers/choose.ts';
import type { SummarizerOptions } from '../../src/summarizers/options.ts';
import { REQUEST } from './vendors.ts';

const folder = mkdtempSync(join(tmpdir(), 'ctx-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A summarizer that runs a script in node. */
function script(code: string, options: Partial<SummarizerOptions> = {}): Summarizer {
  const line = `command:'${process.execPath}' -e '${code}' --`;
  return chooseSummarizer(line, { timeoutMs: 20_000, ...options }, process.env);
}

async function ask(
  code: string,
  options: Partial<SummarizerOptions> = {},
  request: Partial<SummaryRequest> = {},
): Promise<SummaryAnswer> {
  const answer = script(code, options).summarize({ ...REQUEST, ...request });
  return (await answer) as SummaryAnswer;
}

async function failed(answer: Promise<unknown>): Promise<string> {
  const cause: unknown = await answer.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(cause).toBeInstanceOf(Error);
  return (cause as Error).message;
}

const ECHO = 'process.stdin.pipe(process.stdout)';

describe('what a program is given', () => {
  it('is one JSON object', async () => {
    const code =
      'process.stdin.setEncoding("utf8").on("data", (d) => console.log(JSON.stringify({ summary: d })))';
    const { text } = await ask(code, {}, { sourceRef: 'ab12', form: 'text' });
    const given = JSON.parse(text) as Record<string, unknown>;
    expect(given).toMatchObject({ items: REQUEST.items, sourceRef: 'ab12', maxOutputTokens: 200 });
    expect(given['instructions']).toContain('At most 200 tokens');
    expect(given).not.toHaveProperty('schema');
  });

  it('holds the schema for sections', async () => {
    const { text } = await ask(ECHO, {}, { form: 'sections', sourceRef: 'ab12' });
    const { schema } = JSON.parse(text) as { schema: { required: string[] } };
    expect(schema.required).toHaveLength(7);
  });

  it('is the prompt as text when asked for', async () => {
    const { text } = await ask(ECHO, { input: 'text' });
    expect(text).toMatch(/^You condense .*\n.*Never touch \/etc\/hosts\./s);
    expect(text).toContain('tool="bash" failed=true');
  });

  it('is as large as was told', async () => {
    const count =
      'let n = 0; process.stdin.on("data", (d) => n += d.length).on("end", () => console.log(n))';
    for (const input of ['json', 'text'] as const) {
      const size = script('', { input }).external?.size(REQUEST);
      expect((await ask(count, { input })).text).toBe(String(size));
    }
  });

  it('holds the environment as it is, and nothing else', async () => {
    const line = `command:'${process.execPath}' -p 'Object.keys(process.env).join() + process.env.CTX_TEST'`;
    const answer = await chooseSummarizer(line, {}, { CTX_TEST: ' ü' }).summarize(REQUEST);
    expect(answer).toEqual({ text: 'CTX_TEST ü' });
  });

  it('may be left unread', async () => {
    const text = 'x'.repeat(4_000_000);
    const items = [{ role: 'user', kind: 'text', text }];
    const code = 'process.stdin.destroy(); console.log("fine")';
    expect(await ask(code, {}, { items })).toEqual({ text: 'fine' });
    expect(await ask('console.log("fine"); process.exit(0)', {}, { items })).toEqual({
      text: 'fine',
    });
  });
});

describe('what a program says', () => {
  const says = (value: unknown): string =>
    `console.log(Buffer.from("${Buffer.from(JSON.stringify(value)).toString('hex')}", "hex").toString())`;

  it('is text', async () => {
    expect(await ask('console.log("\\n two\\nlines ü\\n")')).toEqual({ text: 'two\nlines ü' });
  });

  it('is JSON with a summary and what came with it', async () => {
    const usage = { input: 4, output: 2 };
    expect(await ask(says({ summary: 's', id: 'i', model: 'm', usage }))).toEqual({
      text: 's',
      id: 'i',
      model: 'm',
      usage,
    });
    const odd = { summary: 's', id: 7, model: null, usage: { input: '4' }, more: true };
    expect(await ask(says(odd))).toEqual({ text: 's' });
  });

  it('is JSON without a summary: the answer itself', async () => {
    const bare = { decisions: [] };
    expect((await ask(says(bare), {}, { form: 'sections' })).text).toBe(JSON.stringify(bare));
    expect((await ask(says(bare))).text).toBe(JSON.stringify(bare));
  });

  it('is an object for sections, and only for them', async () => {
    const summary = { decisions: [{ text: 'x', sourceIds: ['m1'] }] };
    const answer = await ask(says({ summary }), {}, { form: 'sections' });
    expect(JSON.parse(answer.text)).toEqual(summary);
    expect(await failed(ask(says({ summary })))).toBe('`summary` of the answer is not text');
  });

  it.each([
    ['nothing', ''],
    ['blanks', 'console.log(" ")'],
    ['an empty summary', says({ summary: '\n' })],
  ])('must not be %s', async (_, code) => {
    expect(await failed(ask(code))).toBe('the answer is empty');
  });

  it('must be UTF-8', async () => {
    const code = 'process.stdout.write(Buffer.from([0x61, 0xff]))';
    expect(await failed(ask(code))).toBe('the answer is not UTF-8 text');
  });

  it('may be large, up to a limit', async () => {
    const code = 'process.stdout.write("x".repeat(100000))';
    expect((await ask(code, { maxOutputBytes: 100_000 })).text).toHaveLength(100_000);
    const message = await failed(ask(code, { maxOutputBytes: 99_999 }));
    expect(message).toBe('the answer is larger than 99999 bytes');
  });

  it('ends a flood', async () => {
    const code = 'const go = () => process.stdout.write("x".repeat(9999), go); go()';
    expect(await failed(ask(code))).toBe('the answer is larger than 1048576 bytes');
  });
});

describe('a program that fails', () => {
  it('is shown with its code and its last lines', async () => {
    const code =
      'for (let i = 0; i < 9; i++) console.error("line " + i); console.error("\\x1b[31mred\\x1b[0m a\\x07b\\n"); process.exitCode = 3';
    expect(await failed(ask(code))).toBe(
      'exit code 3: line 5 | line 6 | line 7 | line 8 | red a\\x07b',
    );
  });

  it('is shown cut, and without keys', async () => {
    const code =
      'console.error("x".repeat(9e5) + process.env.SOME_TOKEN + " end"); process.exitCode = 1';
    const line = `command:'${process.execPath}' -e '${code}'`;
    const env = { SOME_TOKEN: 'secret-4711-of-the-test' };
    const message = await failed(
      Promise.resolve(chooseSummarizer(line, {}, env).summarize(REQUEST)),
    );
    expect(message).toMatch(/^exit code 1: …x+\[key\] end$/);
    expect(message.length).toBeLessThan(550);
  });

  it('may say nothing, or die', async () => {
    expect(await failed(ask('process.exit(4)'))).toBe('exit code 4');
    expect(await failed(ask('process.kill(process.pid, "SIGKILL")'))).toBe('ended by SIGKILL');
  });

  it('may not be there', async () => {
    const missing = chooseSummarizer('command:no-such-program-4711 x', {}, process.env);
    const message = await failed(Promise.resolve(missing.summarize(REQUEST)));
    expect(message).toBe('program not found: no-such-program-4711');
    const file = chooseSummarizer(`command:${folder}`, {}, process.env);
    expect(await failed(Promise.resolve(file.summarize(REQUEST)))).toMatch(/^can't run .*EACCES/);
  });
});

/** A program that starts another one and waits with it; both write down who they are and don't care for SIGTERM. */
function hanging(file: string): string {
  const stay = 'process.on(\\"SIGTERM\\", () => {}); setInterval(() => {}, 1000)';
  const child = `require("child_process").spawn(process.execPath, ["-e", "${stay}"], { stdio: "inherit" })`;
  return `process.on("SIGTERM", () => {}); const c = ${child}; require("fs").writeFileSync("${file}", process.pid + " " + c.pid); setInterval(() => {}, 1000)`;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that ended and that nobody waited for is still listed.
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function pidsIn(file: string): Promise<number[]> {
  return await vi.waitFor(
    () => {
      const pids = readFileSync(file, 'utf8').split(' ').map(Number);
      expect(pids).toHaveLength(2);
      return pids;
    },
    { timeout: 10_000 },
  );
}

describe.skipIf(process.platform !== 'linux').concurrent('a program that hangs', () => {
  it('is ended at the deadline, with what it started', async () => {
    const file = join(folder, 'late');
    const answer = failed(ask(hanging(file), { timeoutMs: 1500 }));
    const pids = await pidsIn(file);
    expect(pids.map(alive)).toEqual([true, true]);
    expect(await answer).toBe('no answer within 1.5 s');
    await vi.waitFor(() => expect(pids.map(alive)).toEqual([false, false]), { timeout: 5000 });
  });

  it('is ended when the caller ends, with its reason', async () => {
    const file = join(folder, 'stopped');
    const caller = new AbortController();
    const answer = ask(hanging(file), {}, { signal: caller.signal });
    const pids = await pidsIn(file);
    const reason = new Error('stopped by hand');
    caller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await vi.waitFor(() => expect(pids.map(alive)).toEqual([false, false]), { timeout: 5000 });
  });

  it('is not even started when the caller has ended', async () => {
    const file = join(folder, 'never');
    const reason = new Error('over');
    const answer = ask(hanging(file), {}, { signal: AbortSignal.abort(reason) });
    await expect(answer).rejects.toBe(reason);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
