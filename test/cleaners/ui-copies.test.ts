import { describe, expect, it } from 'vitest';
import { compact } from '../../src/memory.ts';
import {
  BASH_TEXT,
  callLine,
  claude,
  GREP_TEXT,
  READ_TEXT,
  replyLine,
  resultLine,
  userLine,
} from '../support/session.ts';

const literal = JSON.stringify;
const raw = (value: object) => literal(value).slice(1, -1);
const SMALL = 'a short text';

/** Places of the strings that differ, `record/pointer`; everything else has to be equal, type for type. */
function changed(before: Uint8Array, after: Uint8Array): string[] {
  const [left, right] = [records(before), records(after)];
  expect(right.length).toBe(left.length);
  return left.flatMap((value, at) => {
    const { ctx, ...rest } = right[at] as { readonly ctx?: unknown };
    const places = differing(value, rest, String(at));
    // Our one key stands at the top of a record that was edited, and of no other.
    expect(ctx !== undefined).toBe(places.length > 0);
    return places;
  });
}

function records(bytes: Uint8Array): unknown[] {
  const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

function differing(left: unknown, right: unknown, base: string): string[] {
  if (Object.is(left, right)) return [];
  if (typeof left === 'string' && typeof right === 'string') return [base];
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    throw new Error(`another type at ${base}`);
  expect(Object.keys(right)).toEqual(Object.keys(left));
  return Object.entries(left).flatMap(([key, value]) =>
    differing(value, (right as Record<string, unknown>)[key], `${base}/${key}`),
  );
}

const claudeWith = (result: object, text = BASH_TEXT) =>
  claude([
    userLine(1, null, 'Go.'),
    callLine(2, 1, 'msg_1', 't1', 'Bash'),
    resultLine(3, 2, 't1', literal(text), { raw: raw({ toolUseResult: result }) }),
    replyLine(4, 3, 'msg_2', { type: 'text', text: BASH_TEXT }),
  ]);

const progress = literal({
  type: 'progress',
  uuid: '5a3b1c00-0000-4000-8000-000000000009',
  parentUuid: '5a3b1c00-0000-4000-8000-000000000004',
  data: { type: 'bash_progress', output: SMALL, fullOutput: BASH_TEXT, totalLines: 400 },
});
const backups = literal({
  type: 'file-history-snapshot',
  messageId: 'm',
  snapshot: { trackedFileBackups: { 'a.ts': { content: READ_TEXT, version: 1 } } },
});

const codex = (payload: object) =>
  Buffer.from(
    [
      { type: 'session_meta', payload: { id: 's', cwd: '/shop', originator: 'codex_cli' } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      },
      { type: 'event_msg', payload },
      {
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: BASH_TEXT }],
        },
      },
    ]
      .map((line) => `${literal({ timestamp: '2026-01-01T00:00:00.000Z', ...line })}\n`)
      .join(''),
  );

const CASES: readonly (readonly [string, string, Buffer, string[]])[] = [
  [
    'the output of a command',
    '',
    claudeWith({ stdout: BASH_TEXT, stderr: '', interrupted: false, isImage: false }),
    ['2/toolUseResult/stdout'],
  ],
  [
    'a file that was read, and one before its edit',
    '',
    claudeWith({
      type: 'text',
      file: { filePath: 'a.ts', content: READ_TEXT },
      originalFile: GREP_TEXT,
    }),
    ['2/toolUseResult/file/content', '2/toolUseResult/originalFile'],
  ],
  [
    'lines of a patch',
    '',
    claudeWith({ structuredPatch: [{ oldStart: 1, lines: [SMALL, READ_TEXT] }] }),
    ['2/toolUseResult/structuredPatch/0/lines/1'],
  ],
  ['a copy that is small', '', claudeWith({ stdout: SMALL }), []],
  ['a copy below the least size', 'minBytes=100000', claudeWith({ stdout: BASH_TEXT }), []],
  [
    'a copy over a smaller least size',
    'minBytes=300',
    claudeWith({ stdout: 'y'.repeat(310) }),
    ['2/toolUseResult/stdout'],
  ],
  ['progress', '', claude([...claudeLine(), progress]), ['2/data/fullOutput']],
  [
    'backups of files',
    '',
    claude([...claudeLine(), backups]),
    ['2/snapshot/trackedFileBackups/a.ts/content'],
  ],
  [
    'what an event repeats of an output',
    '',
    codex({ type: 'exec_command_end', call_id: 'c', aggregated_output: BASH_TEXT, exit_code: 0 }),
    ['2/payload/aggregated_output'],
  ],
  [
    'what an event repeats of a person',
    '',
    codex({ type: 'user_message', message: BASH_TEXT }),
    [],
  ],
  [
    'what an event repeats of the model',
    '',
    codex({ type: 'agent_message', message: BASH_TEXT }),
    [],
  ],
];

function claudeLine(): string[] {
  return [userLine(1, null, 'Go.'), replyLine(2, 1, 'msg_1', { type: 'text', text: BASH_TEXT })];
}

describe.each(CASES)('ui-copies: %s', (_name, options, bytes, expected) => {
  it('shortens these strings and no other, and claims no tokens', async () => {
    const done = await compact(bytes, { steps: [['ui-copies', options]] });
    expect(changed(bytes, done.bytes)).toEqual(expected);
    expect(done.report.tokens.saved).toBe(0);
    expect(done.bytes.length).toBeLessThanOrEqual(bytes.length);
  });
});
