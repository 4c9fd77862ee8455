import type { Transcript } from '../indexing/transcript.ts';
import { decodeString, findPointer, type Span } from '../json/scan.ts';
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

/** Removes one of several members or elements with the separator beside it. */
export function without(
  spans: readonly (Span & { readonly keyStart?: number })[],
  index: number,
): Splice {
  const from = (at: number) => spans[at]?.keyStart ?? (spans[at] as Span).start;
  if (index > 0)
    return { start: (spans[index - 1] as Span).end, end: (spans[index] as Span).end, data: '' };
  if (spans.length > 1) return { start: from(0), end: from(1), data: '' };
  return { start: from(0), end: (spans[0] as Span).end, data: '' };
}

/** Start and bytes of a record. */
export function recordOf(transcript: Transcript, record: number): { start: number; bytes: Buffer } {
  const { records, source } = transcript;
  const start = records.start(record);
  return { start, bytes: Buffer.from(source.read(start, records.end(record))) };
}

/** Removes some of several elements with their separators; at least one stays. */
export function withoutSome(spans: readonly Span[], gone: ReadonlySet<number>): Splice[] {
  const firstKept = spans.findIndex((_, index) => !gone.has(index));
  const head =
    firstKept === 0
      ? []
      : [{ start: (spans[0] as Span).start, end: (spans[firstKept] as Span).start, data: '' }];
  const rest = spans.flatMap(({ end }, index) =>
    index > firstKept && gone.has(index)
      ? [{ start: (spans[index - 1] as Span).end, end, data: '' }]
      : [],
  );
  return [...head, ...rest];
}

/** The string at a pointer of a record, if there is one. */
export function textAt(bytes: Buffer, pointer: string): string | undefined {
  const span = findPointer(bytes, 0, pointer);
  return span === undefined || bytes[span.start] !== 0x22
    ? undefined
    : decodeString(bytes, span.start, span.end);
}
