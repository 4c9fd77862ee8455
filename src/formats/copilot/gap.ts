import { sha256Hex } from '../../hash/hash.ts';
import { jsonLiteral, styleOf } from '../../json/literal.ts';
import { members } from '../../json/scan.ts';
import type { GapEdit } from '../../model/splice.ts';
import type { MarkerLines, TreePlace } from '../lines/tree-gap.ts';

/** Marker events of Copilot CLI: a user message, with the timestamp of the event whose place it takes. */
export const COPILOT_MARKERS: MarkerLines = { newId, line };

/** A uuid in the layout of version 4: the same on any machine. */
function newId(ref: string): string {
  const hex = sha256Hex(`copilot ${ref}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function line(edit: GapEdit, { id, parent }: TreePlace, model: Buffer): string {
  const style = styleOf(model);
  const text = (value: unknown) => jsonLiteral(value, style);
  const when = members(model, 0).findLast(({ key }) => key === 'timestamp');
  const entries: (readonly [string, string])[] = [
    ['type', text('user.message')],
    ['data', text({ content: edit.marker })],
    ['id', text(id)],
    ...(when === undefined
      ? []
      : [['timestamp', model.toString('utf8', when.start, when.end)] as const]),
    ['parentId', text(parent)],
  ];
  return `{${entries.map(([key, raw]) => `${text(key)}${style.colon}${raw}`).join(style.comma)}}`;
}
