import { type Content, readContent } from '../apply/content.ts';
import { parsedArguments } from '../effects/call.ts';
import { stringAt } from '../formats/value.ts';
import { hashPieces, sha256 } from '../hash/hash.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { compactJson } from '../json/compact.ts';
import { stringLeaves } from '../json/leaves.ts';
import { elements, findPointer, utf8 } from '../json/scan.ts';
import { type Block, type LiteralPlace, type Message, slotOf } from '../model/conversation.ts';
import type { PieceSpan } from '../model/splice.ts';
import type { SummaryItem } from '../summarize/summarizer.ts';
import type { Scope } from './decision.ts';

/** Text of an original that an earlier run stored, by its ref. */
export type Originals = (ref: string) => string | undefined;

/** Reads single blocks and messages back from the source: the index holds no text. */
export class Reader {
  readonly #transcript: Transcript;
  #held: { readonly record: number; readonly bytes: Buffer } = {
    record: -1,
    bytes: Buffer.alloc(0),
  };
  #scratch: Buffer = Buffer.alloc(64 * 1024);

  readonly #originals: Originals;

  constructor(transcript: Transcript, originals: Originals = () => undefined) {
    this.#transcript = transcript;
    this.#originals = originals;
  }

  /** A record's content bytes, valid until the next call. */
  record(record: number): Buffer {
    if (this.#held.record !== record) {
      const { records, source } = this.#transcript;
      const length = records.end(record) - records.start(record);
      if (length > this.#scratch.length) this.#scratch = Buffer.alloc(length * 2);
      source.readInto(records.start(record), records.end(record), this.#scratch, 0);
      this.#held = { record, bytes: this.#scratch.subarray(0, length) };
    }
    return this.#held.bytes;
  }

  content(block: Block, scope: Scope): Content {
    const slot = slotOf(block);
    if (slot === undefined) throw new Error(`block ${block.index} can't be edited`);
    return readContent(this.record(slot.record), slot, this.#transcript.format.dialect, scope);
  }

  /** What the client sends for the result once the format's own mark hides it; undefined when it takes none. */
  native({ kind, record, pointer }: Block): string | undefined {
    const { native } = this.#transcript.format;
    if (native === undefined || kind !== 'toolResult' || pointer === undefined) return undefined;
    return native.hide(this.record(record), pointer) === undefined ? undefined : native.text;
  }

  /** sha256 of a block's pieces, and of copies that go with it, joined by one newline. */
  contentHash(block: Block, content: Content, copies: readonly LiteralPlace[] = []): string {
    const bytes = this.record(block.record);
    const own = content.pieces.map((piece) => bytes.subarray(piece.start, piece.end));
    if (copies.length === 0) return hashPieces(own);
    const held = own.map((piece) => Buffer.from(piece));
    return hashPieces([...held, ...copies.map((place) => Buffer.from(this.value(place)))]);
  }

  /** Raw bytes of the value at a place, valid until the next call; empty when there is none. */
  value({ record, pointer }: LiteralPlace): Buffer {
    const bytes = this.record(record);
    const span = findPointer(bytes, 0, pointer);
    return span === undefined ? bytes.subarray(0, 0) : bytes.subarray(span.start, span.end);
  }

  /** Span of a value relative to its record. */
  span({ record, pointer }: LiteralPlace): PieceSpan | undefined {
    const span = findPointer(this.record(record), 0, pointer);
    return span === undefined ? undefined : { record, pointer, ...span };
  }

  /** Whether an element is the only one of its list. */
  isOnlyElement({ record, pointer }: LiteralPlace): boolean {
    const bytes = this.record(record);
    const list = findPointer(bytes, 0, pointer.slice(0, pointer.lastIndexOf('/')));
    return list === undefined || elements(bytes, list.start).length < 2;
  }

  /** Places of the strings in an input that is an object; undefined when it is none. */
  inputStrings(block: Block): LiteralPlace[] | undefined {
    const value = this.#value(block);
    if (typeof value !== 'object' || value === null || block.pointer === undefined)
      return undefined;
    return stringLeaves(value, block.pointer).map(({ pointer }) => ({
      record: block.record,
      pointer,
    }));
  }

  /** sha256 of whole records without line ends, joined by one newline. */
  recordsHash(records: readonly number[]): string {
    const hash = sha256();
    records.forEach((record, index) => {
      if (index > 0) hash.update('\n');
      hash.update(this.record(record));
    });
    return hash.digest('hex');
  }

  /** Arguments of a call: the parsed value, or the text when they are plain text or no JSON. */
  args(block: Block): unknown {
    return parsedArguments(this.#value(block));
  }

  /** Bytes of a result's content as JSON without spaces. */
  jsonSize(block: Block): number {
    return Buffer.byteLength(compactJson(this.#value(block)));
  }

  /** What a summary of messages is made from: their texts, calls and results, in order; originals, never markers. */
  items(messages: readonly Message[], blocks: readonly Block[]): SummaryItem[] {
    const failed = failedCalls(messages, blocks);
    return messages.flatMap((message) =>
      message.blocks.flatMap((index) => {
        const block = blocks[index] as Block;
        const text = this.#text(block);
        if (text === undefined) return [];
        const isError = block.isError ?? (failed.has(block.callId) ? true : undefined);
        return [
          {
            id: `m${message.number}`,
            role: message.role,
            kind: block.kind,
            text,
            real: message.real,
            ...(block.tool === undefined ? {} : { tool: block.tool }),
            ...(isError === undefined ? {} : { isError }),
          },
        ];
      }),
    );
  }

  /** What a block says: its text, or a call's arguments as text. Undefined when it has none. */
  plainText(block: Block): string | undefined {
    return this.#text(block);
  }

  /** Whether the ref of a block's content, or of the placeholder that it is, begins with these digits. */
  refStarts(block: Block, digits: string): boolean {
    if (block.placeholder !== undefined) return block.placeholder.ref.startsWith(digits);
    if (slotOf(block) === undefined) return false;
    return this.contentHash(block, this.content(block, 'all')).startsWith(digits);
  }

  #value(block: Block): unknown {
    if (block.pointer === undefined) return undefined;
    const bytes = this.record(block.record);
    const span = findPointer(bytes, 0, block.pointer);
    return span === undefined ? undefined : JSON.parse(utf8(bytes, span.start, span.end));
  }

  #text(block: Block): string | undefined {
    const { placeholder } = block;
    // What a capsule says is all that the packet can have of its source.
    if (placeholder !== undefined && placeholder.kind !== 'source') {
      const stored = placeholder.ref === '' ? undefined : this.#originals(placeholder.ref);
      if (stored !== undefined) return stored;
    }
    if (block.shape !== undefined) return this.content(block, 'text').text;
    if (block.kind !== 'toolCall') return undefined;
    const value = this.#value(block);
    if (value === undefined) return undefined;
    return typeof value === 'string' ? value : (stringAt(value, 'command') ?? compactJson(value));
  }
}

/** Ids of calls that failed: what was only tried must not be told as done. */
function failedCalls(
  messages: readonly Message[],
  blocks: readonly Block[],
): ReadonlySet<string | undefined> {
  return new Set(
    messages.flatMap((message) =>
      message.blocks.flatMap((index) => {
        const { callId, isError } = blocks[index] as Block;
        return isError === true && callId !== undefined ? [callId] : [];
      }),
    ),
  );
}
