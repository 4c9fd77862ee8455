import type { GapEdit, Splice } from '../../model/splice.ts';
import type { GapEditor, GapIo } from '../format.ts';

/**
 * Removes lines; the marker is a line of its own in the place of the first one, or before a given one, with that
 * line's end. `markerLine` makes it from the bytes of the line that it takes over from.
 */
export function lineGapEditor(markerLine: (gap: GapEdit, model: Buffer) => string): GapEditor {
  return (gaps, io, cuts = []) => ({
    splices: [
      ...gaps.flatMap((gap) => lineSplices(gap, io, (model) => markerLine(gap, model))),
      ...cuts.map((record) => cutLine(record, io)),
    ],
    places: gaps.map((gap) => ({ ref: gap.identity.ref })),
  });
}

/** A line that goes without a trace. */
export function cutLine(record: number, { records }: GapIo): Splice {
  return { start: records.start(record), end: records.next(record), data: '' };
}

/** The splices of one gap: its lines go, the marker's line comes. */
export function lineSplices(
  { before, records: removed }: GapEdit,
  { records, read }: GapIo,
  markerLine: (model: Buffer) => string,
): Splice[] {
  const first = (before ?? removed[0]) as number;
  const bytes = Buffer.from(read(records.start(first), records.next(first)));
  const content = bytes.subarray(0, records.end(first) - records.start(first));
  const line = markerLine(content) + bytes.subarray(content.length).toString('latin1');
  const cuts = removed.map((record) => ({
    start: records.start(record),
    end: records.next(record),
    data: before === undefined && record === first ? line : '',
  }));
  const at = records.start(first);
  return before === undefined ? cuts : [...cuts, { start: at, end: at, data: line }];
}
