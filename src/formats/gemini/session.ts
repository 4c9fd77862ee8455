import { buildConversation } from '../build.ts';
import { Drafts } from '../builder.ts';
import type { DocumentFormat, Format, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { recordIdentities } from '../typed.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from '../value.ts';
import { GEMINI_PARTS } from './dialect.ts';
import { geminiArrayGaps, geminiLineGaps } from './gap.ts';
import { History, type Version } from './history.ts';
import { CallIds, type Typed } from './parts.ts';
import { storedTurns } from './stored.ts';

const COMMON = {
  strictAlternation: false,
  identity: 'record-key',
  vendor: 'google',
  removal: true,
  dialect: GEMINI_PARTS,
} as const;

/** Gemini CLI sessions, one record a line. What the client does with them: docs/formats/gemini-cli.md. */
export const geminiCli: Format = {
  ...COMMON,
  name: 'gemini-cli',
  title: 'Gemini CLI session',
  layout: 'jsonl',
  verified: 'Gemini CLI 0.61.0',
  detect: detectLines,
  indexer: (context) => new SessionIndexer(context, 'jsonl'),
};

/** Gemini CLI sessions of versions that wrote one JSON document. */
export const geminiCliJson: DocumentFormat = {
  ...COMMON,
  name: 'gemini-cli-json',
  title: 'Gemini CLI session (JSON)',
  layout: 'json',
  dataset: false,
  verified: 'Gemini CLI 0.61.0',
  detect: detectDocument,
  messagesAt: (document) => (arrayAt(document, 'messages') === undefined ? undefined : '/messages'),
  indexer: (context) => new SessionIndexer(context, 'json'),
};

function detectLines(head: Head): number {
  if (head.framing !== 'jsonl') return 0;
  const marked = head.records.some(
    (record) =>
      objectAt(record, '$set') !== undefined ||
      stringAt(record, '$rewindTo') !== undefined ||
      (isHead(record) && arrayAt(record, 'messages') === undefined),
  );
  if (marked) return 95;
  // A head with its messages, and more lines after it; alone it is a document.
  return head.document === undefined && head.records.some(isHead) ? 90 : 0;
}

function detectDocument(head: Head): number {
  if (head.framing !== 'json' || !isHead(head.document)) return 0;
  return arrayAt(head.document, 'messages') === undefined ? 0 : 95;
}

function isHead(record: unknown): boolean {
  return (
    stringAt(record, 'sessionId') !== undefined && stringAt(record, 'projectHash') !== undefined
  );
}

class SessionIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #layout: 'jsonl' | 'json';
  readonly #ids = new CallIds();
  readonly #history = new History();
  #model: string | undefined;

  constructor(context: IndexContext, layout: 'jsonl' | 'json') {
    this.#drafts = new Drafts(context, GEMINI_PARTS);
    this.#id = context.id;
    this.#layout = layout;
  }

  /** In the client's order: a rewind, else a message, else an update, else a head. */
  record(value: unknown, record: number): void {
    if (!isObject(value)) return;
    const typed = recordIdentities(value);
    if (this.#layout === 'json') {
      // Nothing replaces anything here: a message without an id is sent like the others.
      this.#history.put(`${record}`, this.#version(value, record, '', typed));
      return;
    }
    const rewound = stringAt(value, '$rewindTo');
    const id = stringAt(value, 'id');
    if (rewound !== undefined) this.#history.rewind(rewound);
    else if (id !== undefined) this.#history.put(id, this.#version(value, record, '', typed));
    else if (objectAt(value, '$set') !== undefined) {
      const messages = arrayAt(value, '$set', 'messages');
      if (messages !== undefined) this.#history.clear();
      this.#inside(messages, record, '/$set/messages', typed);
    } else if (isHead(value)) this.#inside(arrayAt(value, 'messages'), record, '/messages', typed);
  }

  finish(): Indexed {
    // Messages that the client took into a checkpoint have lost their model.
    const model = this.#history.last('model') ?? this.#model;
    const usage = this.#history.last('usage');
    const conversation = buildConversation(this.#history.drafts(), {
      id: this.#id,
      overhead: 0,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    return {
      conversations: [conversation],
      findings: this.#drafts.findings,
      gaps: this.#layout === 'json' ? geminiArrayGaps : geminiLineGaps,
    };
  }

  #inside(
    messages: readonly unknown[] | undefined,
    record: number,
    base: string,
    typed: Typed,
  ): void {
    for (const [index, message] of (messages ?? []).entries()) {
      const id = stringAt(message, 'id');
      if (id === undefined || !isObject(message)) continue;
      const pointer = `${base}/${index}`;
      const version = this.#version(message, record, pointer, both(typed, message, pointer));
      this.#history.put(id, { ...version, inside: true });
    }
  }

  #version(message: Json, record: number, pointer: string, typed: Typed): Version {
    const place = { record, pointer, typed, drafts: this.#drafts, ids: this.#ids };
    const model = stringAt(message, 'model');
    this.#model = model ?? this.#model;
    const usage = valueAt(message, 'tokens', 'input');
    return {
      turns: storedTurns(message, place),
      record,
      inside: false,
      ...(model === undefined ? {} : { model }),
      ...(typeof usage === 'number' && usage > 0 ? { usage } : {}),
    };
  }
}

/** The record's identities, and those that the client took into a checkpoint with a message. */
function both(typed: Typed, message: Json, pointer: string): Typed {
  const own = recordIdentities(message);
  if (own === undefined) return typed;
  const moved = [...own].map(([at, identity]) => [`${pointer}${at}`, identity] as const);
  return new Map([...(typed ?? []), ...moved]);
}
