import { buildConversation } from '../build.ts';
import { Drafts } from '../builder.ts';
import { OPENAI_CHAT_ITEMS } from '../dialects.ts';
import type { DocumentFormat, Head, IndexContext, Indexed, Indexer, Parts } from '../format.ts';
import { arrayAt, stringAt, valueAt } from '../value.ts';
import { HistoryReader } from './history.ts';
import { Repeats } from './repeats.ts';

/** Where each step keeps the prompt that was sent in it (`messages` before 1.1). */
const PROMPTS = /^\/trajectory\/(\d+)\/(?:query|messages)\/\d+$/;

/**
 * SWE-agent trajectory: `history` is what the model sees, and every step of `trajectory` repeats the prompt that
 * was sent in it. A text that is replaced in the history is replaced in all of these prompts.
 */
export const sweAgent: DocumentFormat = {
  name: 'swe-agent',
  title: 'SWE-agent trajectory',
  layout: 'json',
  removal: 'its steps and its history belong together by position',
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of SWE-agent 1.1',
  dialect: OPENAI_CHAT_ITEMS,
  detect,
  messagesAt: () => undefined,
  parts: ['/history/*', '/trajectory/*/query/*', '/trajectory/*/messages/*'],
  indexer: (context, parts) => new TrajectoryIndexer(context, parts as Parts | undefined),
};

function detect(head: Head): number {
  const root = head.framing === 'json' ? head.document : undefined;
  const steps = arrayAt(root, 'trajectory');
  const history = arrayAt(root, 'history');
  return steps !== undefined && history !== undefined && valueAt(root, 'info') !== undefined
    ? 95
    : 0;
}

class TrajectoryIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #parts: Parts | undefined;
  readonly #history: HistoryReader;
  readonly #repeats = new Repeats();

  constructor(context: IndexContext, parts: Parts | undefined) {
    this.#drafts = new Drafts(context, OPENAI_CHAT_ITEMS);
    this.#id = context.id;
    this.#parts = parts;
    this.#history = new HistoryReader(this.#drafts);
  }

  record(value: unknown, record: number): void {
    const step = PROMPTS.exec(this.#parts?.pointers[record] ?? '')?.[1];
    if (step !== undefined) this.#repeats.prompt(Number(step), value, record);
    else for (const text of this.#history.read(value, record)) this.#repeats.own(text);
  }

  finish(): Indexed {
    const places = this.#repeats.places();
    const messages = this.#history.messages.map((draft) => ({
      ...draft,
      blocks: draft.blocks.map((block) => {
        const also = places.get(`${block.record}${block.pointer ?? ' '}`);
        return also === undefined || block.shape !== 'string' ? block : { ...block, also };
      }),
    }));
    const model = modelOf(this.#parts?.document);
    const conversation = buildConversation(messages, {
      id: this.#id,
      overhead: 0,
      ...(model === undefined ? {} : { model }),
    });
    return { conversations: [conversation], findings: this.#drafts.findings };
  }
}

/** The model is named in the configuration, which is JSON in a string. */
function modelOf(document: unknown): string | undefined {
  const config = valueAt(document, 'replay_config');
  try {
    const parsed: unknown = typeof config === 'string' ? JSON.parse(config) : config;
    return stringAt(parsed, 'agent', 'model', 'name');
  } catch {
    return undefined;
  }
}
