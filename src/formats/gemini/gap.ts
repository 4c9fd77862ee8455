import { type JsonStyle, jsonLiteral, styleOf } from '../../json/literal.ts';
import { members } from '../../json/scan.ts';
import type { GapEdit } from '../../model/splice.ts';
import { arrayGapEditor } from '../array/gap.ts';
import { markerUuid } from '../claude-code/gap.ts';
import type { GapEditor } from '../format.ts';
import { identityEntry } from '../identity.ts';
import { lineGapEditor } from '../lines/gap.ts';

/** Removes lines of a Gemini CLI session; the marker is a user message with the first one's time. */
export const geminiLineGaps: GapEditor = lineGapEditor((gap, first) =>
  markerMessage(gap, first, styleOf(first)),
);

/** Removes messages of a session that is one document; the marker takes its time from the message there. */
export const geminiArrayGaps: GapEditor = (gaps, io) => {
  const edits = gaps.map((gap) => {
    const model = (gap.before ?? gap.records[0]) as number;
    const bytes = Buffer.from(io.read(io.records.start(model), io.records.end(model)));
    const message = (_literal: string, _identity: unknown, _marker: string, style: JsonStyle) =>
      markerMessage(gap, bytes, style);
    return arrayGapEditor({ message })([gap], io);
  });
  return {
    splices: edits.flatMap(({ splices }) => splices),
    places: edits.flatMap(({ places }) => places),
  };
};

function markerMessage(gap: GapEdit, model: Buffer, style: JsonStyle): string {
  const time = members(model, 0).findLast(({ key }) => key === 'timestamp');
  const timestamp = time === undefined ? undefined : model.toString('utf8', time.start, time.end);
  const { colon, comma } = style;
  const entries: (readonly [string, string])[] = [
    ['id', jsonLiteral(markerUuid(gap.identity.ref, timestamp ?? ''), style)],
    ...(timestamp === undefined ? [] : [['timestamp', timestamp] as const]),
    ['type', jsonLiteral('user', style)],
    ['content', jsonLiteral([{ text: gap.marker }], style)],
    [
      'ctx',
      jsonLiteral({ v: 1, offloaded: [identityEntry('/content/0/text', gap.identity)] }, style),
    ],
  ];
  return `{${entries.map(([key, raw]) => `${jsonLiteral(key)}${colon}${raw}`).join(comma)}}`;
}
