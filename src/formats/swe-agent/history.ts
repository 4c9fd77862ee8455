import type { BlockDraft, Drafts, MessageDraft } from '../builder.ts';
import { OPENAI_CHAT_ITEMS } from '../dialects.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt } from '../value.ts';
import type { OwnText } from './repeats.ts';

/** Reads the history: what the model sees. Without tool calls an action is paired with what follows it. */
export class HistoryReader {
  readonly messages: MessageDraft[] = [];
  readonly #drafts: Drafts;
  #steps = 0;
  /** The action that nobody has answered. */
  #open: string | undefined;
  #asked = false;

  constructor(drafts: Drafts) {
    this.#drafts = drafts;
  }

  /** Adds a message; gives back its texts that may be edited. */
  read(value: unknown, record: number): OwnText[] {
    if (!isObject(value)) return [];
    const draft = this.#draft(value, record);
    if (draft === undefined) return [];
    this.messages.push(draft);
    return draft.blocks.flatMap(({ shape, pointer }) => {
      if (shape !== 'string' || pointer === undefined) return [];
      const text = textAt(value, pointer);
      return text === undefined ? [] : [{ text, record, pointer }];
    });
  }

  #draft(value: Json, record: number): MessageDraft | undefined {
    const role = stringAt(value, 'role');
    const records = [record];
    // A demonstration is part of the instructions, whoever seems to speak in it.
    if (value['is_demo'] === true)
      return { role: 'user', blocks: this.#content(value, record), records, injected: true };
    if (role === 'system')
      return { role, blocks: this.#content(value, record), records, fixed: 'system-message' };
    if (role === 'assistant') return { role, blocks: this.#reply(value, record), records };
    if (role === 'tool') {
      const id = stringAt(value, 'tool_call_id') ?? arrayAt(value, 'tool_call_ids')?.[0];
      const callId = typeof id === 'string' ? id : undefined;
      return { role: 'user', blocks: [this.#result(value, record, callId)], records };
    }
    if (role !== 'user') return undefined;
    const callId = this.#open;
    this.#open = undefined;
    if (callId !== undefined)
      return { role, blocks: [this.#result(value, record, callId)], records };
    // The first message that is no demonstration is the task.
    const real = !this.#asked;
    this.#asked = true;
    return { role, blocks: this.#content(value, record), records, real };
  }

  #reply(value: Json, record: number): BlockDraft[] {
    const { meter } = this.#drafts;
    const thinking = (arrayAt(value, 'thinking_blocks') ?? []).map((block) =>
      this.#drafts.sealed('thinking', record, meter.text(stringAt(block, 'thinking') ?? ''), {
        signed: true,
      }),
    );
    const calls = (arrayAt(value, 'tool_calls') ?? []).map((call, index) => {
      const body = objectAt(call, 'function') ?? {};
      const tool = stringAt(body, 'name') ?? '';
      const tokens = meter.text(tool) + argumentTokens(body['arguments'], this.#drafts);
      return this.#drafts.sealed('toolCall', record, tokens, {
        tool,
        callId: stringAt(call, 'id') ?? '',
        pointer: `/tool_calls/${index}/function/arguments`,
      });
    });
    return [
      ...thinking,
      ...this.#content(value, record),
      ...calls,
      ...this.#action(value, record, calls),
    ];
  }

  /** An action that stands in the reply's text has no tokens of its own. */
  #action(value: Json, record: number, calls: readonly BlockDraft[]): BlockDraft[] {
    this.#open = undefined;
    if (calls.length > 0) return [];
    const callId = `step ${this.#steps}`;
    this.#steps += 1;
    this.#open = callId;
    const pointer = stringAt(value, 'action') === undefined ? {} : { pointer: '/action' };
    return [this.#drafts.sealed('toolCall', record, 0, { tool: 'action', callId, ...pointer })];
  }

  #result(value: Json, record: number, callId: string | undefined): BlockDraft {
    const content = value['content'];
    const only =
      Array.isArray(content) && content.length === 1 ? stringAt(content[0], 'text') : undefined;
    const named = callId === undefined ? {} : { callId };
    // A single text part is wrapped for a prompt cache only: its text is the result.
    return only === undefined
      ? this.#drafts.result(content ?? '', { record, pointer: '/content', ...named })
      : this.#drafts.result(only, { record, pointer: '/content/0/text', ...named });
  }

  #content(value: Json, record: number): BlockDraft[] {
    const content = value['content'];
    // A reply that only calls has no text to send.
    if (content === '' && value['role'] === 'assistant') return [];
    if (typeof content === 'string')
      return [this.#drafts.text(content, { record, pointer: '/content' })];
    if (!Array.isArray(content)) return [];
    return content.map((part, index) => {
      const pointer = `/content/${index}`;
      const text = OPENAI_CHAT_ITEMS.itemText(part)?.text;
      if (text === undefined) return this.#drafts.media(part, { record, pointer });
      return this.#drafts.text(text, { record, pointer: `${pointer}/text` });
    });
  }
}

function argumentTokens(value: unknown, { meter }: Drafts): number {
  return typeof value === 'string' ? meter.text(value) : meter.json(value ?? null);
}

/** The text at `/content` or `/content/N/text`. */
function textAt(value: Json, pointer: string): string | undefined {
  const part = /^\/content\/(\d+)\/text$/.exec(pointer)?.[1];
  if (part === undefined) return stringAt(value, 'content');
  return stringAt(arrayAt(value, 'content')?.[Number(part)], 'text');
}
