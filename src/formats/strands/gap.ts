import { type JsonStyle, jsonLiteral } from '../../json/literal.ts';
import { withoutRef } from '../../marker/marker.ts';
import type { Identity } from '../../model/splice.ts';
import { arrayGapEditor } from '../array/gap.ts';
import type { GapEditor } from '../format.ts';
import { offloadedMetadata } from '../identity.ts';

/** Gap editor of Converse-shaped arrays: roles alternate, so a marker is a block of a user message if it can be. */
export function converseGaps(typed: boolean): GapEditor {
  const block = (literal: string, identity: Identity, marker: string, style: JsonStyle) =>
    `{"text"${style.colon}${literal}${typed ? `${style.comma}${metadataMember(identity, marker, style)}` : ''}}`;
  return arrayGapEditor({
    block,
    message: (literal, identity, marker, style) => {
      const { colon, comma } = style;
      return `{"role"${colon}"user"${comma}"content"${colon}[${block(literal, identity, marker, style)}]}`;
    },
    leads: (element) =>
      /^\s*\{\s*"toolResult"/.test(Buffer.from(element.subarray(0, 40)).toString('latin1')),
  });
}

/** The `"metadata":{"offloaded":…}` member of a typed block. */
function metadataMember(identity: Identity, marker: string, style: JsonStyle): string {
  const preview = withoutRef(marker);
  return `"metadata"${style.colon}${jsonLiteral({ offloaded: offloadedMetadata(identity, preview) }, style)}`;
}
