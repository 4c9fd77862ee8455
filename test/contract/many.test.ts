import { describe, expect, it } from 'vitest';
import { compact, restore, type Step } from '../../src/memory.ts';

/** More than a call takes arguments: nothing may be spread over them. */
const MESSAGES = 140_000;

const messages = Array.from({ length: MESSAGES }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `message ${at}`,
}));
const document = Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', messages }));

const when = '2026-01-01T00:00:00.000Z';
const said = (at: number, role: string, type: string) =>
  `{"timestamp":"${when}","type":"response_item","payload":{"type":"message","role":"${role}","content":[{"type":"${type}","text":"message ${at}"}]}}`;
/** A client compacted all but the last message. */
const compacted = Buffer.from(
  [
    `{"timestamp":"${when}","type":"session_meta","payload":{"id":"s","cwd":"/shop"}}`,
    ...messages.map((_, at) =>
      at % 2 === 0 ? said(at, 'user', 'input_text') : said(at, 'assistant', 'output_text'),
    ),
    `{"timestamp":"${when}","type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}]}}`,
    said(1, 'assistant', 'output_text'),
  ]
    .map((line) => `${line}\n`)
    .join(''),
);

const CASES: readonly (readonly [string, Buffer, readonly Step[]])[] = [
  ['all removed', document, [['drop', '*:preserveRecent=1']]],
  ['almost all dead', compacted, ['lossless']],
];

describe.each(CASES)('a session of very many messages, %s', (_name, bytes, steps) => {
  it('is compacted and restored', async () => {
    const done = await compact(bytes, { steps, counter: 'heuristic' });
    expect(done.report.blocks.length).toBeGreaterThanOrEqual(MESSAGES);
    if (done.stash !== null) expect(restore(done.bytes, done.stash).equals(bytes)).toBe(true);
  }, 60_000);
});
