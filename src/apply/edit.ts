import type { Dialect } from '../formats/format.ts';
import { type JsonStyle, stringLiteral } from '../json/literal.ts';
import { decodeString, findPointer, members, type Span, utf8 } from '../json/scan.ts';
import type { Slot } from '../model/conversation.ts';
import type { Splice } from '../model/splice.ts';
import type { Content } from './content.ts';

export interface EditOptions {
  readonly dialect: Dialect;
  readonly style: JsonStyle;
  /** Member that makes the placeholder typed, for formats that keep it on the block. */
  readonly member?: string;
}

/**
 * Splices that put `text` in the place of a block's content, relative to the record. Only the bytes of the
 * edited values change; a string stays a string and a list stays a list.
 */
export function editBlock(
  record: Uint8Array,
  slot: Slot,
  content: Content,
  text: string,
  options: EditOptions,
): Splice[] {
  const { style, member } = options;
  const literal = stringLiteral(text, style);
  const [piece] = content.pieces;
  if (piece === undefined)
    throw new Error(`record ${slot.record} has no content at ${slot.pointer}`);
  switch (slot.shape) {
    case 'string':
      return [put(piece, literal), ...typed(record, parentOf(slot.pointer), member)];
    case 'nested': {
      const data = stringLiteral(
        nestedEdit(decodeString(record, piece.start, piece.end), text),
        style,
      );
      return [put(piece, data)];
    }
    case 'element':
      return [put(piece, textElement(record, piece, literal, options))];
    case 'items':
      return editItems(record, slot, content, literal, options);
    default:
      return slot.shape satisfies never;
  }
}

/** A text in the place of a whole element. */
function textElement(
  record: Uint8Array,
  { start, end }: Span,
  literal: string,
  { dialect, member }: EditOptions,
): string {
  if (dialect.textInstead === undefined) return dialect.textItem(literal, member);
  return dialect.textInstead(literal, JSON.parse(utf8(record, start, end)));
}

function editItems(
  record: Uint8Array,
  slot: Slot,
  content: Content,
  literal: string,
  options: EditOptions,
): Splice[] {
  const [first, ...rest] = content.chosen;
  const piece = content.pieces[0] as Span & { pointer: string };
  const item = `${slot.pointer}/${first}`;
  const inItem = piece.pointer !== item;
  const head = inItem
    ? [put(piece, literal), ...typed(record, item, options.member)]
    : [put(piece, options.dialect.textItem(literal, options.member))];
  // The others go with the separator in front of them: one item always stands before.
  const gone = rest.map((index) => {
    const before = content.items[index - 1] as Span;
    return { start: before.end, end: (content.items[index] as Span).end, data: '' };
  });
  return [...head, ...gone];
}

function put(span: Span, data: string): Splice {
  return { start: span.start, end: span.end, data };
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Adds the identity member to the object at a pointer, inside its `metadata` when it has one. */
function typed(record: Uint8Array, pointer: string, member: string | undefined): Splice[] {
  if (member === undefined) return [];
  const object = findPointer(record, 0, pointer);
  if (object === undefined) throw new Error(`no object at ${pointer}`);
  const found = members(record, object.start).findLast(({ key }) => key === 'metadata');
  if (found === undefined || record[found.start] !== 0x7b) {
    return found === undefined ? [insertLast(record, object, member)] : [];
  }
  // `"metadata":{"offloaded":…}` goes into the existing object as `"offloaded":…`.
  const inner = Buffer.from(member);
  const value = findPointer(inner, inner.indexOf(0x7b), '') as Span;
  return [insertLast(record, found, utf8(inner, value.start + 1, value.end - 1))];
}

function insertLast(record: Uint8Array, object: Span, member: string): Splice {
  const last = members(record, object.start).at(-1);
  const at = last?.end ?? object.start + 1;
  return { start: at, end: at, data: last === undefined ? member : `,${member}` };
}

/** Old Codex outputs: only the inner text changes, the JSON around it stays as it was. */
function nestedEdit(inner: string, text: string): string {
  const bytes = Buffer.from(inner);
  const span = findPointer(bytes, 0, '/output') as Span;
  return utf8(bytes, 0, span.start) + stringLiteral(text) + utf8(bytes, span.end);
}
