import { COMPACT, type JsonStyle, stringLiteral, styleOf } from '../../json/literal.ts';
import { elements, findPointer } from '../../json/scan.ts';
import type { GapEdit, Identity, Splice } from '../../model/splice.ts';
import type { GapEditor, GapIo } from '../format.ts';
import { cutElements } from './cut.ts';

export interface ArrayGapOptions {
  /** JSON of a user message that holds only the marker. */
  message(
    literal: string,
    identity: Identity,
    marker: string,
    style: JsonStyle,
    gap: GapEdit,
  ): string;
  /** JSON of a block that holds the marker, for a host message. */
  block?(literal: string, identity: Identity, marker: string, style: JsonStyle): string;
  /** Whether a block must stay in front of the marker (tool results come first). */
  leads?(element: Uint8Array): boolean;
}

/** Removes elements of a messages array, with their separators; the marker is a message or a block of a host. */
export function arrayGapEditor(options: ArrayGapOptions): GapEditor {
  return (gaps, io) => ({
    splices: [
      ...gaps.map((gap) =>
        gap.host !== undefined
          ? hosted(gap, io, options)
          : gap.before === undefined
            ? replaced(gap, io, options)
            : inserted(gap.before, gap, io, options),
      ),
      // All at once: whether an element is the first that stays depends on every gap of its array.
      ...cutElements(gaps.flatMap(leaving), io.records),
    ],
    places: gaps.map((gap) => ({ ref: gap.identity.ref })),
  });
}

/** Elements that leave without anything in their place. */
function leaving(gap: GapEdit): readonly number[] {
  return gap.host === undefined && gap.before === undefined ? gap.records.slice(1) : gap.records;
}

/** The first removed element becomes the marker. */
function replaced(gap: GapEdit, io: GapIo, options: ArrayGapOptions): Splice {
  const { records } = io;
  const [first] = gap.records as [number, ...number[]];
  const style = styleOf(io.read(records.start(first), records.end(first)));
  const literal = stringLiteral(gap.marker, style);
  const data = options.message(literal, gap.identity, gap.marker, style, gap);
  return { start: records.start(first), end: records.end(first), data };
}

/** The marker is a message of its own in front of another. */
function inserted(before: number, gap: GapEdit, io: GapIo, options: ArrayGapOptions): Splice {
  const at = io.records.start(before);
  const style = { ...COMPACT, ...styleOf(io.read(at, io.records.end(before))) };
  const message = options.message(
    stringLiteral(gap.marker, style),
    gap.identity,
    gap.marker,
    style,
    gap,
  );
  return { start: at, end: at, data: `${message}${style.comma}` };
}

/** The marker becomes a block at one end of the host's content. */
function hosted(gap: GapEdit, io: GapIo, options: ArrayGapOptions): Splice {
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
  return { start: start + place, end: start + place, data };
}
