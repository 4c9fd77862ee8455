import { append } from '../../append.ts';
import type { Finding } from '../../model/conversation.ts';
import { buildConversation } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { Dialect, GapEditor, IndexContext, Indexed, Indexer } from '../format.ts';

/** What one message of an array means; `join` says that it belongs to the message before it. */
export interface ReadMessage {
  readonly draft: MessageDraft;
  readonly join?: boolean;
}

export interface ArrayIndexerOptions {
  readonly dialect: Dialect;
  readonly read: (
    value: unknown,
    record: number,
    drafts: Drafts,
  ) => ReadMessage | readonly ReadMessage[] | undefined;
  /** Tokens of what is sent beside the messages. */
  readonly overhead: (document: unknown, drafts: Drafts) => number;
  readonly model?: (document: unknown) => string | undefined;
  /** The client's own last usage figure. */
  readonly usage?: (document: unknown) => number | undefined;
  readonly gaps?: GapEditor;
  /** Refs that the document itself resolves (a snapshot with the SDK's own stash). */
  readonly ownRefs?: (document: unknown) => ReadonlySet<string>;
}

/** Indexes a document whose conversation is one array of messages. */
export class ArrayIndexer implements Indexer {
  readonly #options: ArrayIndexerOptions;
  readonly #drafts: Drafts;
  readonly #context: IndexContext;
  readonly #document: unknown;
  readonly #messages: MessageDraft[] = [];

  constructor(options: ArrayIndexerOptions, context: IndexContext, document: unknown) {
    this.#options = options;
    this.#context = context;
    this.#document = document;
    this.#drafts = new Drafts(context, options.dialect);
  }

  record(value: unknown, record: number): void {
    const read = this.#options.read(value, record, this.#drafts) ?? [];
    for (const message of Array.isArray(read) ? read : [read]) this.#add(message);
  }

  #add(read: ReadMessage): void {
    const last = this.#messages.at(-1);
    if (read.join === true && last !== undefined) {
      append(last.blocks, read.draft.blocks);
      append(last.records, read.draft.records);
    } else this.#messages.push(read.draft);
  }

  finish(): Indexed {
    const model = this.#options.model?.(this.#document);
    const usage = this.#options.usage?.(this.#document);
    const conversation = buildConversation(this.#messages, {
      id: this.#context.id,
      overhead: this.#options.overhead(this.#document, this.#drafts),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    const { gaps } = this.#options;
    const ownRefs = this.#options.ownRefs?.(this.#document);
    return {
      conversations: [conversation],
      findings: unresolved(this.#drafts.findings, ownRefs),
      ...(ownRefs === undefined ? {} : { ownRefs }),
      ...(gaps === undefined ? {} : { gaps }),
    };
  }
}

/** A marker of the SDK whose original is in the document is no loss. */
function unresolved(
  findings: readonly Finding[],
  own: ReadonlySet<string> | undefined,
): readonly Finding[] {
  if (own === undefined || own.size === 0) return findings;
  return findings.filter(
    ({ code, key }) =>
      code !== 'unresolved-placeholder' || !own.has(key.slice('unresolved:'.length)),
  );
}
