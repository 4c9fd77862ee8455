import { type Content, readContent } from '../apply/content.ts';
import { stringAt } from '../formats/value.ts';
import { hashPieces, sha256 } from '../hash/hash.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { findPointer, utf8 } from '../json/scan.ts';
import { type Block, type Message, slotOf } from '../model/conversation.ts';
import type { SummaryItem } from '../summarize/summarizer.ts';

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

  content(block: Block, scope: 'text' | 'all'): Content {
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

  /** sha256 of a block's pieces, joined by one newline. */
  contentHash(block: Block, content: Content): string {
    const bytes = this.record(block.record);
    return hashPieces(content.pieces.map((piece) => bytes.subarray(piece.start, piece.end)));
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
    const value = this.#value(block);
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  }

  /** Bytes of a result's content as JSON without spaces. */
  jsonSize(block: Block): number {
    return Buffer.byteLength(JSON.stringify(this.#value(block)) ?? '');
  }

  /** What a summary of messages is made from: their texts, calls and results, in order; originals, never markers. */
  items(messages: readonly Message[], blocks: readonly Block[]): SummaryItem[] {
    return messages.flatMap((message) =>
      message.blocks.flatMap((index) => {
        const block = blocks[index] as Block;
        const text = this.#text(block);
        if (text === undefined) return [];
        return [
          {
            id: `m${message.index}`,
            role: message.role,
            kind: block.kind,
            text,
            real: message.real,
            ...(block.tool === undefined ? {} : { tool: block.tool }),
            ...(block.isError === undefined ? {} : { isError: block.isError }),
          },
        ];
      }),
    );
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
    return typeof value === 'string'
      ? value
      : (stringAt(value, 'command') ?? JSON.stringify(value));
  }
}
