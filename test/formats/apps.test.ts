import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compactFile } from '../../src/compact.ts';
import { detectFormat, scoreFormats } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { langchain } from '../../src/formats/langchain/index.ts';
import { otelGenai } from '../../src/formats/otel.ts';
import { vercelModel } from '../../src/formats/vercel/model.ts';
import { vercelUi } from '../../src/formats/vercel/ui.ts';
import { memorySource } from '../../src/load/source.ts';
import { NO_METER } from '../../src/measure/meter.ts';
import { restoreFile } from '../../src/restore.ts';
import { parseSpec } from '../../src/specs/parse.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-apps-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLES = join(import.meta.dirname, '..', '..', 'samples');
const NAMES = [
  'vercel-ai',
  'vercel-ai-v4',
  'vercel-ai-model',
  'langchain-state',
  'langchain-dicts',
  'langchain-dumpd',
  'otel-genai',
];

async function compacted(name: string, ...specs: readonly ReturnType<typeof parseSpec>[]) {
  const input = join(SAMPLES, `${name}.json`);
  const output = join(folder, 'out.json');
  await compactFile(input, { specs, emergency: false, output, now: '2026-01-01T00:00:00.000Z' });
  return { before: JSON.parse(readFileSync(input, 'utf8')) as unknown, output };
}

const parsed = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;

describe.each(NAMES)('%s', (name) => {
  it('comes back block by block after an application wrote it anew', async () => {
    const spec = parseSpec('truncate', 'toolResults:blockThreshold=200,previewTokens=80');
    const { before, output } = await compacted(name, spec);
    const changed = parsed(output);
    expect(changed).not.toEqual(before);
    writeFileSync(output, JSON.stringify(changed, null, 3));
    const back = join(folder, 'back.json');
    expect(restoreFile(output, { output: back }).how).not.toBe('exact');
    expect(parsed(back)).toEqual(before);
  });

  it('removed messages leave a user message, and come back', async () => {
    const { before, output } = await compacted(name, parseSpec('drop', '*:preserveRecent=2'));
    const changed = readFileSync(output, 'utf8');
    expect(changed.match(/\[Dropped: \d+ messages?, ~[\d,]+ tokens\]/g)?.length).toBeGreaterThan(0);
    writeFileSync(output, JSON.stringify(JSON.parse(changed), null, 3));
    const back = join(folder, 'back.json');
    restoreFile(output, { output: back });
    expect(parsed(back)).toEqual(before);
  });
});

describe('a stored run of several messages', () => {
  const list = (value: unknown) => (value as { messages: { id: string }[] }).messages;

  it('leaves whole, also when steps of another one stay', async () => {
    const { before, output } = await compacted(
      'vercel-ai',
      parseSpec('drop', '*:preserveRecent=2'),
    );
    const [first, marker, last, ...more] = list(parsed(output));
    expect(marker?.id).toMatch(/^ctx-[0-9a-f]{12}$/);
    expect([first, last]).toEqual([list(before)[0], list(before).at(-1)]);
    expect(more).toEqual([]);
  });

  it('stays whole when one of its messages is protected', async () => {
    // The newest five: the last run, the prompt before it, and the last reply of the first run.
    const report = await compactFile(join(SAMPLES, 'vercel-ai.json'), {
      specs: [parseSpec('drop', '*:preserveRecent=5')],
      emergency: false,
      output: join(folder, 'out.json'),
      now: '2026-01-01T00:00:00.000Z',
    });
    expect(report.stash).toBeNull();
    const reasons = report.blocks.filter(({ record }) => record === 1).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['preserve-recent']));
  });
});

it('wrong types anywhere do not throw', () => {
  const key = fc.constantFrom(
    ...'role parts type text content state output toolCallId toolInvocation toString'.split(' '),
    ...'toolInvocations kwargs data lc id tool_calls args response value experimental_attachments'.split(
      ' ',
    ),
  );
  const word = fc.constantFrom(
    ...'assistant user tool ai human text tool-x tool-call tool-result dynamic-tool'.split(' '),
    ...'tool_call_response output-available reasoning file constructor __proto__'.split(' '),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.oneof(word, fc.constant(1), fc.constant(null), fc.boolean()),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  }));
  const context = { meter: NO_METER, placed: { present: false, find: () => undefined }, id: 'x' };
  const property = fc.property(fc.array(value, { maxLength: 4 }), (records) => {
    for (const format of [vercelUi, vercelModel, langchain, otelGenai]) {
      scoreFormats({ framing: 'json', records, document: records });
      const indexer = format.indexer(context, records);
      for (const [at, record] of records.entries()) indexer.record(record, at);
      expect(indexer.finish().conversations).toHaveLength(1);
    }
  });
  fc.assert(property, { numRuns: 400 });
});

const KNOWN: readonly (readonly [string, string, RegExp])[] = [
  [
    'otel-traces',
    '{"attributes":{"gen_ai.input.messages":"[{\\"role\\":\\"user\\"}]"}}',
    /fromjson/,
  ],
  ['openinference', '{"attributes":{"llm.input_messages.0.message.content":"hi"}}', /flattened/],
  ['langfuse', '{"trace":{"id":"t"},"observations":[{"type":"GENERATION","input":[]}]}', /jq/],
  ['langsmith', '[{"id":"r","run_type":"llm","inputs":{"messages":[]},"outputs":{}}]', /jq/],
  ['langgraph-history', '[{"values":{"messages":[]}},{"values":{"messages":[]}}]', /newest/],
  ['vscode-chat', '{"version":3,"requests":[{"message":{}}]}', /Export/],
  [
    'vscode-chat-log',
    '{"kind":0,"v":{"version":3,"requests":[]}}\n{"kind":1,"k":["requests",0],"v":1}\n',
    /position/,
  ],
  [
    'inspect',
    '{"version":2,"status":"success","eval":{},"plan":{},"samples":[]}',
    /inspect log dump/,
  ],
  ['inspect', `PK\u0003\u0004${'\0'.repeat(26)}_journal/start.json`, /inspect log dump/],
  ['chatgpt-export', '[{"title":"t","mapping":{},"current_node":"n"}]', /take it back/],
  ['claude-ai-export', '[{"uuid":"u","chat_messages":[]}]', /take it back/],
  [
    'cursor',
    '{"role":"user","message":{"content":[]}}\n{"role":"assistant","message":{"content":[]}}\n',
    /resume/,
  ],
  [
    'aider',
    '\n# aider chat started at 2026-01-01 10:00:00\n\n> aider\n\n#### do it\n\n{"a":1}\n',
    /Markdown/,
  ],
  [
    'specstory',
    '<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# A session\n',
    /session file/,
  ],
  ['sqlite', `SQLite format 3\0${'\0'.repeat(80)}`, /export/],
];

it.each(KNOWN)('%s is named with the reason', (name, text, reason) => {
  const head = readHead(memorySource(Buffer.from(text, 'latin1'), 'file'));
  expect(scoreFormats(head)[0]?.name).toBe(name);
  expect(() => detectFormat(head, 'file')).toThrow(
    expect.objectContaining({
      exitCode: 4,
      code: 'format-unsupported',
      hint: expect.stringMatching(reason),
    }),
  );
});
