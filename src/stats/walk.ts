import { readContent } from '../apply/content.ts';
import { sha256Hex } from '../hash/hash.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { findPointers } from '../json/pointers.ts';
import { type Span, utf8 } from '../json/scan.ts';
import { type Block, type Conversation, type Message, slotOf } from '../model/conversation.ts';
import { Reader } from '../plan/reader.ts';
import { namesFiles, pathsOf } from './file-tools.ts';
import { shares } from './tally.ts';

/** A block as it was seen in the file: what statistics need of it, and none of its text. */
export interface Seen {
  readonly conversation: Conversation;
  readonly message: Message;
  readonly block: Block;
  /** Bytes of its JSON value in the file. */
  readonly bytes: number;
  /** Files that it is about: those of its own call's arguments, or of the call that it answers. */
  readonly paths: readonly string[];
  /** sha256 of an output, where it is long enough to be worth knowing again. */
  readonly hash?: string;
}

/** Outputs below this many tokens are equal by chance ("ok", "no matches"), and cost next to nothing. */
const LEAST_OUTPUT = 16;

/**
 * Blocks of one conversation after the other, in file order, each record read once. A block without a place of its own
 * takes what its record has left.
 */
export function* walk(transcript: Transcript): Generator<Seen> {
  const reader = new Reader(transcript);
  const copied = copiedBytes(transcript);
  for (const conversation of transcript.conversations) {
    const paths = new CallPaths();
    for (const blocks of byRecord(conversation)) {
      const record = (blocks[0] as Block).record;
      const bytes = reader.record(record);
      const spans = findPointers(bytes, blocks.flatMap(pointersOf));
      const placeless = blocks.filter(({ pointer }) => pointer === undefined).length;
      const taken = [...spans.values()].reduce((sum, span) => sum + span.end - span.start, 0);
      const left = Math.max(0, bytes.length - taken - (copied.get(record) ?? 0));
      const rest = shares(left, placeless).values();
      for (const block of blocks) {
        const own = block.pointer === undefined ? undefined : spans.get(block.pointer);
        const hash = own === undefined ? undefined : hashOf(transcript, bytes, block, own);
        yield {
          conversation,
          message: conversation.messages[block.message] as Message,
          block,
          bytes: block.pointer === undefined ? (rest.next().value ?? 0) : bytesOf(block, spans),
          paths: paths.of(block, bytes, own),
          ...(hash === undefined ? {} : { hash }),
        };
      }
    }
  }
}

/** Runs of blocks that lie in one record. */
function* byRecord({ blocks }: Conversation): Generator<readonly Block[]> {
  let run: Block[] = [];
  for (const block of blocks.toSorted((left, right) => left.record - right.record)) {
    if (run[0] !== undefined && run[0].record !== block.record) {
      yield run;
      run = [];
    }
    run.push(block);
  }
  if (run.length > 0) yield run;
}

function copiedBytes({ conversations }: Transcript): Map<number, number> {
  const bytes = new Map<number, number>();
  for (const copy of conversations.flatMap(({ copies }) => copies ?? []))
    bytes.set(copy.record, (bytes.get(copy.record) ?? 0) + copy.bytes);
  return bytes;
}

/** Places of a block in its own record; a further place in another record is left to that record's envelope. */
function pointersOf({ record, pointer, also = [] }: Block): string[] {
  const further = also.filter((place) => place.record === record).map((place) => place.pointer);
  return pointer === undefined ? [] : [pointer, ...further];
}

function bytesOf(block: Block, spans: ReadonlyMap<string, Span>): number {
  const own = new Set(pointersOf(block));
  return [...own].reduce((sum, pointer) => {
    const { start, end } = spans.get(pointer) ?? { start: 0, end: 0 };
    return sum + end - start;
  }, 0);
}

/** Texts are compared as they read, so that escapes and the recorded duration of a command make no difference. */
function hashOf(
  { format }: Transcript,
  bytes: Buffer,
  block: Block,
  span: Span,
): string | undefined {
  const isOutput = block.kind === 'toolResult' && block.placeholder === undefined;
  if (!isOutput || block.tokens < LEAST_OUTPUT) return undefined;
  const value = bytes.subarray(span.start, span.end);
  const slot = slotOf(block);
  if (slot === undefined) return sha256Hex(value);
  const content = readContent(value, { ...slot, pointer: '' }, format.dialect, 'all');
  const isText = content.media.length === 0 && content.chosen.length === content.items.length;
  return sha256Hex(isText ? content.text : value);
}

/** Which files the calls were about, kept until their results come. */
class CallPaths {
  readonly #known = new Map<string, readonly string[]>();

  of(block: Block, bytes: Buffer, span: Span | undefined): readonly string[] {
    const { kind, tool, callId } = block;
    if (kind === 'toolResult') return this.#known.get(callId ?? '') ?? [];
    if (kind !== 'toolCall' || tool === undefined || span === undefined || !namesFiles(tool))
      return [];
    const paths = pathsOf(tool, JSON.parse(utf8(bytes, span.start, span.end)));
    if (callId !== undefined) this.#known.set(callId, paths);
    return paths;
  }
}
