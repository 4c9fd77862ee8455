import { jsonLiteral, styleOf } from '../../json/literal.ts';
import { members } from '../../json/scan.ts';
import type { GapEdit } from '../../model/splice.ts';
import type { GapEditor } from '../format.ts';
import { identityEntry } from '../identity.ts';
import { lineGapEditor } from '../lines/gap.ts';

/**
 * Removes response items; the marker is a user message item in the first one's place, with its ordinal: the
 * last record of a paginated file must have one, and gaps between ordinals are accepted (docs/formats/codex.md).
 */
export const codexGapEditor: GapEditor = lineGapEditor(markerLine);

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
