import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { heuristicCounter } from '../../src/measure/heuristic.ts';
import { createMeter } from '../../src/measure/meter.ts';
import type { Block, Conversation, Message } from '../../src/model/conversation.ts';
import { NO_STASH } from '../../src/stash/placed.ts';

/** Records as the lines of a file. */
export function jsonLines(records: readonly unknown[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

/** The index of a file whose format is found by its content, or named. */
export function indexed(records: readonly unknown[], format?: string): Transcript {
  const source = memorySource(jsonLines(records), 'file.jsonl');
  return indexTranscript(source, detectFormat(readHead(source), 'file.jsonl', format), {
    meter: createMeter(heuristicCounter, 'anthropic'),
    placed: NO_STASH,
    id: 'main',
  });
}

/** The only conversation of a file. */
export function conversationOf({ conversations }: Transcript): Conversation {
  const [only] = conversations;
  if (only === undefined || conversations.length > 1) throw new Error('not one conversation');
  return only;
}

/** Records of the live messages, in the order in which they are sent. */
export function liveRecords(transcript: Transcript): (readonly number[])[] {
  return conversationOf(transcript).messages.flatMap((message) =>
    message.live ? [message.records] : [],
  );
}

/** The message that holds a record. */
export function messageAt(transcript: Transcript, record: number): Message {
  const found = conversationOf(transcript).messages.find(({ records }) => records.includes(record));
  if (found === undefined) throw new Error(`no message holds record ${record}`);
  return found;
}

/** The blocks of a record. */
export function blocksAt(transcript: Transcript, record: number): readonly Block[] {
  return conversationOf(transcript).blocks.filter((block) => block.record === record);
}

const WRONG: readonly unknown[] = [null, 7, 'text', [null], {}];

/** Copies of a file in which every value, down to some depth, is of a wrong type in turn. */
export function spoiled(records: readonly unknown[], depth = 4): unknown[][] {
  return records.flatMap((record, index) =>
    variants(record, depth).map((variant) => records.with(index, variant)),
  );
}

function variants(value: unknown, depth: number): unknown[] {
  const own = [...WRONG];
  if (depth === 0 || value === null || typeof value !== 'object') return own;
  const inner = Object.entries(value).flatMap(([key, part]) =>
    variants(part, depth - 1).map((variant) =>
      Array.isArray(value) ? value.with(Number(key), variant) : { ...value, [key]: variant },
    ),
  );
  return [...own, ...inner];
}
