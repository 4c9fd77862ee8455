import { sha256Hex } from '../../hash/hash.ts';
import { jsonLiteral, styleOf } from '../../json/literal.ts';
import { findPointer, members } from '../../json/scan.ts';
import type { GapEdit } from '../../model/splice.ts';
import { identityEntry } from '../identity.ts';
import type { MarkerLines, TreePlace } from '../lines/tree-gap.ts';

/** Marker entries of pi: a user message, with the timestamps of the entry whose place it takes. */
export const PI_MARKERS: MarkerLines = { newId, line };

/** Eight hex digits, as the client makes them, and more where these are taken. */
function newId(ref: string, taken: ReadonlySet<string>): string {
  const hex = sha256Hex(`pi ${ref}`);
  for (let length = 8; length < hex.length; length += 1) {
    if (!taken.has(hex.slice(0, length))) return hex.slice(0, length);
  }
  return hex;
}

function line(edit: GapEdit, { id, parent }: TreePlace, model: Buffer): string {
  const style = styleOf(model);
  const text = (value: unknown) => jsonLiteral(value, style);
  const object = (entries: readonly (readonly [string, string])[]) =>
    `{${entries.map(([key, raw]) => `${text(key)}${style.colon}${raw}`).join(style.comma)}}`;
  const when = members(model, 0).findLast(({ key }) => key === 'timestamp');
  const sent = findPointer(model, 0, '/message/timestamp');
  const raw = (span: { start: number; end: number } | undefined) =>
    span === undefined
      ? []
      : [['timestamp', model.toString('utf8', span.start, span.end)] as const];
  return object([
    ['type', text('message')],
    ['id', text(id)],
    ['parentId', text(parent)],
    ...raw(when),
    [
      'message',
      object([
        ['role', text('user')],
        ['content', text([{ type: 'text', text: edit.marker }])],
        ...raw(sent),
      ]),
    ],
    ['ctx', text({ v: 1, offloaded: [identityEntry('/message/content/0/text', edit.identity)] })],
  ]);
}
