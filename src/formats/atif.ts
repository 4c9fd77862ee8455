import type { MediaData } from '../measure/media.ts';
import { buildConversation } from './build.ts';
import { type BlockDraft, Drafts, type MessageDraft } from './builder.ts';
import type {
  Dialect,
  DocumentFormat,
  Head,
  IndexContext,
  Indexed,
  Indexer,
  ItemMedia,
  ItemText,
} from './format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from './value.ts';

const SOURCES = ['system', 'user', 'agent'];

/** Content parts of ATIF 1.6 and later: texts, and media by path. */
const ATIF_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    const text = stringAt(item, 'type') === 'text' ? stringAt(item, 'text') : undefined;
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    if (stringAt(item, 'type') !== 'image') return undefined;
    return { kind: 'image', data: sourceData(valueAt(item, 'source')) };
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
};

/** Agent Trajectory Interchange Format: one document with numbered steps; results lie in the step of their calls. */
export const atif: DocumentFormat = {
  name: 'atif',
  title: 'ATIF trajectory',
  layout: 'json',
  removal: 'its steps are numbered from 1 without gaps',
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of the reference models (Harbor)',
  dialect: ATIF_ITEMS,
  detect,
  messagesAt: (document) => (arrayAt(document, 'steps') === undefined ? undefined : '/steps'),
  indexer: (context, document) => new AtifIndexer(context, document),
};

function detect(head: Head): number {
  if (head.framing !== 'json' || arrayAt(head.document, 'steps') === undefined) return 0;
  return stringAt(head.document, 'schema_version')?.startsWith('ATIF-') === true ? 95 : 0;
}

class AtifIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #document: unknown;
  readonly #messages: MessageDraft[] = [];
  #model: string | undefined;
  #usage: number | undefined;

  constructor(context: IndexContext, document: unknown) {
    this.#drafts = new Drafts(context, ATIF_ITEMS);
    this.#id = context.id;
    this.#document = document;
  }

  record(step: unknown, record: number): void {
    const source = stringAt(step, 'source') ?? '';
    if (!isObject(step) || !SOURCES.includes(source)) return;
    const said = contentBlocks(step['message'], record, this.#drafts);
    if (source === 'agent') this.#reply(step, record, said);
    else if (said.length > 0) this.#messages.push(prompt(source, record, said));
    const results = this.#results(step, record);
    if (results.length > 0)
      this.#messages.push({ role: 'user', blocks: results, records: [record] });
  }

  finish(): Indexed {
    const { meter, findings } = this.#drafts;
    const tools = valueAt(this.#document, 'agent', 'tool_definitions');
    const model = this.#model ?? stringAt(this.#document, 'agent', 'model_name');
    const conversation = buildConversation(this.#messages, {
      id: this.#id,
      overhead: tools === undefined ? 0 : meter.json(tools),
      ...(model === undefined ? {} : { model }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    });
    return { conversations: [conversation], findings };
  }

  #reply(step: Json, record: number, said: readonly BlockDraft[]): void {
    const { meter } = this.#drafts;
    const thought = stringAt(step, 'reasoning_content') ?? '';
    const thinking =
      thought === '' ? [] : [this.#drafts.sealed('thinking', record, meter.text(thought))];
    const calls = (arrayAt(step, 'tool_calls') ?? []).map((call, index) => {
      const tool = stringAt(call, 'function_name') ?? '';
      const tokens = meter.text(tool) + meter.json(valueAt(call, 'arguments') ?? null);
      return this.#drafts.sealed('toolCall', record, tokens, {
        tool,
        callId: stringAt(call, 'tool_call_id') ?? '',
        pointer: `/tool_calls/${index}/arguments`,
      });
    });
    const blocks = [...thinking, ...said, ...calls];
    this.#messages.push({ role: 'assistant', blocks, records: [record] });
    this.#model = stringAt(step, 'model_name') ?? this.#model;
    const usage = valueAt(step, 'metrics', 'prompt_tokens');
    if (typeof usage === 'number') this.#usage = usage;
  }

  #results(step: Json, record: number): BlockDraft[] {
    return (arrayAt(step, 'observation', 'results') ?? []).map((result, index) => {
      const callId = stringAt(result, 'source_call_id');
      const named = callId === undefined ? {} : { callId };
      const content = valueAt(result, 'content');
      // A result may only refer to the trajectory of a subagent.
      if (typeof content !== 'string' && !Array.isArray(content))
        return this.#drafts.sealed('toolResult', record, 0, named);
      const pointer = `/observation/results/${index}/content`;
      return this.#drafts.result(content, { record, pointer, ...named });
    });
  }
}

function prompt(source: string, record: number, blocks: BlockDraft[]): MessageDraft {
  return source === 'user'
    ? { role: 'user', blocks, records: [record], real: true }
    : { role: 'system', blocks, records: [record], fixed: 'system-message' };
}

/** A step that only calls has an empty message, which is nothing to send. */
function contentBlocks(content: unknown, record: number, drafts: Drafts): BlockDraft[] {
  if (typeof content === 'string')
    return content === '' ? [] : [drafts.text(content, { record, pointer: '/message' })];
  if (!Array.isArray(content)) return [];
  return content.map((part, index) => {
    const pointer = `/message/${index}`;
    const text = ATIF_ITEMS.itemText(part)?.text;
    if (text === undefined) return drafts.media(part, { record, pointer });
    return drafts.text(text, { record, pointer: `${pointer}/text` });
  });
}

function sourceData(source: unknown): MediaData {
  const url = stringAt(source, 'path');
  const mime = stringAt(source, 'media_type');
  return { ...(url === undefined ? {} : { url }), ...(mime === undefined ? {} : { mime }) };
}
