import type { MediaData } from '../measure/media.ts';
import type { Meter } from '../measure/meter.ts';
import type {
  Block,
  Conversation,
  Finding,
  MediaKind,
  Message,
  OffloadMethod,
  Placeholder,
} from '../model/conversation.ts';
import type { RecordTable } from '../model/records.ts';
import type { GapEdit, Splice } from '../model/splice.ts';

/** One source dialect: how to recognise it, what is in it, and how its records change when messages leave. */
export interface Format {
  readonly name: string;
  /** As a person would say it. */
  readonly title: string;
  /** `dataset`: JSON Lines, each line a document with a conversation of its own. */
  readonly layout: 'jsonl' | 'json' | 'folder' | 'dataset';
  /** Whole messages may be removed; when not, why. */
  readonly removal: true | string;
  /** Strings in a call's input may be replaced: the client and its API take a changed one. */
  readonly editableInputs?: true;
  /** Consecutive messages of one role are refused by the API. */
  readonly strictAlternation: boolean;
  /** Where a placeholder's typed identity lives. */
  readonly identity: 'record-key' | 'block-metadata' | 'stash';
  /** Image sizes are estimated by this vendor's formula. */
  readonly vendor: 'anthropic' | 'openai' | 'google' | 'other';
  /** Client and version whose behaviour was checked, for `ctx formats`. */
  readonly verified: string;
  readonly dialect: Dialect;
  /** The format's own way to hide a tool result from the model. */
  readonly native?: NativeHiding;
  /** 0 (not this) to 100 (certain). */
  detect(head: Head): number;
  /** A new indexer for one transcript. */
  indexer(context: IndexContext): Indexer;
}

/** What detection looks at. */
export interface Head {
  readonly framing: 'jsonl' | 'json' | 'folder' | 'sqlite';
  /** jsonl: the first parseable records. json: the document with its arrays cut short. folder: file paths. */
  readonly records: readonly unknown[];
  /** json only: the document, arrays cut to their first elements. */
  readonly document?: unknown;
  readonly files?: readonly string[];
  /** A file that does not begin like JSON: its first bytes, as Latin-1. */
  readonly text?: string;
  /** sqlite only: the start of the database, which holds the text of its schema. */
  readonly schema?: string;
}

export interface IndexContext {
  readonly meter: Meter;
  readonly placed: Placed;
  /** Name of the transcript for `Conversation.id`. */
  readonly id: string;
}

/** What the stash of this transcript says about texts in it. */
export interface Placed {
  /** A stash was read, so that a marker it does not know is ordinary text. */
  readonly present: boolean;
  find(text: string): Placeholder | undefined;
}

/** Takes the records of a transcript one by one, then says what they mean. */
export interface Indexer {
  /** jsonl and folder: one record's text, parsed. `undefined` for a line that is not JSON. */
  record(value: unknown, record: number): void;
  finish(): Indexed;
}

/** json documents: also told what stands outside the messages. */
export interface DocumentFormat extends Format {
  readonly layout: 'json' | 'folder' | 'dataset';
  /** For documents with more than one array: where their records are, with `*` for every element. */
  readonly parts?: readonly string[];
  /** Its documents are no lines of a dataset. */
  readonly dataset?: false;
  /** Pointer of the messages array in this document, or undefined when it has none. */
  messagesAt(document: unknown): string | undefined;
  indexer(context: IndexContext, document?: unknown): Indexer;
}

/** What an indexer gets of a document with `parts`: their pointers, and the document with null in their places. */
export interface Parts {
  readonly pointers: readonly string[];
  readonly document: unknown;
}

export interface Indexed {
  readonly conversations: readonly Conversation[];
  readonly findings: readonly Finding[];
  /** Refs that the transcript itself resolves (a snapshot with the SDK's own stash). */
  readonly ownRefs?: ReadonlySet<string>;
  /** Splices that remove messages; absent when the format does not remove. */
  readonly gaps?: GapEditor;
  /** Tokens that the client would send after its own caps, when it has such. */
  readonly sent?: (tokensOf: (block: Block) => number) => number;
  /** What a user should know of this transcript before relying on an output. */
  readonly notices?: readonly Notice[];
  /** A message that can't be removed although the planner would: a reason code. */
  readonly blocked?: (messages: readonly Message[]) => string | undefined;
}

export interface Notice {
  readonly code: string;
  readonly text: string;
}

/** Turns gaps into splices: removal, marker, relinking. `cuts` are records that go without a trace. */
export type GapEditor = (
  gaps: readonly GapEdit[],
  io: GapIo,
  cuts?: readonly number[],
) => GapResult;

export interface GapIo {
  readonly records: RecordTable;
  /** Bytes [start, end) of the source; valid until the next call. */
  read(start: number, end: number): Buffer;
}

interface GapResult {
  readonly splices: readonly Splice[];
  /** What `restore` of a rewritten file needs to find the place again. */
  readonly places: readonly GapPlace[];
}

export interface GapPlace {
  readonly ref: string;
  /** Id of the inserted record, when the format gives it one. */
  readonly id?: string;
  /** References that were moved: id of the record, its field, the value it had. */
  readonly links?: readonly (readonly [string, string, string])[];
}

/** A mark that makes the client itself send a short text for a tool result, whose content stays in the file. */
export interface NativeHiding {
  /** What the client sends instead. */
  readonly text: string;
  /** Splices of a record that set the mark of the result whose content is at a pointer; undefined when it takes none. */
  hide(record: Uint8Array, pointer: string): readonly Splice[] | undefined;
  /** Splices that take the mark off. */
  show(record: Uint8Array, pointer: string): readonly Splice[];
}

/** How content items look in a format. */
export interface Dialect {
  itemText(item: unknown): ItemText | undefined;
  itemMedia(item: unknown): ItemMedia | undefined;
  /** False for an item that no model sees; every item is sent when absent. */
  itemSent?(item: unknown): boolean;
  /** JSON of a text item around a string literal; `member` is the identity member, if the format takes one. */
  textItem(literal: string, member?: string): string;
  /** JSON of a text item in the place of an item, where it has to keep something of it. */
  textInstead?(literal: string, item: unknown): string;
  /** The typed identity that an item carries (block-metadata formats). */
  itemIdentity?(item: unknown): TypedIdentity | undefined;
}

/** A typed identity as read from a transcript; `ref` is absent when nothing was stashed. */
export interface TypedIdentity {
  readonly method: OffloadMethod;
  readonly ref?: string;
  readonly tokens?: number;
  readonly kind?: string;
  readonly messages?: number;
}

export interface ItemText {
  readonly text: string;
  /** Pointer of the string literal inside the item; absent when the whole item stands for the text. */
  readonly pointer?: string;
}

export interface ItemMedia {
  readonly kind: MediaKind;
  readonly data: MediaData;
}
