/** The normalised model of a transcript: what strategies see. It holds places and sizes, never text. */

export type Role = 'user' | 'assistant' | 'system';

/** Kind of a block. `opaque` is content that is sent but that ctx never edits. */
export type BlockKind =
  | 'text'
  | 'thinking'
  | 'toolCall'
  | 'toolResult'
  | 'image'
  | 'document'
  | 'video'
  | 'audio'
  | 'opaque';

export type MediaKind = 'image' | 'document' | 'video' | 'audio';

/** How an original left; a `capsule` stands for a source that was archived and mostly stays. */
export type OffloadMethod = 'drop' | 'truncate' | 'summarize' | 'mask' | 'capsule' | 'dedupe';

/** Kind of an original: a block's, `messages` for a gap, `source` for what a capsule was made from. */
export type OriginalKind = BlockKind | 'messages' | 'source';

/**
 * How the content of a block lies in its record:
 * `string` a JSON string literal; `items` an array of content items; `element` an element of a content
 * array; `nested` a string literal that holds JSON with the text under `output`.
 */
export type SlotShape = 'string' | 'items' | 'element' | 'nested';

/** The place of a block's content: a record, a JSON pointer in it, and the shape found there. */
export interface Slot {
  readonly record: number;
  readonly pointer: string;
  readonly shape: SlotShape;
}

/** A typed placeholder: what an earlier run left in the place of an original. */
export interface Placeholder {
  readonly ref: string;
  readonly method: OffloadMethod;
  /** Tokens of the original. */
  readonly tokens: number;
  readonly kind: OriginalKind;
  /** Messages that a gap placeholder stands for. */
  readonly messages?: number;
  /** Status of the original: some formats say it in the text alone. */
  readonly isError?: boolean;
}

export interface Block {
  /** Position in `Conversation.blocks`. */
  readonly index: number;
  /** Position of its message in `Conversation.messages`. */
  readonly message: number;
  readonly kind: BlockKind;
  /** Record that holds the block. */
  readonly record: number;
  /** Pointer of its content in the record. */
  readonly pointer?: string;
  /** How the content lies there; absent when the format allows no edit of this block. */
  readonly shape?: SlotShape;
  readonly tokens: number;
  /** False when `tokens` is an estimate whatever the counter (media, encrypted reasoning). */
  readonly counted: boolean;
  readonly tool?: string;
  readonly callId?: string;
  /** For results: true, false, or absent when the format does not say. */
  readonly isError?: boolean;
  /** Carries a signature or is encrypted: never edited. */
  readonly signed: boolean;
  /** Text that is empty or white space only. */
  readonly blank: boolean;
  /** Media kinds inside a tool result. */
  readonly media: readonly MediaKind[];
  readonly placeholder?: Placeholder;
  /** For results: whether the call has not ended, where the format says so and not only its text. */
  readonly pending?: boolean;
  /** The client's own mark hides the result: it sends a text of its own. */
  readonly hidden?: boolean;
  /** Pointer of the element that is the block, where the format and its API allow to take it out whole. */
  readonly element?: string;
  /** Further string literals with the same text that are sent as well: replaced and counted with it. */
  readonly also?: readonly LiteralPlace[];
}

/** The place of a string literal. */
export interface LiteralPlace {
  readonly record: number;
  readonly pointer: string;
  /** Repeats what the totals have already (an earlier prompt, a cache of the client): replaced, not counted. */
  readonly again?: true;
}

/** A string that no model sees: a second place of an output, progress, a backup. */
export interface Copy extends LiteralPlace {
  /** What the client calls it. */
  readonly name: string;
  /** UTF-8 bytes of its text. */
  readonly bytes: number;
  /** The text is base64 of media. */
  readonly media?: boolean;
}

/** A record with the id of an earlier one. */
export interface Repeat {
  readonly record: number;
  readonly of: number;
}

/** Where an edit of a block goes; undefined when it can't be edited. */
export function slotOf(block: Block): Slot | undefined {
  const { record, pointer, shape } = block;
  return pointer === undefined || shape === undefined ? undefined : { record, pointer, shape };
}

export interface Message {
  /** Position in `Conversation.messages`. */
  readonly index: number;
  /** Its number for a person: a marker counts as the messages that it stands for, so that numbers stay. */
  readonly number: number;
  readonly role: Role;
  /** Indexes into `Conversation.blocks`. */
  readonly blocks: readonly number[];
  /** Records that belong to the message, ascending. */
  readonly records: readonly number[];
  /** A real user turn: typed by a person, not injected, not a result, not a placeholder. */
  readonly real: boolean;
  /** Injected context (attachment, reminder): counted, never matched, never removed, transparent in gaps. */
  readonly injected: boolean;
  /** Why the message can't be removed, if the format says so (a reason code). */
  readonly fixed?: string;
  readonly pinned: boolean;
  /** Messages with the same group number live and die together. */
  readonly group: number;
  /** False: kept in the file only, never sent. */
  readonly live: boolean;
  /** The message is a gap marker of an earlier run. */
  readonly gap?: Placeholder;
}

export interface Conversation {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly blocks: readonly Block[];
  /** Strings that resuming does not send. */
  readonly copies?: readonly Copy[];
  /** Records that have the id of an earlier one: the client takes them for one. */
  readonly repeats?: readonly Repeat[];
  /** Tokens of the system prompt and the tool definitions, counted once. */
  readonly overhead: number;
  /** Model of the last live assistant message. */
  readonly model?: string;
  /** The client's own last usage figure (input tokens), shown and never used to decide. */
  readonly usage?: number;
}

/** Something wrong that was found in a transcript. `key` identifies it across an original and its output. */
export interface Finding {
  readonly code: string;
  readonly text: string;
  readonly key: string;
  readonly record?: number;
}
