import type { Transcript } from '../indexing/transcript.ts';
import { decodeString, findPointer } from '../json/scan.ts';
import type { Splice } from '../model/splice.ts';

/** Further items, each with the separator before it. */
export function listed(pieces: readonly Buffer[]): Buffer {
  return Buffer.concat(pieces.flatMap((piece) => [COMMA, piece]));
}

export const COMMA: Buffer = Buffer.from(',');

/** A splice of a record as one of the file. */
export function moved({ start, end, data }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, data };
}

/** Start and bytes of a record. */
export function recordOf(transcript: Transcript, record: number): { start: number; bytes: Buffer } {
  const { records, source } = transcript;
  const start = records.start(record);
  return { start, bytes: Buffer.from(source.read(start, records.end(record))) };
}

/** The string at a pointer of a record, if there is one. */
export function textAt(bytes: Buffer, pointer: string): string | undefined {
  const span = findPointer(bytes, 0, pointer);
  return span === undefined || bytes[span.start] !== 0x22
    ? undefined
    : decodeString(bytes, span.start, span.end);
}
