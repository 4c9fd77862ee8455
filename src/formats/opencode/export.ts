import { Drafts } from '../builder.ts';
import type { DocumentFormat, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { arrayAt, isObject, objectAt, stringAt, valueAt } from '../value.ts';
import { opencodeGaps } from './gap.ts';
import { OPENCODE_ITEMS } from './items.ts';
import { readInfo, type StoredMessage } from './messages.ts';
import { OPENCODE_NATIVE } from './native.ts';
import { readPart } from './parts.ts';
import { danglingParents, sessionConversation } from './session.ts';

/** OpenCode's `export`: one document with the session and its messages, each with its parts. */
export const opencode: DocumentFormat = {
  name: 'opencode',
  title: 'OpenCode export',
  layout: 'json',
  dataset: false,
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'opencode 1.18.33',
  dialect: OPENCODE_ITEMS,
  native: OPENCODE_NATIVE,
  detect,
  messagesAt: (document) => (isObject(valueAt(document, 'info')) ? '/messages' : undefined),
  indexer: (context, document) => new ExportIndexer(context, document),
};

function detect({ framing, document }: Head): number {
  if (framing !== 'json' || stringAt(document, 'info', 'id')?.startsWith('ses_') !== true) return 0;
  const messages = arrayAt(document, 'messages');
  if (messages === undefined) return 0;
  const own = messages.every(
    (message) => objectAt(message, 'info') !== undefined && arrayAt(message, 'parts') !== undefined,
  );
  return own ? 95 : 0;
}

class ExportIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #session: unknown;
  readonly #messages: StoredMessage[] = [];

  constructor(context: IndexContext, document: unknown) {
    this.#drafts = new Drafts(context, OPENCODE_ITEMS);
    this.#id = context.id;
    this.#session = valueAt(document, 'info');
  }

  record(value: unknown, record: number): void {
    const parts = (arrayAt(value, 'parts') ?? []).map((part, index) =>
      readPart(part, { record, pointer: `/parts/${index}` }, this.#drafts),
    );
    this.#messages.push({ info: readInfo(valueAt(value, 'info')), parts, records: [record] });
  }

  finish(): Indexed {
    const messages = this.#messages;
    return {
      conversations: [sessionConversation(this.#id, this.#session, messages, this.#drafts)],
      findings: [...this.#drafts.findings, ...danglingParents(messages)],
      gaps: opencodeGaps(messages),
    };
  }
}
