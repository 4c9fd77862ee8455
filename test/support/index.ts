import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource, type Source } from '../../src/load/source.ts';
import type { Meter } from '../../src/measure/meter.ts';
import type { Block, Conversation } from '../../src/model/conversation.ts';

/** Counts characters, so that a test can say what was counted. */
export const METER: Meter = {
  counter: 'heuristic',
  text: (text) => text.length,
  json: (value) => JSON.stringify(value)?.length ?? 0,
  media: () => ({ tokens: 7, known: true }),
};

function indexed(source: Source): Transcript {
  const format = detectFormat(readHead(source), 'file');
  const placed = { present: false, find: () => undefined };
  return indexTranscript(source, format, { meter: METER, placed, id: 'main' });
}

/** A value as the bytes of a document. */
export const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
/** Detects and indexes a document. */
export const index = (value: unknown): Transcript => indexed(memorySource(bytesOf(value), 'file'));

/** Detects and indexes a session folder. */
export function folder(files: Readonly<Record<string, unknown>>): Transcript {
  const parts = Object.values(files).map(bytesOf);
  let start = 0;
  const list = Object.keys(files).map((path, at) => {
    const file = { path, start, end: start + (parts[at] as Buffer).length };
    start = file.end;
    return file;
  });
  return indexed(memorySource(Buffer.concat(parts), 'folder', list));
}

/** The only conversation of a transcript. */
export const only = ({ conversations }: Transcript): Conversation =>
  conversations[0] as Conversation;

/** Each message as its role and its blocks, `+` for one that may be edited. */
export const outline = ({ messages, blocks }: Conversation): string[] =>
  messages.map(({ role, live, real, injected, blocks: own }) => {
    const flags = [live ? '' : 'dead ', real ? 'real ' : '', injected ? 'injected ' : ''].join('');
    const kinds = own.map((at) => {
      const { kind, shape } = blocks[at] as Block;
      return shape === undefined ? kind : `${kind}+`;
    });
    return `${flags}${role}: ${kinds.join(' ')}`;
  });

/** Its tool results. */
export const results = ({ blocks }: Conversation): Block[] =>
  blocks.filter(({ kind }) => kind === 'toolResult');
/** Group of every message. */
export const groups = ({ messages }: Conversation): number[] => messages.map(({ group }) => group);
