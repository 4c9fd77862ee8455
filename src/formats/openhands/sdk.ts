import { type BlockDraft, Drafts } from '../builder.ts';
import type { Dialect, IndexContext, Indexed, ItemMedia, ItemText } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { type Sent, Thread } from './thread.ts';

/** Content of the SDK's messages and observations. */
export const SDK_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    const text = stringAt(item, 'type') === 'text' ? stringAt(item, 'text') : undefined;
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const url = stringAt({ url: arrayAt(item, 'image_urls')?.[0] }, 'url');
    if (stringAt(item, 'type') !== 'image' || url === undefined) return undefined;
    const [, mime, base64] = /^data:([^;,]*);base64,([\s\S]*)$/.exec(url) ?? [];
    const data = base64 === undefined ? { url } : { base64, mime: mime ?? '' };
    return { kind: 'image', data };
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
};

/** Kinds of events that are sent; every other kind tells what the program did. */
export const SENT_KINDS: readonly string[] = [
  'SystemPromptEvent',
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'AgentErrorEvent',
  'UserRejectObservation',
  'Condensation',
];

/** Reads the events of the OpenHands SDK (1.x), which keeps each as it is sent. */
export class SdkReader {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #thread = new Thread();
  readonly #replies = new Map<string, string>();
  #overhead = 0;
  model: string | undefined;

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, SDK_ITEMS);
    this.#id = context.id;
  }

  read(event: unknown, record: number): void {
    if (!isObject(event)) return;
    const sent = { record, id: stringAt(event, 'id') ?? `record ${record}` };
    switch (stringAt(event, 'kind') ?? '') {
      case 'SystemPromptEvent':
        this.#overhead = this.#promptTokens(event);
        break;
      case 'MessageEvent':
        this.#message(event, sent);
        break;
      case 'ActionEvent':
        this.#action(event, sent);
        break;
      case 'ObservationEvent':
        this.#answer(event, sent, this.#observed(event, sent));
        break;
      case 'AgentErrorEvent':
        this.#answer(event, sent, this.#refused(event, sent, 'error'));
        break;
      case 'UserRejectObservation':
        this.#answer(event, sent, this.#refused(event, sent, 'rejection_reason'));
        break;
      case 'Condensation':
        this.#condensation(event, sent);
        break;
      default:
    }
  }

  finish(): Indexed {
    const conversation = this.#thread.conversation({
      id: this.#id,
      overhead: this.#overhead,
      ...(this.model === undefined ? {} : { model: this.model }),
    });
    return { conversations: [conversation], findings: this.#drafts.findings };
  }

  #promptTokens(event: Json): number {
    const { meter } = this.#drafts;
    const texts = ['system_prompt', 'dynamic_context'].map(
      (key) => stringAt(event, key, 'text') ?? '',
    );
    const tools = event['tools'] === undefined ? 0 : meter.json(event['tools']);
    return texts.reduce((sum, text) => sum + meter.text(text), tools);
  }

  #message(event: Json, sent: Sent): void {
    const user = event['source'] === 'user';
    const message = event['llm_message'];
    const { meter } = this.#drafts;
    const extra = (arrayAt(event, 'extended_content') ?? []).map((item) =>
      this.#drafts.sealed('opaque', sent.record, meter.text(stringAt(item, 'text') ?? '')),
    );
    const blocks = [
      ...this.#thinking(message, sent),
      ...this.#items(valueAt(message, 'content'), sent, '/llm_message/content'),
      ...extra,
    ];
    this.#thread.add(sent, user ? { role: 'user', real: true } : { role: 'assistant' }, blocks);
  }

  #action(event: Json, sent: Sent): void {
    const { meter } = this.#drafts;
    const tool = stringAt(event, 'tool_name') ?? '';
    const callId = stringAt(event, 'tool_call_id') ?? '';
    const input = stringAt(event, 'tool_call', 'arguments') ?? '';
    const call = this.#drafts.sealed(
      'toolCall',
      sent.record,
      meter.text(tool) + meter.text(input),
      {
        tool,
        callId,
        pointer: '/tool_call/arguments',
      },
    );
    const reply = stringAt(event, 'llm_response_id') ?? sent.id;
    this.#replies.set(callId, reply);
    const said = [
      ...this.#thinking(event, sent),
      ...this.#items(event['thought'], sent, '/thought'),
    ];
    this.#thread.call(sent, reply, [...said, call]);
  }

  #thinking(holder: unknown, { record }: Sent): BlockDraft[] {
    const { meter } = this.#drafts;
    const blocks = (arrayAt(holder, 'thinking_blocks') ?? []).map((block) =>
      this.#drafts.sealed('thinking', record, meter.text(stringAt(block, 'thinking') ?? ''), {
        signed: true,
      }),
    );
    const item = valueAt(holder, 'responses_reasoning_item') ?? null;
    const plain = stringAt(holder, 'reasoning_content') ?? '';
    // Signed blocks say the same as the plain text.
    if (blocks.length > 0) return blocks;
    if (item !== null)
      return [this.#drafts.sealed('thinking', record, meter.json(item), { signed: true })];
    return plain === '' ? [] : [this.#drafts.sealed('thinking', record, meter.text(plain))];
  }

  #items(content: unknown, { record }: Sent, base: string): BlockDraft[] {
    if (!Array.isArray(content)) return [];
    return content.flatMap((item: unknown, index) => {
      const text = SDK_ITEMS.itemText(item)?.text;
      const pointer = `${base}/${index}`;
      if (text === '') return [];
      if (text === undefined) return [this.#drafts.media(item, { record, pointer })];
      return [this.#drafts.text(text, { record, pointer: `${pointer}/text` })];
    });
  }

  #observed(event: Json, { record }: Sent): BlockDraft[] {
    const facts = { record, callId: stringAt(event, 'tool_call_id') ?? '', ...failed(event) };
    const content = valueAt(event, 'observation', 'content');
    const extra = (arrayAt(event, 'extended_content') ?? []).map((item) =>
      this.#drafts.sealed('opaque', record, this.#drafts.meter.text(stringAt(item, 'text') ?? '')),
    );
    if (typeof content === 'string' || Array.isArray(content)) {
      const pointer = '/observation/content';
      return [this.#drafts.result(content, { ...facts, pointer }), ...extra];
    }
    // Observations of the first versions have their text in a field of their own kind.
    const key = largestText(event['observation']);
    if (key === undefined) return [this.#drafts.sealed('toolResult', record, 0, facts), ...extra];
    const rest = Object.entries(event['observation'] as Json).filter(([name]) => name !== key);
    const tokens = this.#drafts.meter.json(Object.fromEntries(rest));
    const result = this.#drafts.result(stringAt(event, 'observation', key), {
      ...facts,
      pointer: `/observation/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    });
    return [result, this.#drafts.sealed('opaque', record, tokens), ...extra];
  }

  #refused(event: Json, { record }: Sent, key: string): BlockDraft[] {
    const callId = stringAt(event, 'tool_call_id') ?? '';
    const text = stringAt(event, key) ?? '';
    return [this.#drafts.result(text, { record, pointer: `/${key}`, callId, isError: true })];
  }

  #answer(event: Json, sent: Sent, blocks: BlockDraft[]): void {
    const reply = this.#replies.get(stringAt(event, 'tool_call_id') ?? '');
    if (reply === undefined) this.#thread.add(sent, { role: 'user' }, blocks);
    else this.#thread.answer(sent, reply, blocks);
  }

  #condensation(event: Json, sent: Sent): void {
    const ids: ReadonlySet<unknown> = new Set(arrayAt(event, 'forgotten_event_ids'));
    const text = stringAt(event, 'summary') ?? '';
    const place = { record: sent.record, pointer: '/summary' };
    const blocks = text === '' ? [] : [this.#drafts.text(text, place)];
    this.#thread.condense(sent, (id) => ids.has(id), blocks);
  }
}

function failed(event: Json): { readonly isError?: boolean } {
  const flag = valueAt(event, 'observation', 'is_error') ?? valueAt(event, 'observation', 'error');
  const code = valueAt(event, 'observation', 'exit_code');
  if (flag === true || (typeof code === 'number' && code !== 0)) return { isError: true };
  return typeof flag === 'boolean' || typeof code === 'number' ? { isError: false } : {};
}

/** Name of the longest text of an object. */
function largestText(value: unknown): string | undefined {
  const texts = Object.entries(isObject(value) ? value : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'kind',
  );
  return texts.toSorted(([, left], [, right]) => right.length - left.length)[0]?.[0];
}
