import { Drafts } from '../builder.ts';
import type { DocumentFormat, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { isObject, stringAt } from '../value.ts';
import { OPENCODE_ITEMS } from './items.ts';
import { type MessageInfo, readInfo, type StoredMessage } from './messages.ts';
import { OPENCODE_NATIVE } from './native.ts';
import { type ReadPart, readPart } from './parts.ts';
import { danglingParents, sessionConversation } from './session.ts';

const MESSAGE_FILE = /(?:^|\/)message\/[^/]+\/[^/]+\.json$/;
const PART_FILE = /(?:^|\/)part\/(?:[^/]+\/)?[^/]+\/[^/]+\.json$/;
const SESSION_FILE = /(?:^|\/)session\/[^/]+\/[^/]+\.json$/;

/** OpenCode's storage folder (before it kept a database): a file for each session, message and part. */
export const opencodeStorage: DocumentFormat = {
  name: 'opencode-storage',
  title: 'OpenCode storage folder',
  layout: 'folder',
  removal: 'each of its messages and parts is a file of its own, and files are only edited',
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'not run; its parts are those of opencode 1.18.33',
  dialect: OPENCODE_ITEMS,
  native: OPENCODE_NATIVE,
  detect,
  messagesAt: () => undefined,
  indexer: (context, document) =>
    new StorageIndexer(context, (document as readonly string[] | undefined) ?? []),
};

function detect({ framing, files = [] }: Head): number {
  if (framing !== 'folder') return 0;
  return files.some((path) => MESSAGE_FILE.test(path)) && files.some((path) => PART_FILE.test(path))
    ? 90
    : 0;
}

class StorageIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #files: readonly string[];
  readonly #sessions = new Map<string, unknown>();
  readonly #messages: { readonly info: MessageInfo; readonly record: number }[] = [];
  readonly #parts = new Map<string, { readonly part: ReadPart; readonly record: number }[]>();

  constructor(context: IndexContext, files: readonly string[]) {
    this.#drafts = new Drafts(context, OPENCODE_ITEMS);
    this.#id = context.id;
    this.#files = files;
  }

  record(value: unknown, record: number): void {
    const path = this.#files[record] ?? '';
    if (!isObject(value)) return;
    if (MESSAGE_FILE.test(path)) this.#messages.push({ info: readInfo(value), record });
    else if (PART_FILE.test(path)) {
      const owner = stringAt(value, 'messageID') ?? '';
      const parts = this.#parts.get(owner) ?? [];
      this.#parts.set(owner, parts);
      parts.push({ part: readPart(value, { record, pointer: '' }, this.#drafts), record });
    } else if (SESSION_FILE.test(path)) this.#sessions.set(stringAt(value, 'id') ?? '', value);
  }

  finish(): Indexed {
    const stored = this.#messages
      .toSorted((left, right) => order(left.info.id, right.info.id))
      .map((message) => this.#stored(message));
    const bySession = new Map<string, StoredMessage[]>();
    for (const message of stored) {
      const { sessionID } = message.info;
      bySession.set(sessionID, [...(bySession.get(sessionID) ?? []), message]);
    }
    const conversations = [...bySession].map(([session, messages]) =>
      sessionConversation(
        `${this.#id}#${session}`,
        this.#sessions.get(session),
        messages,
        this.#drafts,
      ),
    );
    return { conversations, findings: [...this.#drafts.findings, ...danglingParents(stored)] };
  }

  /** The client reads messages and parts in the order of their ids. */
  #stored({ info, record }: { info: MessageInfo; record: number }): StoredMessage {
    const own = (this.#parts.get(info.id) ?? []).toSorted((a, b) => order(a.part.id, b.part.id));
    const records = [record, ...own.map((part) => part.record)].toSorted((a, b) => a - b);
    return { info, parts: own.map(({ part }) => part), records };
  }
}

/** By code unit: ids tell upper from lower case. */
function order(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
