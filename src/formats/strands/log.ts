import { buildConversation } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { DocumentFormat, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { isObject, valueAt } from '../value.ts';
import { CONVERSE_ITEMS, converseMessage } from './blocks.ts';

const MESSAGE_FILE = /(?:^|\/)agents\/agent_([^/]+)\/messages\/message_(\d+)\.json$/;
const AGENT_FILE = /(?:^|\/)agents\/agent_([^/]+)\/agent\.json$/;

/**
 * Strands Python message log: a session folder with one file a message. On load the SDK skips as many of the
 * first files as `removed_message_count` says, so files are never removed or renumbered.
 */
export const strandsLog: DocumentFormat = {
  name: 'strands-log',
  title: 'Strands Python message log',
  layout: 'folder',
  removal: 'its messages are files that the SDK addresses by position',
  strictAlternation: true,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of the Python SDK',
  dialect: CONVERSE_ITEMS,
  detect,
  messagesAt: () => undefined,
  indexer: (context, document) =>
    new LogIndexer(context, (document as readonly string[] | undefined) ?? []),
};

function detect(head: Head): number {
  if (head.framing !== 'folder') return 0;
  const files = head.files ?? [];
  return files.includes('session.json') && files.some((path) => MESSAGE_FILE.test(path)) ? 95 : 0;
}

class LogIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #files: readonly string[];
  readonly #agents = new Map<string, MessageDraft[]>();
  readonly #removed = new Map<string, number>();

  constructor(context: IndexContext, files: readonly string[]) {
    this.#drafts = new Drafts(context, CONVERSE_ITEMS);
    this.#id = context.id;
    this.#files = files;
  }

  record(value: unknown, record: number): void {
    const path = this.#files[record] ?? '';
    const agent = AGENT_FILE.exec(path)?.[1];
    if (agent !== undefined) {
      const removed = valueAt(value, 'conversation_manager_state', 'removed_message_count');
      this.#removed.set(agent, typeof removed === 'number' ? removed : 0);
    }
    const owner = MESSAGE_FILE.exec(path)?.[1];
    if (owner === undefined || !isObject(value)) return;
    // A redacted message replaces the stored one when the SDK loads the session.
    const place = isObject(value['redact_message']) ? 'redact_message' : 'message';
    const draft = converseMessage(value[place], record, `/${place}`, this.#drafts);
    if (draft !== undefined) this.#agents.set(owner, [...(this.#agents.get(owner) ?? []), draft]);
  }

  finish(): Indexed {
    const conversations = [...this.#agents].map(([agent, drafts]) => {
      const removed = this.#removed.get(agent) ?? 0;
      const placed = drafts.map((draft, index) => ({ ...draft, live: index >= removed }));
      return buildConversation(placed, { id: `${this.#id}#${agent}`, overhead: 0 });
    });
    return { conversations, findings: this.#drafts.findings };
  }
}
