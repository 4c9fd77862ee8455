import type { Dialect } from '../formats/format.ts';
import { stringAt } from '../formats/value.ts';
import { decodeString, elements, findPointer, type Span, utf8 } from '../json/scan.ts';
import type { MediaKind, Slot } from '../model/conversation.ts';
import type { PieceSpan } from '../model/splice.ts';
import type { Scope } from '../plan/decision.ts';

/** The content of one block, read from its record: what it says and which bytes it consists of. */
export interface Content {
  /** Texts joined by a newline. */
  readonly text: string;
  /** How many textual items there are. */
  readonly texts: number;
  readonly media: readonly MediaKind[];
  /** Spans that leave the transcript, relative to the record. */
  readonly pieces: readonly PieceSpan[];
  /** Where the items lie (shape `items`), and which of them leave. */
  readonly items: readonly Span[];
  readonly chosen: readonly number[];
}

/**
 * Reads a block's content. `scope` says what an edit takes: `text` leaves media inside a tool result in place.
 * `record` holds the record's bytes; spans are relative to it.
 */
export function readContent(
  record: Uint8Array,
  slot: Slot,
  dialect: Dialect,
  scope: Scope,
): Content {
  const span = findPointer(record, 0, slot.pointer);
  if (span === undefined) throw new Error(`record ${slot.record} has nothing at ${slot.pointer}`);
  const whole = { record: slot.record, pointer: slot.pointer, ...span };
  const single = { texts: 1, media: [], pieces: [whole], items: [], chosen: [] };
  switch (slot.shape) {
    case 'string':
      // Media beside a string are no part of it.
      if (scope === 'media') return { ...single, texts: 0, text: '', pieces: [] };
      return { ...single, text: decodeString(record, span.start, span.end) };
    case 'nested':
      return { ...single, text: nestedText(decodeString(record, span.start, span.end)) };
    case 'element': {
      const media = dialect.itemMedia(JSON.parse(utf8(record, span.start, span.end)));
      return { ...single, texts: 0, text: '', media: media === undefined ? [] : [media.kind] };
    }
    case 'items':
      return readItems(record, slot, span, dialect, scope);
    default:
      return slot.shape satisfies never;
  }
}

function readItems(
  record: Uint8Array,
  slot: Slot,
  span: Span,
  dialect: Dialect,
  scope: Scope,
): Content {
  const items = elements(record, span.start);
  const texts: string[] = [];
  const media: MediaKind[] = [];
  const chosen: number[] = [];
  const pieces: PieceSpan[] = [];
  for (const [index, item] of items.entries()) {
    const value: unknown = JSON.parse(utf8(record, item.start, item.end));
    const text = dialect.itemText(value);
    const seen = text === undefined ? dialect.itemMedia(value) : undefined;
    if (text !== undefined) texts.push(text.text);
    if (seen !== undefined) media.push(seen.kind);
    const taken = text === undefined ? seen !== undefined && scope !== 'text' : scope !== 'media';
    if (!taken) continue;
    const base = `${slot.pointer}/${index}`;
    // The first text keeps its item: only its literal changes.
    const literal = chosen.length === 0 ? text?.pointer : undefined;
    const place = literal === undefined ? item : findPointer(record, item.start, literal);
    pieces.push({ record: slot.record, pointer: base + (literal ?? ''), ...(place ?? item) });
    chosen.push(index);
  }
  return { text: texts.join('\n'), texts: texts.length, media, pieces, items, chosen };
}

function nestedText(literal: string): string {
  return stringAt(JSON.parse(literal), 'output') ?? '';
}
