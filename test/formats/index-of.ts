/** Indexes bytes of a transcript with sizes that are easy to foresee. */

import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import type { Compacted } from '../../src/index.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { createCounter } from '../../src/measure/counters.ts';
import { createMeter } from '../../src/measure/meter.ts';
import { restoreBlocks } from '../../src/restore-blocks.ts';
import { NO_STASH } from '../../src/stash/placed.ts';
import { readRuns, stashFromBytes } from '../../src/stash/store.ts';

/** The transcript of a value, as JSON; or of text as it is. */
export function indexOf(value: unknown, forced?: string): Transcript {
  const source = memorySource(Buffer.from(textOf(value)), 'file');
  const format = detectFormat(readHead(source), 'file', forced);
  const meter = createMeter(createCounter('heuristic'), format.vendor);
  return indexTranscript(source, format, { meter, placed: NO_STASH, id: 'main' });
}

/** Name of the format that wins, or the code of the error. */
export function formatOf(value: unknown): string {
  const source = memorySource(Buffer.from(textOf(value)), 'file');
  try {
    return detectFormat(readHead(source), 'file').name;
  } catch (cause) {
    return (cause as { code: string }).code;
  }
}

/** One row a block: message, kind, tokens, and what is special about it. */
export function rows({ conversations }: Transcript): string[] {
  return conversations.flatMap(({ blocks, messages }) =>
    blocks.map((block) => {
      const message = messages[block.message];
      const marks = [
        message?.live === true ? '' : 'dead',
        block.signed ? 'signed' : '',
        block.shape === undefined ? 'sealed' : `${block.shape} ${block.pointer}`,
        block.isError === undefined ? '' : `error=${block.isError}`,
        block.pending === undefined ? '' : `pending=${block.pending}`,
      ];
      return [block.message, block.kind, ...marks].filter((mark) => mark !== '').join(' ');
    }),
  );
}

/** Indexes of the real user turns. */
export function realTurns({ conversations: [conversation] }: Transcript): number[] {
  return (conversation?.messages ?? []).filter(({ real }) => real).map(({ index }) => index);
}

/** JSON Lines of records. */
export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Values of every JSON type, to put where others belong. */
const WRONG: readonly unknown[] = [null, true, 0, -1.5, '', 'text', [], [null], {}, { a: [] }];

/** A record with every value at every depth replaced in turn by values of other types. */
export function distorted(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object') return [...WRONG];
  const keys = Array.isArray(value) ? [...value.keys()].map(String) : Object.keys(value);
  return keys.flatMap((key) =>
    [...WRONG, ...distorted((value as Record<string, unknown>)[key])].map((member) => {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = member;
      return copy;
    }),
  );
}

/** What restore makes of an output that a client printed anew, as a value. */
export function restoreRewritten(
  { bytes, stash }: Compacted,
  print: (value: unknown) => string = (value) => JSON.stringify(value, null, 1),
): unknown {
  const opened = stashFromBytes(stash as Buffer);
  const printed = memorySource(Buffer.from(print(JSON.parse(bytes.toString()))), 'file');
  const made = restoreBlocks(printed, opened, readRuns(opened), undefined);
  if (made.lost.length > 0) throw new Error(`lost: ${made.lost.join()}`);
  return JSON.parse(Buffer.from(made.bytes.read(0, made.bytes.size)).toString());
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
