import { expect, it } from 'vitest';
import { tokensOf } from '../masking/build.ts';
import { useFolder } from '../support/cli.ts';
import { lines } from '../support/read.ts';
import { callLine, claude, replyLine, resultLine, userLine } from '../support/session.ts';
import { chain, compacted } from './support.ts';

useFolder();

const TASK = 'Mend the importer. Rule of this job: never touch the table invoices_2024.';
const SECOND = 'Go on. You must ask me before you push, and only use port 8081.';
const INJECTED =
  '<system-reminder>\nContents of /shop/CLAUDE.md (project instructions):\nTabs, never spaces. ' +
  `${tokensOf(400, 'house rule')}\n</system-reminder>`;
const RULES = `1\tTabs, never spaces.\n2\t${tokensOf(2600, 'agreed rule')}`;

/** Rules in every place where a session has them, among results that are large and old. */
function session(): Buffer {
  const noise = (round: number) => {
    const id = `n${round}`;
    return [
      (at: number, from: number) =>
        callLine(at, from, `msg_n${round}`, id, 'Read', { file_path: `/shop/src/${round}.js` }),
      (at: number, from: number) =>
        resultLine(at, from, id, JSON.stringify(tokensOf(3000, `noise_${round}`))),
      (at: number, from: number) =>
        replyLine(at, from, `msg_r${round}`, { type: 'text', text: `I have read part ${round}.` }),
    ];
  };
  const rounds = Array.from({ length: 14 }, (_, round) => round);
  return claude(
    chain([
      (at) => userLine(at, null, TASK),
      (at, from) => userLine(at, from, INJECTED, { raw: '"isMeta":true' }),
      (at, from) => callLine(at, from, 'msg_c', 'c1', 'Read', { file_path: '/shop/CLAUDE.md' }),
      (at, from) => resultLine(at, from, 'c1', JSON.stringify(RULES)),
      (at, from) => replyLine(at, from, 'msg_d', { type: 'text', text: 'I know the rules.' }),
      ...rounds.slice(0, 7).flatMap(noise),
      (at, from) => userLine(at, from, SECOND),
      ...rounds.slice(7).flatMap(noise),
      (at, from) => userLine(at, from, 'And the tests?'),
      (at, from) => replyLine(at, from, 'msg_y', { type: 'text', text: 'They pass.' }),
      (at, from) => userLine(at, from, 'Thanks.'),
      (at, from) => replyLine(at, from, 'msg_z', { type: 'text', text: 'Welcome.' }),
    ]),
  );
}

const PRESETS = [
  ['auto', 14],
  ['agentic', 0],
  ['largeToolOffloading', 14],
  ['staleToolCleanup', 9],
  ['observation-masking', 14],
  ['observation-masking-agentic', 13],
  ['structured-summary', 14],
  ['algorithmic', 14],
  ['lossless', 0],
  ['lean', 4],
  ['archive', 14],
] as const;

/** What the records of the file say to a model, in order. */
function contents(bytes: Uint8Array): unknown[] {
  return lines(bytes).map(({ message }) => (message as { content: unknown }).content);
}

it.each(PRESETS)(
  '%s takes %i of 14 outputs and leaves rules, rule files and user text verbatim (report 89)',
  async (preset, taken) => {
    const done = await compacted('s.jsonl', session(), ['--preset', preset]);
    const results = done.report.blocks.filter(({ kind }) => kind === 'toolResult');
    expect(results.filter(({ action }) => action !== 'kept')).toHaveLength(taken);
    const said = contents(done.bytes);
    const rules = { type: 'tool_result', tool_use_id: 'c1', content: RULES };
    for (const kept of [TASK, INJECTED, [rules], SECOND, 'And the tests?', 'Thanks.'])
      expect(said).toContainEqual(kept);
    expect(results[0]).toMatchObject({ action: 'kept', callId: 'c1' });
  },
);

it.each(['agentic', 'overflowProtection', 'native-history'])(
  '%s takes 44 messages of a full window and leaves the task and the rule files (report 89)',
  async (preset) => {
    const done = await compacted('s.jsonl', session(), ['--preset', preset, '--window', '30000']);
    const rows = done.report.blocks.filter(({ action }) => action !== 'kept');
    const gone = new Set(
      rows.filter(({ tokensBefore }) => tokensBefore > 0).map((row) => row.message),
    );
    expect(gone.size).toBe(44);
    const said = contents(done.bytes);
    const rules = { type: 'tool_result', tool_use_id: 'c1', content: RULES };
    for (const kept of [TASK, INJECTED, [rules]]) expect(said).toContainEqual(kept);
    const row = done.report.blocks.find(
      ({ callId, kind }) => callId === 'c1' && kind === 'toolResult',
    );
    expect(row).toMatchObject({ reason: 'protected', rule: 'rule file CLAUDE.md' });
  },
);

const SYSTEM = 'You are careful. You must never delete a file that you did not make.';
const LARGE = tokensOf(5000, 'output');

it.each([
  ['the system text of a Messages body', { system: SYSTEM }, []],
  ['the system message of a Chat Completions body', {}, [{ role: 'system', content: SYSTEM }]],
  [
    'the developer message of a Chat Completions body',
    {},
    [{ role: 'developer', content: SYSTEM }],
  ],
])('%s stays whatever is dropped (report 89)', async (_place, top, first) => {
  const spoken = Array.from({ length: 12 }, (_, turn) => [
    { role: 'user', content: `Question ${turn}. ${tokensOf(300, 'ask')}` },
    { role: 'assistant', content: `Answer ${turn}. ${LARGE}` },
  ]);
  const body = { model: 'gpt-4o', ...top, messages: [...first, ...spoken.flat()] };
  const argv = ['--drop', '*:preserveRecent=1', '--emergency', '--window', '8000'];
  const format = first.length === 0 ? 'anthropic' : 'openai-chat';
  const done = await compacted('s.json', Buffer.from(JSON.stringify(body)), [
    ...argv,
    '--format',
    format,
  ]);
  const written = JSON.parse(done.text) as typeof body;
  expect(written.messages.length).toBeLessThan(6);
  expect({ ...written, messages: written.messages.slice(0, first.length) }).toEqual({
    ...body,
    messages: first,
  });
});
