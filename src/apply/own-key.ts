import type { IdentityEntry } from '../formats/identity.ts';
import { isOwnKey } from '../formats/typed.ts';
import { type JsonStyle, jsonLiteral, stringLiteral } from '../json/literal.ts';
import { decodeString, elements, findPointer, members, type Span, utf8 } from '../json/scan.ts';
import type { Splice } from '../model/splice.ts';
import { afterCuts, type CutElements } from './elements.ts';

/**
 * Adds entries to the record's own `ctx` key, or the key itself, and lets its entries follow what moved; a foreign
 * `ctx` key is left alone.
 */
export function keySplices(
  bytes: Buffer,
  added: readonly IdentityEntry[],
  gone: CutElements,
  style: JsonStyle,
): Splice[] {
  const entries = added.map((entry) => ({ ...entry, at: afterCuts(entry.at, gone) }));
  const found = members(bytes, 0);
  const last = found.at(-1);
  const own = found.findLast(({ key }) => key === 'ctx');
  const literals = entries.map((entry) => jsonLiteral(entry, style)).join(style.comma);
  if (last === undefined) return [];
  if (own === undefined) {
    if (entries.length === 0) return [];
    const value = `{${jsonLiteral('v')}${style.colon}1${style.comma}${jsonLiteral('offloaded')}${style.colon}[${literals}]}`;
    return [
      {
        start: last.end,
        end: last.end,
        data: `${style.comma}${jsonLiteral('ctx')}${style.colon}${value}`,
      },
    ];
  }
  if (!isOwnKey(JSON.parse(utf8(bytes, own.start, own.end)))) return [];
  const list = findPointer(bytes, own.start, '/offloaded') as Span;
  const held = elements(bytes, list.start);
  const moved = held.flatMap(({ start }) => movedEntry(bytes, start, gone));
  const { end } = held.at(-1) as Span;
  if (entries.length === 0) return moved;
  return [...moved, { start: end, end, data: `${style.comma}${literals}` }];
}

/** The place of an entry, where an element before it goes. */
function movedEntry(bytes: Buffer, entry: number, gone: CutElements): Splice[] {
  const span = findPointer(bytes, entry, '/at');
  const at = span === undefined ? undefined : decodeString(bytes, span.start, span.end);
  if (span === undefined || at === undefined || afterCuts(at, gone) === at) return [];
  return [{ ...span, data: stringLiteral(afterCuts(at, gone)) }];
}
