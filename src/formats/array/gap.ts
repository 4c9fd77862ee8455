import { COMPACT, type JsonStyle, stringLiteral, styleOf } from '../../json/literal.ts';
import { elements, findPointer } from '../../json/scan.ts';
import type { GapEdit, Identity, Splice } from '../../model/splice.ts';
import type { GapEditor, GapIo } from '../format.ts';

export interface ArrayGapOptions {
  /** JSON of a user message that holds only the marker. */
  message(literal: string, identity: Identity, marker: string, style: JsonStyle): string;
  /** JSON of a block that holds the marker, for a host message. */
  block?(literal: string, identity: Identity, marker: string, style: JsonStyle): string;
  /** Whether a block must stay in front of the marker (tool results come first). */
  leads?(element: Uint8Array): boolean;
}

/** Removes elements of a messages array, with their separators; the marker is a message or a block of a host. */
export function arrayGapEditor(options: ArrayGapOptions): GapEditor {
  return (gaps, io) => ({
    splices: gaps.flatMap((gap) =>
      gap.host !== undefined
        ? hosted(gap, io, options)
        : gap.before === undefined
          ? replaced(gap, io, options)
          : inserted(gap, gap.before, io, options),
    ),
    places: gaps.map((gap) => ({ ref: gap.identity.ref })),
  });
}

/** The first removed element becomes the marker; the others go with the separator before them. */
function replaced(gap: GapEdit, io: GapIo, options: ArrayGapOptions): Splice[] {
  const { records } = io;
  const [first, ...rest] = gap.records as [number, ...number[]];
  const style = styleOf(io.read(records.start(first), records.end(first)));
  const data = options.message(stringLiteral(gap.marker, style), gap.identity, gap.marker, style);
  const head = { start: records.start(first), end: records.end(first), data };
  return [head, ...rest.map((record) => cut(record, io))];
}

/** The marker is a message of its own in front of another; what it takes up goes. */
function inserted(gap: GapEdit, before: number, io: GapIo, options: ArrayGapOptions): Splice[] {
  const at = io.records.start(before);
  const style = { ...COMPACT, ...styleOf(io.read(at, io.records.end(before))) };
  const message = options.message(
    stringLiteral(gap.marker, style),
    gap.identity,
    gap.marker,
    style,
  );
  const added = { start: at, end: at, data: `${message}${style.comma}` };
  return [...gap.records.map((record) => cut(record, io)), added];
}

/** All elements go; the marker becomes a block at one end of the host's content. */
function hosted(gap: GapEdit, io: GapIo, options: ArrayGapOptions): Splice[] {
  const { record, end } = gap.host as NonNullable<GapEdit['host']>;
  const start = io.records.start(record);
  const bytes = Buffer.from(io.read(start, io.records.end(record)));
  const content = ['/content', '/message/content', '/parts']
    .map((pointer) => findPointer(bytes, 0, pointer))
    .find((span) => span !== undefined);
  const items = content === undefined ? [] : elements(bytes, content.start);
  if (items.length === 0 || options.block === undefined)
    throw new Error(`record ${record} can't take a marker`);
  const style = { ...COMPACT, ...styleOf(bytes) };
  const block = options.block(stringLiteral(gap.marker, style), gap.identity, gap.marker, style);
  const leading = items.findIndex(
    (item) => options.leads?.(bytes.subarray(item.start, item.end)) !== true,
  );
  const index = end === 'last' || leading < 0 ? items.length : leading;
  const next = items[index];
  const place = next?.start ?? (items.at(-1) as { end: number }).end;
  const data = next === undefined ? `${style.comma}${block}` : `${block}${style.comma}`;
  return [
    { start: start + place, end: start + place, data },
    ...gap.records.map((removed) => cut(removed, io)),
  ];
}

/** An element with the separator before it, or after it when it is the first of its array. */
function cut(record: number, io: GapIo): Splice {
  const { records } = io;
  const start = record === 0 ? records.start(record) : records.end(record - 1);
  const end = record === 0 ? records.start(record + 1) : records.end(record);
  return { start, end, data: '' };
}
