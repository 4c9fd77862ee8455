import { parseMarker } from '../marker/marker.ts';
import type {
  BlockKind,
  Finding,
  LiteralPlace,
  MediaKind,
  Placeholder,
  Role,
  SlotShape,
} from '../model/conversation.ts';
import type { Dialect, IndexContext, TypedIdentity } from './format.ts';

/** A block before it has its place in a conversation. It holds sizes, never text. */
export interface BlockDraft {
  readonly kind: BlockKind;
  readonly record: number;
  readonly pointer?: string;
  readonly shape?: SlotShape;
  readonly tokens: number;
  readonly counted?: boolean;
  readonly tool?: string;
  readonly callId?: string;
  readonly isError?: boolean;
  readonly signed?: boolean;
  readonly blank?: boolean;
  readonly media?: readonly MediaKind[];
  readonly placeholder?: Placeholder;
  /** Whether the call of a result has not ended, where the format says so. */
  readonly pending?: boolean;
  readonly hidden?: boolean;
  /** Further literals with the same text that are sent too; `tokens` counts them all. */
  readonly also?: readonly LiteralPlace[];
  /** Pointer of the element that is the block, where it may be taken out whole. */
  readonly element?: string;
}

export interface MessageDraft {
  readonly role: Role;
  readonly blocks: BlockDraft[];
  readonly records: number[];
  readonly real?: boolean;
  readonly injected?: boolean;
  readonly fixed?: string;
  readonly pinned?: boolean;
  readonly live?: boolean;
  /** Further call ids that tie this message to a group. */
  readonly links?: readonly string[];
}

export interface Place {
  readonly record: number;
  readonly pointer: string;
}

export interface ResultFacts extends Place {
  readonly callId?: string;
  readonly tool?: string;
  readonly isError?: boolean;
  /** Typed identities by pointer, from the record's own key. */
  readonly typed?: ReadonlyMap<string, TypedIdentity>;
}

/** Builds drafts: measures content and recognises placeholders, so that a format only says where things are. */
export class Drafts {
  readonly findings: Finding[] = [];
  readonly #context: IndexContext;
  readonly #dialect: Dialect;

  constructor(context: IndexContext, dialect: Dialect) {
    this.#context = context;
    this.#dialect = dialect;
  }

  get meter(): IndexContext['meter'] {
    return this.#context.meter;
  }

  /** Whether a text is a marker that the stash put there. */
  isPlaced(text: string): boolean {
    return text.startsWith('[') && this.#context.placed.find(text) !== undefined;
  }

  /** A text block whose string literal is at the place. */
  text(text: string, place: Place, typed?: TypedIdentity): BlockDraft {
    const placeholder = this.#placeholder(text, place, 'text', typed);
    const blank = text.trim() === '';
    return {
      kind: 'text',
      ...place,
      shape: 'string',
      tokens: this.#count(text, place),
      blank,
      ...(placeholder === undefined ? {} : { placeholder }),
    };
  }

  /** Content that is sent and counted, and never edited: thinking, calls, opaque blocks. */
  sealed(
    kind: BlockKind,
    record: number,
    tokens: number,
    facts: Partial<
      Pick<BlockDraft, 'tool' | 'callId' | 'signed' | 'counted' | 'pointer' | 'element'>
    > = {},
  ): BlockDraft {
    return { kind, record, tokens, ...facts };
  }

  /** A message-level media block: an element of a content array. */
  media(item: unknown, place: Place, sealed = false): BlockDraft {
    const media = this.#dialect.itemMedia(item);
    if (media === undefined) return this.sealed('opaque', place.record, this.meter.json(item));
    const { tokens } = this.meter.media(media.kind, media.data);
    const slot = sealed ? { record: place.record } : { ...place, shape: 'element' as const };
    return { kind: media.kind, ...slot, tokens, counted: false };
  }

  /** A tool result whose content (string or list of items) is at the place. */
  result(content: unknown, facts: ResultFacts): BlockDraft {
    const { typed, ...rest } = facts;
    const base = { kind: 'toolResult' as const, ...rest };
    if (typeof content === 'string') {
      const placeholder = this.#placeholder(
        content,
        facts,
        'toolResult',
        typed?.get(facts.pointer),
      );
      return {
        ...base,
        shape: 'string',
        tokens: this.#count(content, facts),
        ...(placeholder === undefined ? {} : { placeholder }),
      };
    }
    if (Array.isArray(content)) return { ...base, shape: 'items', ...this.#items(content, facts) };
    return this.sealed('toolResult', facts.record, this.meter.json(content), {
      ...(facts.tool === undefined ? {} : { tool: facts.tool }),
      ...(facts.callId === undefined ? {} : { callId: facts.callId }),
    });
  }

  #items(
    content: readonly unknown[],
    facts: ResultFacts,
  ): Pick<BlockDraft, 'tokens' | 'counted' | 'media'> {
    let tokens = 0;
    const media: MediaKind[] = [];
    let placeholder: Placeholder | undefined;
    for (const [index, item] of content.entries()) {
      if (this.#dialect.itemSent?.(item) === false) continue;
      const text = this.#dialect.itemText(item);
      const seen = text === undefined ? this.#dialect.itemMedia(item) : undefined;
      if (text !== undefined) {
        const pointer = `${facts.pointer}/${index}${text.pointer ?? ''}`;
        const typed = facts.typed?.get(pointer) ?? this.#dialect.itemIdentity?.(item);
        placeholder ??= this.#placeholder(
          text.text,
          { record: facts.record, pointer },
          'toolResult',
          typed,
        );
        const count = this.#count(text.text, facts);
        tokens += text.pointer === undefined ? this.meter.json(JSON.parse(text.text)) : count;
      } else if (seen !== undefined) {
        media.push(seen.kind);
        tokens += this.meter.media(seen.kind, seen.data).tokens;
      } else {
        tokens += this.meter.json(item);
      }
    }
    const held = placeholder === undefined ? {} : { placeholder };
    return { tokens, counted: media.length === 0, media, ...held };
  }

  /** Identity is typed or the stash's; text alone only makes an unresolved placeholder, which is left alone. */
  #placeholder(
    text: string,
    place: Place,
    kind: BlockKind,
    typed: TypedIdentity | undefined,
  ): Placeholder | undefined {
    if (!text.startsWith('[') && typed === undefined) return undefined;
    const marker = parseMarker(text);
    if (typed !== undefined && bears(typed.ref, text, marker?.line)) {
      const messages = typed.messages ?? marker?.messages;
      const placed = this.#context.placed.find(text);
      return {
        ref: typed.ref ?? '',
        method: marker?.method ?? typed.method,
        tokens: typed.tokens ?? marker?.tokens ?? 0,
        kind: (typed.kind as Placeholder['kind'] | undefined) ?? placed?.kind ?? kind,
        ...(messages === undefined ? {} : { messages }),
        ...(placed?.isError === undefined ? {} : { isError: placed.isError }),
      };
    }
    if (marker === undefined) return undefined;
    const placed = this.#context.placed.find(text);
    if (placed !== undefined) return placed;
    this.findings.push({
      code: 'unresolved-placeholder',
      text: `a marker with ref ${marker.ref} has neither an identity nor a stash; it is left alone`,
      key: `unresolved:${marker.ref}`,
      record: place.record,
    });
    const messages = marker.messages === undefined ? {} : { messages: marker.messages };
    return { ref: marker.ref, method: marker.method, tokens: marker.tokens, kind, ...messages };
  }

  #count(text: string, place: Place): number {
    if (!text.isWellFormed()) {
      this.findings.push({
        code: 'lone-surrogate',
        text: 'text holds a lone surrogate, which APIs refuse',
        key: `surrogate:${place.pointer}`,
        record: place.record,
      });
    }
    return this.meter.text(text);
  }
}

/** Whether a text is the marker of an identity: its ref on the first line (ours) or at the very end (the SDK's). */
function bears(ref: string | undefined, text: string, line: string | undefined): boolean {
  if (ref === undefined) return true;
  const end = ` [ref: ${ref}]`;
  return line?.endsWith(end) === true || text.endsWith(end);
}
