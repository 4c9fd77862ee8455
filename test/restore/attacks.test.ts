import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compactFile } from '../../src/compact.ts';
import { restoreFile } from '../../src/restore.ts';
import { parseSpec } from '../../src/specs/parse.ts';

/** Restores that once went wrong: the right bytes, so that they stay right. */
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-attack-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOW = '2026-01-01T00:00:00.000Z';
const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const record = (index: number, type: string, message: unknown) =>
  JSON.stringify({
    parentUuid: index === 1 ? null : uuid(index - 1),
    isSidechain: false,
    sessionId: 's',
    type,
    message,
    uuid: uuid(index),
    timestamp: NOW,
  });

/** A session with two large results; `between` goes in behind the first record. */
function session(between = '', text = 'line of output\n'.repeat(400)): string {
  const call = (index: number) => ({
    id: `m${index}`,
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: {} }],
  });
  const result = (index: number) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: `${index} ${text}` }],
  });
  const lines = [
    record(2, 'assistant', call(1)),
    record(3, 'user', result(1)),
    record(4, 'assistant', call(2)),
    record(5, 'user', result(2)),
    record(6, 'assistant', {
      id: 'm3',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'done' }],
    }),
  ];
  return `${record(1, 'user', { role: 'user', content: 'start' })}\n${between}${lines.join('\n')}\n`;
}

const snapshots = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `${JSON.stringify({ type: 'file-history-snapshot', messageId: uuid(index), snapshot: `${index} ${'x'.repeat(10_000)}` })}\n`,
  ).join('');

async function compactInPlace(
  text: string | Buffer,
  step: readonly ['drop' | 'truncate', string] = ['drop', 'toolResults'],
): Promise<string> {
  const path = join(folder, 's.jsonl');
  writeFileSync(path, text);
  await compactFile(path, { specs: [parseSpec(...step)], inPlace: true, now: NOW });
  return path;
}

describe('restore', () => {
  it('gives back untouched spans of several megabytes', async () => {
    const text = session(snapshots(400));
    const path = await compactInPlace(text);
    restoreFile(path, {});
    expect(readFileSync(path, 'utf8') === text).toBe(true);
  });

  it('by ref keeps every untouched record of a large file', async () => {
    const text = session(snapshots(400));
    const path = await compactInPlace(text);
    const refs = [...readFileSync(path, 'utf8').matchAll(/\[ref: ([0-9a-f]{12})\]/g)].map(
      ([, ref]) => ref ?? '',
    );
    restoreFile(path, { refs, inPlace: true });
    expect(readFileSync(path, 'utf8') === text).toBe(true);
  });

  it('by ref of one of two placeholders in one record', async () => {
    const entry = (id: string, text: string) => ({
      type: 'function_call_output',
      call_id: id,
      output: text,
    });
    const history = ['a', 'b'].flatMap((id) => [
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: id },
      entry(id, `${id} ${'some output\n'.repeat(300)}`),
    ]);
    const line = (type: string, payload: unknown, ordinal: number) =>
      JSON.stringify({ timestamp: NOW, ordinal, type, payload });
    const message = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: 'input_text', text }],
    });
    const text = `${[
      line('session_meta', { id: 'x' }, 0),
      line(
        'compacted',
        { message: '', replacement_history: [message('user', 'start'), ...history] },
        1,
      ),
      line(
        'response_item',
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'end' }] },
        2,
      ),
    ].join('\n')}\n`;
    const path = await compactInPlace(text);
    const [first = ''] = [...readFileSync(path, 'utf8').matchAll(/\[ref: ([0-9a-f]{12})\]/g)].map(
      ([, ref]) => ref ?? '',
    );
    restoreFile(path, { refs: [first], inPlace: true });
    expect(readFileSync(path, 'utf8').match(/\[ref: /g)?.length).toBe(1);
    // A client rewrote the file: everything that is left comes back block by block.
    writeFileSync(path, `\n${readFileSync(path, 'utf8')}`);
    expect(restoreFile(path, { inPlace: true }).how).toBe('blocks');
    expect(readFileSync(path, 'utf8') === `\n${text}`).toBe(true);
  });

  it('block by block keeps bytes that are not UTF-8', async () => {
    const marked = session('', `${'plain text\n'.repeat(300)}@@bad@@`);
    const bytes = Buffer.from(
      Buffer.from(marked).toString('latin1').replaceAll('@@bad@@', 'bad \xff\xfe\xc3( bytes'),
      'latin1',
    );
    const path = await compactInPlace(bytes);
    writeFileSync(path, Buffer.concat([Buffer.from('\n'), readFileSync(path)]));
    restoreFile(path, { inPlace: true });
    expect(readFileSync(path).equals(Buffer.concat([Buffer.from('\n'), bytes]))).toBe(true);
  });

  it('says that a cut stash does not hold the originals, with exit 5', async () => {
    const path = await compactInPlace(session());
    const stash = readFileSync(`${path}.stash`);
    writeFileSync(`${path}.stash`, stash.subarray(0, 60));
    const before = readFileSync(path);
    expect(() => restoreFile(path, { inPlace: true })).toThrow(
      expect.objectContaining({ exitCode: 5 }),
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a foreign stash and writes nothing', async () => {
    const path = await compactInPlace(session());
    const other = join(folder, 'other.jsonl');
    writeFileSync(other, session('', 'another text\n'.repeat(400)));
    await compactFile(other, {
      specs: [parseSpec('drop', 'toolResults')],
      inPlace: true,
      now: NOW,
    });
    const before = readFileSync(path);
    expect(() => restoreFile(path, { stash: `${other}.stash`, inPlace: true })).toThrow(
      expect.objectContaining({ exitCode: 5 }),
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('warns of markers that a broken chain leaves', async () => {
    const path = await compactInPlace(session(), [
      'truncate',
      'toolResults:blockThreshold=300,previewTokens=60',
    ]);
    const [first = ''] = [...readFileSync(path, 'utf8').matchAll(/\[ref: ([0-9a-f]{12})\]/g)].map(
      ([, ref]) => ref ?? '',
    );
    restoreFile(path, { refs: [first], inPlace: true });
    await compactFile(path, { specs: [parseSpec('drop', 'toolResults')], inPlace: true, now: NOW });
    expect(restoreFile(path, {}).warnings.join()).toContain('may be left');
  });
});

it('compacts JSON that is nested deeper than the engine writes', async () => {
  const depth = 10_000;
  const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const text = `[{"role":"user","content":[{"text":"start"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"x","input":${deep}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t","status":"success","content":[{"text":"${'word '.repeat(900)}"},{"json":${deep}}]}}]},{"role":"assistant","content":[{"text":"end"}]}]`;
  const path = join(folder, 'deep.json');
  writeFileSync(path, text);
  const output = join(folder, 'out.json');
  const report = await compactFile(path, {
    specs: [parseSpec('truncate', 'toolResults:previewTokens=50')],
    output,
    now: NOW,
  });
  expect(report.tokens.saved).toBeGreaterThan(0);
  const back = join(folder, 'back.json');
  restoreFile(output, { output: back });
  expect(readFileSync(back, 'utf8') === text).toBe(true);
  cpSync(output, back);
});
