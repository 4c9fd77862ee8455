import { anthropicBlock } from './anthropic-blocks.ts';
import { buildConversation } from './build.ts';
import { type BlockDraft, Drafts, type MessageDraft } from './builder.ts';
import { ANTHROPIC_ITEMS } from './dialects.ts';
import type { Format, Head, IndexContext, Indexed, Indexer } from './format.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from './value.ts';

/** Sessions of Factory Droid: blocks of the Messages API in lines. Sources: docs/formats/factory-droid.md. */
export const factoryDroid: Format = {
  name: 'factory-droid',
  title: 'Factory Droid session',
  layout: 'jsonl',
  removal: 'a compaction counts the messages before it',
  strictAlternation: false,
  identity: 'stash',
  vendor: 'anthropic',
  verified: 'public fixtures only',
  dialect: ANTHROPIC_ITEMS,
  detect,
  indexer: (context) => new DroidIndexer(context),
};

function detect(head: Head): number {
  if (head.framing !== 'jsonl') return 0;
  const start = head.records.some((record) => stringAt(record, 'type') === 'session_start');
  const messages = head.records.some(
    (record) => stringAt(record, 'type') === 'message' && isObject(valueAt(record, 'message')),
  );
  // The word alone is common in logs of other programs.
  return start && messages ? 90 : 0;
}

interface Anchor {
  readonly id?: string;
  readonly index?: number;
}

class DroidIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #messages: { readonly id: string | undefined; readonly draft: MessageDraft }[] = [];
  #compaction:
    | { readonly draft: MessageDraft; readonly anchor: Anchor; readonly at: number }
    | undefined;
  #model: string | undefined;

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, ANTHROPIC_ITEMS);
    this.#id = context.id;
  }

  record(value: unknown, record: number): void {
    if (!isObject(value)) return;
    if (value['type'] === 'message') this.#message(value, record);
    if (value['type'] === 'compaction_state') this.#compacted(value, record);
  }

  finish(): Indexed {
    const drafts = this.#messages.map(({ draft }) => draft);
    const cut = this.#cut();
    const dead = drafts.slice(0, cut).map((draft) => ({ ...draft, live: false }));
    const summary = this.#compaction === undefined ? [] : [this.#compaction.draft];
    const conversation = buildConversation([...dead, ...summary, ...drafts.slice(cut)], {
      id: this.#id,
      overhead: 0,
      ...(this.#model === undefined ? {} : { model: this.#model }),
    });
    return { conversations: [conversation], findings: this.#drafts.findings };
  }

  #message(value: Json, record: number): void {
    const message = objectAt(value, 'message');
    const role = stringAt(message, 'role');
    if (role !== 'user' && role !== 'assistant') return;
    if (role === 'assistant') this.#model = stringAt(message, 'model') ?? this.#model;
    const content = valueAt(message, 'content');
    const draft: MessageDraft = {
      role,
      blocks: [...this.#reasoning(value, record), ...this.#blocks(content, record)],
      records: [record],
      real: role === 'user' && isTyped(content),
    };
    this.#messages.push({ id: stringAt(value, 'id'), draft });
  }

  #blocks(content: unknown, record: number): BlockDraft[] {
    const pointer = '/message/content';
    if (typeof content === 'string') return [this.#drafts.text(content, { record, pointer })];
    if (!Array.isArray(content)) return [];
    return content.map((block: unknown, index) =>
      anthropicBlock(block, record, `${pointer}/${index}`, this.#drafts),
    );
  }

  /** Models of other vendors: their reasoning stands beside the content. */
  #reasoning(value: Json, record: number): BlockDraft[] {
    const both = [value, objectAt(value, 'message')];
    const find = (key: string) =>
      both.map((owner) => stringAt(owner, key)).find((found) => found !== undefined);
    const plain = find('chatCompletionReasoningContent');
    const sealed = find('openaiEncryptedContent');
    const { meter } = this.#drafts;
    return [
      ...(plain === undefined ? [] : [this.#drafts.sealed('thinking', record, meter.text(plain))]),
      ...(sealed === undefined
        ? []
        : [
            this.#drafts.sealed('thinking', record, Math.ceil((sealed.length * 3) / 16), {
              signed: true,
              counted: false,
            }),
          ]),
    ];
  }

  #compacted(value: Json, record: number): void {
    const text = stringAt(value, 'summaryText');
    if (text === undefined || text === '') return;
    const id = stringAt(value, 'anchorMessage', 'id');
    const index = valueAt(value, 'anchorMessage', 'index');
    const block = this.#drafts.text(text, { record, pointer: '/summaryText' });
    this.#compaction = {
      draft: { role: 'user', blocks: [block], records: [record], fixed: 'compaction-summary' },
      anchor: {
        ...(id === undefined ? {} : { id }),
        ...(typeof index === 'number' ? { index } : {}),
      },
      at: this.#messages.length,
    };
  }

  /** Messages up to the anchor are what the summary stands for; without an anchor, all before it. */
  #cut(): number {
    if (this.#compaction === undefined) return 0;
    const { anchor, at } = this.#compaction;
    const found = this.#messages.findIndex(({ id }) => id !== undefined && id === anchor.id);
    if (found >= 0) return found + 1;
    return anchor.index === undefined ? at : Math.min(at, Math.max(0, anchor.index + 1));
  }
}

/** Whether a person typed something of it: no result, no reminder of the client. */
function isTyped(content: unknown): boolean {
  if (typeof content === 'string') return isOwnText(content);
  const blocks = arrayAt({ content }, 'content') ?? [];
  if (blocks.some((block) => stringAt(block, 'type') === 'tool_result')) return false;
  return blocks.some(
    (block) => stringAt(block, 'type') === 'image' || isOwnText(stringAt(block, 'text') ?? ''),
  );
}

function isOwnText(text: string): boolean {
  return text.trim() !== '' && !text.startsWith('<system-reminder>');
}
