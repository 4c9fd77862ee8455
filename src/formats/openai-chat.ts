import { compactJson } from '../json/compact.ts';
import { arrayGapEditor } from './array/gap.ts';
import { ArrayIndexer, type ReadMessage } from './array/indexer.ts';
import type { BlockDraft, Drafts, MessageDraft } from './builder.ts';
import { OPENAI_CHAT_ITEMS } from './dialects.ts';
import type { DocumentFormat, Head } from './format.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from './value.ts';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
/** Where wrappers keep the messages (request bodies, batch lines, tau-bench runs, request logs). */
const PLACES = ['/messages', '/body/messages', '/traj', '/request/messages'];

/** OpenAI Chat Completions: an array of messages, a request body, and the wrappers seen around them. */
export const openaiChat: DocumentFormat = {
  name: 'openai-chat',
  title: 'OpenAI Chat Completions',
  layout: 'json',
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'openai',
  verified: 'public documentation',
  dialect: OPENAI_CHAT_ITEMS,
  detect,
  messagesAt: (document) => placeOf(document),
  indexer: (context, document) =>
    new ArrayIndexer(
      {
        dialect: OPENAI_CHAT_ITEMS,
        read: new ChatReader().read,
        overhead,
        model: (root) => stringAt(root, 'model') ?? stringAt(root, 'body', 'model'),
        gaps: arrayGapEditor({
          message: (literal, _identity, _marker, { colon, comma }) =>
            `{"role"${colon}"user"${comma}"content"${colon}${literal}}`,
        }),
      },
      context,
      document,
    ),
};

/** Pointer of the messages array, or undefined. */
function placeOf(document: unknown): string | undefined {
  if (Array.isArray(document)) return '';
  return PLACES.find((place) => Array.isArray(valueAt(document, ...place.slice(1).split('/'))));
}

function detect(head: Head): number {
  const place = head.framing === 'json' ? placeOf(head.document) : undefined;
  if (place === undefined) return 0;
  const found = place === '' ? head.document : valueAt(head.document, ...place.slice(1).split('/'));
  const messages = (found as readonly unknown[]).filter(isObject);
  if (messages.length === 0 || messages.some((message) => !isChatMessage(message))) return 0;
  if (messages.some(isMarked)) return 90;
  // Text alone: Chat Completions unless a top-level system prompt says otherwise.
  const system = valueAt(head.document, 'system') !== undefined;
  return system && messages.every(({ role }) => role === 'user' || role === 'assistant') ? 40 : 60;
}

function isChatMessage(message: Json): boolean {
  if (!ROLES.includes(stringAt(message, 'role') ?? '') || message['parts'] !== undefined)
    return false;
  const parts = arrayAt(message, 'content') ?? [];
  return parts.every((part) => {
    const type = stringAt(part, 'type');
    return (
      type !== undefined &&
      !['tool_use', 'tool_result', 'tool-call', 'tool-result', 'thinking', 'image'].includes(type)
    );
  });
}

function isMarked(message: Json): boolean {
  const calls = arrayAt(message, 'tool_calls')?.some(
    (call) => objectAt(call, 'function') !== undefined,
  );
  return (
    calls === true ||
    message['tool_call_id'] !== undefined ||
    message['function_call'] !== undefined
  );
}

function overhead(document: unknown, { meter }: Drafts): number {
  const root = objectAt(document, 'body') ?? document;
  const tools = valueAt(root, 'tools') ?? valueAt(root, 'functions');
  const system = stringAt(root, 'system') ?? '';
  return meter.text(system) + (tools === undefined ? 0 : meter.json(tools));
}

/** Reads messages in order; old function calls have no ids and are paired by position. */
export class ChatReader {
  #functions = 0;
  #lastResult = -2;

  readonly read = (value: unknown, record: number, drafts: Drafts): ReadMessage | undefined => {
    if (!isObject(value)) return undefined;
    const role = stringAt(value, 'role');
    if (role === 'tool' || role === 'function') return this.#result(value, record, drafts);
    const blocks = contentBlocks(value['content'], record, drafts);
    if (role === 'assistant') {
      const all = [
        ...reasoning(value, record, drafts),
        ...blocks,
        ...this.#calls(value, record, drafts),
      ];
      return { draft: { role, blocks: all, records: [record] } };
    }
    const draft: MessageDraft =
      role === 'user'
        ? { role, blocks, records: [record], real: true }
        : { role: 'system', blocks, records: [record], fixed: 'system-message' };
    return { draft };
  };

  #result(value: Json, record: number, drafts: Drafts): ReadMessage {
    const tool = stringAt(value, 'name');
    const block = drafts.result(value['content'], {
      record,
      pointer: '/content',
      callId: stringAt(value, 'tool_call_id') ?? `function ${this.#functions}`,
      ...(tool === undefined ? {} : { tool }),
    });
    return {
      draft: { role: 'user', blocks: [block], records: [record] },
      join: this.#wasResult(record),
    };
  }

  /** Results that follow one another answer one reply and are one message. */
  #wasResult(record: number): boolean {
    const joined = this.#lastResult === record - 1;
    this.#lastResult = record;
    return joined;
  }

  #calls(value: Json, record: number, drafts: Drafts): BlockDraft[] {
    const legacy = objectAt(value, 'function_call');
    if (legacy !== undefined) this.#functions += 1;
    const calls = [
      ...(arrayAt(value, 'tool_calls') ?? []),
      ...(legacy === undefined ? [] : [{ function: legacy }]),
    ];
    return calls.map((call, index) => {
      const body = objectAt(call, 'function') ?? objectAt(call, 'custom') ?? {};
      const tool = stringAt(body, 'name') ?? '';
      const input =
        stringAt(body, 'arguments') ??
        stringAt(body, 'input') ??
        compactJson(body['arguments'] ?? '');
      const tokens = drafts.meter.text(tool) + drafts.meter.text(input);
      const callId = stringAt(call, 'id') ?? `function ${this.#functions}`;
      const pointer =
        objectAt(call, 'custom') === undefined
          ? `/tool_calls/${index}/function/arguments`
          : `/tool_calls/${index}/custom/input`;
      return drafts.sealed('toolCall', record, tokens, { tool, callId, pointer });
    });
  }
}

function reasoning(value: Json, record: number, drafts: Drafts): BlockDraft[] {
  const text = stringAt(value, 'reasoning_content') ?? stringAt(value, 'reasoning') ?? '';
  const details = value['reasoning_details'];
  if (text === '' && details === undefined) return [];
  const tokens = drafts.meter.text(text) + (details === undefined ? 0 : drafts.meter.json(details));
  return [drafts.sealed('thinking', record, tokens, { signed: details !== undefined })];
}

function contentBlocks(content: unknown, record: number, drafts: Drafts): BlockDraft[] {
  if (typeof content === 'string') return [drafts.text(content, { record, pointer: '/content' })];
  if (!Array.isArray(content)) return [];
  return content.map((part, index) => {
    const text = stringAt(part, 'type') === 'text' ? stringAt(part, 'text') : undefined;
    if (text !== undefined) return drafts.text(text, { record, pointer: `/content/${index}/text` });
    return drafts.media(part, { record, pointer: `/content/${index}` });
  });
}
