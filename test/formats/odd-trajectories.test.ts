import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { indexTranscript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { bytesOf, METER } from '../support/index.ts';
import { EVENTS, SDK } from '../support/openhands.ts';
import { atif, mini, sweAgent } from '../support/trajectories.ts';

describe('hostile input', () => {
  const documents = [
    [
      'atif',
      atif(
        { source: 'user', message: 'a' },
        {
          source: 'agent',
          message: [{ type: 'text', text: 'b' }],
          tool_calls: [{ tool_call_id: 'c', function_name: 'x', arguments: {} }],
          observation: { results: [{ source_call_id: 'c', content: 'd' }] },
        },
      ),
    ],
    ['swe-agent', sweAgent(true)],
    [
      'mini',
      mini(
        { role: 'user', content: 'task' },
        { role: 'assistant', content: 'x', extra: { actions: [{}] } },
        { role: 'user', content: 'y' },
        { object: 'response', output: [{ type: 'function_call' }] },
        { type: 'function_call_output', output: 'x', call_id: 'c' },
      ),
    ],
    [
      'sharegpt',
      {
        conversations: [
          { from: 'human', value: 'a' },
          { from: 'function_call', value: '{"name":"x"}' },
          { from: 'tool', value: 'b' },
        ],
      },
    ],
    ['openhands', EVENTS],
    ['openhands-sdk', SDK],
  ] as const;
  const odd = [null, 0, -1, true, '', 'x', [], {}, [[]], [null], { type: 'text' }];

  it.each(documents)('%s survives a wrong value in every place', (_, document) => {
    const source = memorySource(bytesOf(document), 'file');
    const format = detectFormat(readHead(source), 'file');
    const placed = { present: false, find: () => undefined };
    let tried = 0;
    for (const path of pathsOf(document)) {
      for (const value of odd) {
        const changed = structuredClone(document) as unknown;
        put(changed, path, value);
        const bytes = memorySource(bytesOf(changed), 'file');
        tried += 1;
        try {
          indexTranscript(bytes, format, { meter: METER, placed, id: 'main' });
        } catch (cause) {
          // A document without its messages is refused, never a fault.
          expect(cause).toMatchObject({ exitCode: 3 });
        }
      }
    }
    expect(tried).toBeGreaterThan(100);
  });

  it.each([
    '{"trajectory":[{"query":[{"role":"user","content":"a"}',
    '{"conversations":[{"from":"human","value":"a"}',
  ])('a torn document is refused: %s', (torn) => {
    const format = detectFormat(
      readHead(
        memorySource(
          bytesOf(
            torn.startsWith('{"t')
              ? sweAgent(true)
              : { conversations: [{ from: 'human', value: 'a' }] },
          ),
          'file',
        ),
      ),
      'file',
    );
    const placed = { present: false, find: () => undefined };
    expect(() =>
      indexTranscript(memorySource(Buffer.from(torn), 'file'), format, {
        meter: METER,
        placed,
        id: 'main',
      }),
    ).toThrow(expect.objectContaining({ exitCode: 3 }));
  });
});

type Path = readonly (string | number)[];

function pathsOf(value: unknown, above: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...above, Array.isArray(value) ? Number(key) : key];
    return [path, ...pathsOf(inner, path)];
  });
}

function put(root: unknown, path: Path, value: unknown): void {
  let at = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[path.at(-1) as string] = value;
}
