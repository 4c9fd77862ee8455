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
      'pi',
      '{"type":"session","id":"a","timestamp":"t","cwd":"/home/dev"}\n{"type":"message","id":"b","message":{"role":"user"}}\n',
    ],
    ['opencode', '{"info":{"id":"ses_1"},"messages":[{"info":{},"parts":[]}]}'],
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
    ['sharegpt', '{"conversations":[{"from":"human","value":"hi"}]}'],
    ['langchain', '[{"type":"human","data":{"content":"hi"}}]'],
    ['vercel-ai', '[{"id":"1","role":"user","parts":[{"type":"text","text":"hi"}]}]'],
    ['openai-responses', '[{"type":"function_call_output","call_id":"c","output":"x"}]'],
    ['atif', '{"schema_version":"ATIF-v1.4","steps":[]}'],
    [
      'dataset-jsonl',
      '{"messages":[{"role":"user","content":"a"}]}\n{"messages":[{"role":"user","content":"b"}]}\n',
    ],
  ];

  it.each(known)('%s is named, not misread', (name, text) => {
    const head = readHead(memorySource(Buffer.from(text), 'file'));
    expect(scoreFormats(head)[0]?.name).toBe(name);
    expect(() => detectFormat(head, 'file')).toThrow(
      expect.objectContaining({ exitCode: 4, code: 'format-unsupported' }),
    );
  });

  it('says that nothing fits, with exit 4', () => {
    const head = readHead(memorySource(Buffer.from('{"a":1}'), 'file'));
    expect(() => detectFormat(head, 'file')).toThrow(
      expect.objectContaining({ exitCode: 4, code: 'format-unknown' }),
    );
  });
});
