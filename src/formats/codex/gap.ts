import { jsonLiteral, styleOf } from '../../json/literal.ts';
import { members } from '../../json/scan.ts';
import type { GapEdit, Splice } from '../../model/splice.ts';
import type { GapEditor, GapIo } from '../format.ts';
import { identityEntry } from '../identity.ts';

/**
 * Removes response items; the marker is a user message item in the first one's place, with its ordinal: the
 * last record of a paginated file must have one, and gaps between ordinals are accepted (docs/formats/codex.md).
 */
export const codexGapEditor: GapEditor = (gaps, io) => ({
  splices: gaps.flatMap((gap) => removal(gap, io)),
  places: gaps.map((gap) => ({ ref: gap.identity.ref })),
});

function removal(gap: GapEdit, io: GapIo): Splice[] {
  const { records } = io;
  const first = (gap.before ?? gap.records[0]) as number;
  const bytes = Buffer.from(io.read(records.start(first), records.next(first)));
  const content = bytes.subarray(0, records.end(first) - records.start(first));
  const line = markerLine(gap, content) + bytes.subarray(content.length).toString('latin1');
  const cuts = gap.records.map((record) => ({
    start: records.start(record),
    end: records.next(record),
    data: gap.before === undefined && record === first ? line : '',
  }));
  const at = records.start(first);
  return gap.before === undefined ? cuts : [...cuts, { start: at, end: at, data: line }];
}

function markerLine(gap: GapEdit, first: Buffer): string {
  const style = styleOf(first);
  const found = members(first, 0);
  const wrapped = found.some((member) => member.key === 'payload');
  const text = (value: unknown) => jsonLiteral(value, style);
  const message = {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: gap.marker }],
  };
  const at = `${wrapped ? '/payload' : ''}/content/0/text`;
  const own = ['ctx', text({ v: 1, offloaded: [identityEntry(at, gap.identity)] })] as const;
  const envelope = found
    .filter((member) => ['timestamp', 'ordinal', 'type'].includes(member.key))
    .map((member) => [member.key, first.toString('utf8', member.start, member.end)] as const);
  const entries = wrapped
    ? [...envelope, ['payload', text(message)] as const, own]
    : [...Object.entries(message).map(([key, value]) => [key, text(value)] as const), own];
  return `{${entries.map(([key, raw]) => `${text(key)}${style.colon}${raw}`).join(style.comma)}}`;
}
