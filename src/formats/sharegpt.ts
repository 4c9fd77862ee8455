import { buildConversation } from './build.ts';
import { type BlockDraft, Drafts, type MessageDraft } from './builder.ts';
import { OPENAI_CHAT_ITEMS } from './dialects.ts';
import type { DocumentFormat, Head, IndexContext, Indexed, Indexer, Parts } from './format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from './value.ts';

type Kind = 'user' | 'assistant' | 'system' | 'call' | 'result';

/** Names of the speakers, as data sets and training tools write them. */
const SPEAKERS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['human', 'user'],
  ['user', 'user'],
  ['gpt', 'assistant'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['bot', 'assistant'],
  ['chatgpt', 'assistant'],
  ['system', 'system'],
  ['function_call', 'call'],
  ['tool_call', 'call'],
  ['observation', 'result'],
  ['tool', 'result'],
  ['function', 'result'],
  ['function_response', 'result'],
  ['tool_response', 'result'],
]);

/** Texts with these stand for media beside the conversation, one for each; they must stay. */
const MEDIA = /<(?:image|video|audio)>/;

/** ShareGPT: one conversation of `from`/`value` turns, alone or as the only one of a list. */
export const sharegpt: DocumentFormat = {
  name: 'sharegpt',
  title: 'ShareGPT conversation',
  layout: 'json',
  removal: 'training tools pair its turns by position',
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'public documentation',
  dialect: OPENAI_CHAT_ITEMS,
  detect,
  messagesAt: () => undefined,
  parts: ['/conversations/*', '/*/conversations/*', '/*'],
  indexer: (context, parts) => new TurnIndexer(context, parts as Parts | undefined),
};

function detect(head: Head): number {
  if (head.framing !== 'json') return 0;
  const turns = turnsOf(head.document);
  if (turns === undefined || turns.length === 0) return 0;
  return turns.every((turn) => isObject(turn) && isTurn(turn)) ? 90 : 0;
}

function turnsOf(document: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(document)) return arrayAt(document, 'conversations');
  const wrapped = document.map((element) => arrayAt(element, 'conversations'));
  // A list of several is a data set, which is not one conversation.
  return wrapped.length === 1 && wrapped[0] !== undefined ? wrapped[0] : document;
}

function isTurn(turn: Json): boolean {
  return SPEAKERS.has(stringAt(turn, 'from') ?? '') && typeof turn['value'] === 'string';
}

class TurnIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #document: unknown;
  readonly #messages: MessageDraft[] = [];
  /** Calls without an answer so far: a block of a message, by its place in it. */
  #waiting: { readonly blocks: BlockDraft[]; readonly index: number }[] = [];
  #answers = 0;

  constructor(context: IndexContext, parts: Parts | undefined) {
    this.#drafts = new Drafts(context, OPENAI_CHAT_ITEMS);
    this.#id = context.id;
    this.#document = parts?.document;
  }

  record(turn: unknown, record: number): void {
    const kind = SPEAKERS.get(stringAt(turn, 'from') ?? '');
    const value = stringAt(turn, 'value');
    if (kind === undefined || value === undefined) return;
    if (kind === 'result') this.#result(value, record);
    else if (kind === 'call' || (kind === 'assistant' && value.includes('<tool_call>')))
      this.#call(value, record);
    else this.#say(kind, value, record);
  }

  finish(): Indexed {
    const { meter, findings } = this.#drafts;
    const root = Array.isArray(this.#document) ? (this.#document[0] as unknown) : this.#document;
    const texts = ['system', 'tools'].map((key) => {
      const value = valueAt(root, key);
      if (typeof value === 'string') return meter.text(value);
      return value === undefined ? 0 : meter.json(value);
    });
    const overhead = texts.reduce((sum, tokens) => sum + tokens, 0);
    const conversation = buildConversation(this.#messages, { id: this.#id, overhead });
    return { conversations: [conversation], findings };
  }

  #say(kind: 'user' | 'assistant' | 'system', value: string, record: number): void {
    const block = MEDIA.test(value)
      ? this.#drafts.sealed('opaque', record, this.#drafts.meter.text(value))
      : this.#drafts.text(value, { record, pointer: '/value' });
    const draft = { role: kind, blocks: [block], records: [record] };
    if (kind === 'system') this.#messages.push({ ...draft, fixed: 'system-message' });
    else this.#messages.push({ ...draft, real: kind === 'user' });
  }

  /** There are no ids: a call gets one when an answer comes. */
  #call(value: string, record: number): void {
    const tokens = this.#drafts.meter.text(value);
    const blocks = toolsIn(value).map((tool, index) =>
      this.#drafts.sealed('toolCall', record, index === 0 ? tokens : 0, { tool }),
    );
    this.#messages.push({ role: 'assistant', blocks, records: [record] });
    this.#waiting = blocks.map((_, index) => ({ blocks, index }));
  }

  #result(value: string, record: number): void {
    const call = this.#waiting.shift();
    const callId = `turn ${this.#answers}`;
    this.#answers += 1;
    if (call !== undefined) {
      const block = call.blocks[call.index] as BlockDraft;
      call.blocks[call.index] = { ...block, callId };
    }
    const named = call === undefined ? {} : { callId };
    const block = MEDIA.test(value)
      ? this.#drafts.sealed('toolResult', record, this.#drafts.meter.text(value), named)
      : this.#drafts.result(value, { record, pointer: '/value', ...named });
    const last = this.#messages.at(-1);
    // Results that follow one another answer one reply.
    if (last?.blocks.every(({ kind }) => kind === 'toolResult') === true) {
      last.blocks.push(block);
      last.records.push(record);
    } else this.#messages.push({ role: 'user', blocks: [block], records: [record] });
  }
}

/** Names of the tools that a turn calls: one JSON call, a list of them, or several in tags. */
function toolsIn(value: string): string[] {
  const tagged = value.match(/(?<=<tool_call>)[\s\S]*?(?=<\/tool_call>)/g);
  const calls = (tagged ?? [value]).flatMap((text) => {
    const found = parse(text);
    return Array.isArray(found) ? (found as unknown[]) : [found];
  });
  const names = calls.map((call) => stringAt(call, 'name') ?? '');
  return names.length === 0 ? [''] : names;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
