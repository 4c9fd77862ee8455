/** Indexes hand-made records without a stash, and what a format says about them. */
import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { heuristicCounter } from '../../src/measure/heuristic.ts';
import { createMeter } from '../../src/measure/meter.ts';
import type { Block, Conversation, Message } from '../../src/model/conversation.ts';
import { NO_STASH } from '../../src/stash/placed.ts';

export type Json = Record<string, unknown>;

export function jsonl(records: readonly unknown[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

export function indexed(bytes: Buffer, forced?: string): Transcript {
  const source = memorySource(bytes, 'file');
  const format = detectFormat(readHead(source), 'file', forced);
  const meter = createMeter(heuristicCounter, format.vendor);
  return indexTranscript(source, format, { meter, placed: NO_STASH, id: 'main' });
}

export function conversation(bytes: Buffer, forced?: string): Conversation {
  return indexed(bytes, forced).conversations[0] as Conversation;
}

export function live(found: Conversation): readonly Message[] {
  return found.messages.filter((message) => message.live);
}

/** Blocks of live messages: kind and pointer. */
export function sent(found: Conversation): string[] {
  return live(found).flatMap(({ blocks }) =>
    blocks.map((index) => {
      const { kind, record, pointer } = found.blocks[index] as Block;
      return `${kind} ${record} ${pointer ?? '-'}`;
    }),
  );
}

export function results(found: Conversation): Block[] {
  const indexes = new Set(live(found).flatMap(({ blocks }) => blocks));
  return found.blocks.filter(({ index, kind }) => kind === 'toolResult' && indexes.has(index));
}

/** Values that stand where an object, a list or a text belongs. */
export const WRONG: readonly unknown[] = [null, 1, true, '', 'x', [], [[]], {}, [null], [{}], [1]];

export const HEAD: Json = { sessionId: 's', projectHash: 'p', startTime: 't', lastUpdated: 't' };
export const LONG: string = Array.from(
  { length: 300 },
  (_, index) => `line ${index} of the output`,
).join('\n');

export const user = (id: string, text: string): Json => ({
  id,
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'user',
  content: [{ text }],
});
export const response = (id: string, output: unknown): Json => ({
  functionResponse: { id, name: 'read_file', response: { output } },
});
export const called = (id: string, output: unknown, more: Json = {}): Json => ({
  id,
  name: 'read_file',
  args: { file_path: 'a' },
  status: 'success',
  result: [response(id, output)],
  resultDisplay: output,
  ...more,
});
export const gemini = (id: string, content: unknown, toolCalls?: unknown): Json => ({
  id,
  timestamp: '2026-01-01T00:00:01.000Z',
  type: 'gemini',
  content,
  model: 'gemini-2.5-pro',
  tokens: { input: 1234 },
  ...(toolCalls === undefined ? {} : { toolCalls }),
});
export const answered = (id: string, ...parts: unknown[]): Json => ({
  id,
  type: 'user',
  content: parts,
});

/** A prompt, one call with its result in both places, an answer, a second prompt, an answer. */
export const SESSION: readonly Json[] = [
  HEAD,
  { $set: { messages: [user('c', '<session_context>\nhere')] } },
  user('u1', 'first'),
  gemini('g1', 'looking'),
  { $set: { lastUpdated: 't' } },
  gemini('g1', 'looking', [called('x', LONG)]),
  answered('r1', response('x', LONG)),
  gemini('g2', 'seen'),
  user('u2', 'second'),
  gemini('g3', 'done'),
];
