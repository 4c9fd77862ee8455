/** OpenCode sessions, made of rows, and what the index says of them. */

import type { DocumentFormat } from '../../src/formats/format.ts';
import { opencode } from '../../src/formats/opencode/export.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { createCounter } from '../../src/measure/counters.ts';
import { createMeter, type Meter } from '../../src/measure/meter.ts';
import type { Block, Message } from '../../src/model/conversation.ts';
import { NO_STASH } from '../../src/stash/placed.ts';

export const METER: Meter = createMeter(createCounter('heuristic'), 'other');
export const HIDDEN = '[Old tool result content cleared]';

export type Part = Record<string, unknown>;

/** An export of messages `[role, info, parts]`; ids and parents are made up in order. */
export function session(
  rows: readonly (readonly [role: string, parts: readonly Part[], info?: Part])[],
  info: Part = {},
): Record<string, unknown> {
  let parent = '';
  const messages = rows.map(([role, parts, extra = {}], at) => {
    const id = `msg_00000000000${at + 1}abcdefghijklmn`;
    if (role === 'user') parent = id;
    const own =
      role === 'user' ? { model: { providerID: 'p', modelID: 'm' } } : { parentID: parent };
    const placed = parts.map((part, place) => ({
      ...part,
      id: `prt_${at}${place}`,
      sessionID: 'ses_1',
      messageID: id,
    }));
    const time = { created: 1000 + at };
    return {
      info: { role, agent: 'build', time, ...own, id, sessionID: 'ses_1', ...extra },
      parts: placed,
    };
  });
  return { info: { id: 'ses_1', ...info }, messages };
}

export const text = (value: string, extra: Part = {}): Part => ({
  type: 'text',
  text: value,
  ...extra,
});
export const tool = (callID: string, state: Part): Part => ({
  type: 'tool',
  tool: 'bash',
  callID,
  state,
});
export const done = (output: string, extra: Part = {}, time: Part = {}): Part => ({
  status: 'completed',
  input: { command: 'ls' },
  output,
  title: 't',
  metadata: {},
  time: { start: 5, end: 9, ...time },
  ...extra,
});

export function index(document: unknown, format: DocumentFormat = opencode): Transcript {
  const source = memorySource(Buffer.from(JSON.stringify(document)));
  return indexTranscript(source, format, { meter: METER, placed: NO_STASH, id: 'main' });
}

/** Each message as `role:kinds`, dead ones in brackets. */
export function shape(transcript: Transcript): string[] {
  return transcript.conversations.flatMap(({ messages, blocks }) =>
    messages.map((message) => {
      const kinds = message.blocks.map((at) => blocks[at]?.kind).join(',');
      return message.live ? `${message.role}:${kinds}` : `(${message.role}:${kinds})`;
    }),
  );
}

export const blocksOf = ({ conversations }: Transcript): Block[] =>
  conversations.flatMap(({ blocks }) => [...blocks]);
export const messagesOf = ({ conversations }: Transcript): Message[] =>
  conversations.flatMap(({ messages }) => [...messages]);
