import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactFile } from '../../src/compact.ts';
import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { cutElements } from '../../src/formats/array/cut.ts';
import { DATASETS, findFormat } from '../../src/formats/registry.ts';
import { memorySource } from '../../src/load/source.ts';
import { Records } from '../../src/model/records.ts';
import type { Report } from '../../src/report/report.ts';
import { restoreFile } from '../../src/restore.ts';
import { parseSpec } from '../../src/specs/parse.ts';
import { verifyFile } from '../../src/verify/file.ts';
import { samples } from '../support/corpus.ts';

const NOW = '2026-01-01T00:00:00.000Z';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-dataset-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let runs = 0;

/** Writes a file, compacts it and gives back where everything is. */
async function compacted(text: string, specs: readonly string[], options = {}) {
  runs += 1;
  const input = join(folder, `${runs}.jsonl`);
  const output = join(folder, `${runs}.out`);
  writeFileSync(input, text);
  const parsed = specs.map((spec) => {
    const [method, rest] = spec.split(' ') as ['drop', string];
    return parseSpec(method, rest);
  });
  const report = await compactFile(input, { specs: parsed, output, now: NOW, ...options });
  return { input, output, report };
}

const documents = samples().filter(
  ({ path, format }) =>
    path.endsWith('.json') && DATASETS.some(({ name }) => name === `${format}-jsonl`),
);

describe.each(documents)('lines of $name', ({ path, format }) => {
  const whole = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
  const lines = [whole, whole.replaceAll('shop', 'bakery'), whole.replaceAll('shop', 'zoo')];
  const [first = '', second = '', third = ''] = lines;
  // Windows line ends, an empty and a broken line, another document, no final newline.
  const text = `\ufeff${first}\r\n\r\n{"torn":\r\n{"a":1}\r\n${second}\r\n${third}`;

  const removes = findFormat(format as string)?.removal === true;
  const calls = /tool|function|call/.test(whole);
  it.each(
    [
      ['truncate toolResults:blockThreshold=200,previewTokens=80'],
      ['drop *:preserveRecent=2'],
      ['summarize *:preserveRecent=3'],
      ['native-history preserveRecentTurns=0,preserveRecentMessages=2'],
    ].filter(([spec = '']) => {
      // A stored message of the AI SDK holds a whole run, and its last one is protected whole.
      if (spec.startsWith('native'))
        return removes && calls && format?.startsWith('vercel-ai') !== true;
      return spec.includes(' *') ? removes : calls;
    }),
  )('%s: every line on its own, broken ones kept, restorable', async (spec) => {
    for (const protectEnds of [true, false]) {
      const { input, output, report } = await compacted(text, [spec], {
        protectEnds,
        format: `${format}-jsonl`,
      });
      expect(report.format).toBe(`${format}-jsonl`);
      expect(report.warnings.map(({ code }) => code)).toEqual(
        expect.arrayContaining(['broken-record', 'no-conversation']),
      );
      expect(report.stash).not.toBeNull();
      expect(new Set(report.blocks.map(({ conversation }) => conversation))).toEqual(
        new Set(['line 1', 'line 5', 'line 6']),
      );
      const written = readFileSync(output, 'utf8').split('\r\n');
      expect(written).toHaveLength(6);
      expect(written.slice(1, 4)).toEqual(['', '{"torn":', '{"a":1}']);
      // The conversations tell the same story: what is done to one is done to each.
      for (const line of ['line 5', 'line 6'])
        expect(actions(report, line)).toEqual(actions(report, 'line 1'));
      const report2 = verifyFile(output, { format: `${format}-jsonl` });
      expect(report2).toMatchObject({ ok: true, violations: [] });
      const back = join(folder, `${runs}.back`);
      expect(restoreFile(output, { output: back }).how).toBe('exact');
      expect(readFileSync(back).equals(readFileSync(input))).toBe(true);
    }
  });

  it('comes back block by block when a program rewrote every line', async () => {
    const clean = `${lines.join('\n')}\n`;
    const { output } = await compacted(clean, [
      'truncate toolResults:blockThreshold=200,previewTokens=80',
      ...(removes ? ['drop *:preserveRecent=4'] : []),
    ]);
    const rewritten = readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => `${JSON.stringify(JSON.parse(line)).replace(/^./, '$& ')}\n`);
    writeFileSync(output, rewritten.join(''));
    const back = join(folder, `${runs}.back`);
    expect(restoreFile(output, { output: back })).toMatchObject({ how: 'blocks', lost: [] });
    const values = readFileSync(back, 'utf8').trimEnd().split('\n');
    expect(values.map((line) => JSON.parse(line))).toEqual(lines.map((line) => JSON.parse(line)));
  });

  it('is told by its lines', () => {
    expect(formatOf(`${lines.join('\n')}\n`)).toBe(`${format}-jsonl`);
    expect(formatOf(`${first}\n`)).toBe(format);
  });
});

function actions({ blocks }: Report, line: string): string[] {
  return blocks
    .filter(({ conversation }) => conversation === line)
    .map(({ action, kind }) => `${action} ${kind}`);
}

function formatOf(text: string): string {
  return detectFormat(readHead(memorySource(Buffer.from(text), 'file')), 'file').name;
}

const say = (role: string, content: unknown) => ({ role, content });
const jsonl = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('which files are datasets', () => {
  const plain = [say('user', 'hi'), say('assistant', 'hello')];
  const called = [
    say('user', 'hi'),
    say('assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }]),
    say('user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }]),
  ];

  it('judges all lines together: a line of text alone says little', () => {
    expect(formatOf(jsonl([{ messages: plain }, { messages: called }]))).toBe('anthropic-jsonl');
    expect(formatOf(jsonl([{ messages: plain }, { messages: plain }]))).toBe('openai-chat-jsonl');
  });

  it('reads lines that are bare lists and lines that are batch requests', () => {
    expect(formatOf(jsonl([plain, plain]))).toBe('openai-chat-jsonl');
    const body = { custom_id: 'a', method: 'POST', body: { model: 'gpt-4.1', messages: plain } };
    expect(formatOf(jsonl([body, body]))).toBe('openai-chat-jsonl');
  });

  it('tells a list over several lines from lines of lists', () => {
    expect(formatOf(JSON.stringify(plain, null, 2))).toBe('openai-chat');
    expect(formatOf(`${JSON.stringify(plain)}\n\n`)).toBe('openai-chat');
    expect(formatOf(`[\n${plain.map((message) => JSON.stringify(message)).join(',\n')}\n]\n`)).toBe(
      'openai-chat',
    );
  });

  it.each([
    ['an object', { messages: [...plain, say('user', 'x'.repeat(3_000_000))] }],
    ['a list', [...plain, say('user', 'x'.repeat(3_000_000))]],
  ])('sees a second line behind a first of megabytes: %s', (_name, line) => {
    expect(formatOf(jsonl([line, line]))).toBe('openai-chat-jsonl');
    expect(formatOf(jsonl([line]))).toBe('openai-chat');
  });

  it('leaves sessions to their clients', () => {
    for (const { path, format } of samples().filter(({ name }) => /^(claude|codex)/.test(name)))
      expect(formatOf(readFileSync(path, 'utf8'))).toBe(format);
  });
});

describe('utilization', () => {
  const results = (size: number) => ({
    messages: [
      say('user', 'read'),
      {
        ...say('assistant', null),
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      { ...say('tool', 'word '.repeat(size)), tool_call_id: 'call_1' },
      say('assistant', 'done'),
      say('user', 'thanks'),
    ],
  });
  const specs = ['drop toolResults:contextUtilization=50%'];

  it("is a conversation's own, and so is the window that the report speaks of", async () => {
    const text = jsonl([200, 3000, 200, 3000].map(results));
    const { report } = await compacted(text, specs, { window: 4000 });
    const gone = report.blocks.filter(({ action }) => action !== 'kept');
    expect(gone.map(({ conversation }) => conversation)).toEqual(['line 2', 'line 4']);
    expect(report.tokens.before).toBeGreaterThan(4000);
    expect(report.tokens.fullest).toMatchObject({ conversation: 'line 1', of: 4 });
    expect(report.tokens.fullest?.after).toBeLessThan(400);
    expect(report.warnings).toEqual([]);
  });

  it('stays below its condition in each of many conversations, whatever their sum', async () => {
    const text = jsonl(Array.from({ length: 40 }, () => results(3000)));
    const { report } = await compacted(text, specs, { window: 8000 });
    expect(report.strategies[0]).toMatchObject({ fired: false, acted: 0 });
    expect(report.stash).toBeNull();
    expect(report.warnings).toEqual([]);
  });
});

describe('cutting elements of several arrays', () => {
  // [1,2,3]\n[4,5]\n
  const records = new Records();
  for (const [start, end, next] of [
    [1, 2, 3],
    [3, 4, 5],
    [5, 6, 6],
    [9, 10, 11],
    [11, 12, 12],
  ] as const)
    records.add(start, end, next);

  it.each([
    ['the first of a later line', [3], '[1,2,3]\n[5]\n'],
    ['the last of each', [2, 4], '[1,2]\n[4]\n'],
    ['the first two', [0, 1], '[3]\n[4,5]\n'],
    ['first and last', [0, 2, 3], '[2]\n[5]\n'],
    ['those in the middle', [1], '[1,3]\n[4,5]\n'],
  ])('%s', (_name, removed, expected) => {
    let text = '[1,2,3]\n[4,5]\n';
    for (const { start, end } of cutElements(removed, records).toReversed())
      text = text.slice(0, start) + text.slice(end);
    expect(text).toBe(expected);
  });
});

it('every dataset is found by its name', () => {
  for (const { name } of DATASETS) expect(findFormat(name)?.layout).toBe('dataset');
});
