import { type BlockDraft, Drafts } from '../builder.ts';
import { OPENAI_CHAT_ITEMS } from '../dialects.ts';
import type { IndexContext, Indexed } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { failed, forgottenBy, readCall } from './answers.ts';
import type { PageCache } from './pages.ts';
import { type Sent, Thread } from './thread.ts';

/** Actions and observations that only tell what the program did; a recall is answered with context. */
const UNSENT = [
  '',
  'null',
  'agent_state_changed',
  'change_agent_state',
  'condensation_request',
  'loop_recovery',
];

/** Reads the events of OpenHands up to 0.x: what its conversation memory would send of them. */
export class EventReader {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #thread = new Thread();
  /** Answer of the model that a call came from, by call id. */
  readonly #replies = new Map<string, string>();
  readonly #cache: PageCache | undefined;
  #overhead = 0;
  #model: string | undefined;

  constructor(context: IndexContext, cache?: PageCache) {
    this.#drafts = new Drafts(context, OPENAI_CHAT_ITEMS);
    this.#id = context.id;
    this.#cache = cache;
  }

  /** One event; `position` is its id where it has none. */
  read(event: unknown, record: number, position: number): void {
    if (!isObject(event)) return;
    const id = typeof event['id'] === 'number' ? event['id'] : position;
    const sent = { record, id: String(id) };
    const action = stringAt(event, 'action') ?? '';
    const observation = stringAt(event, 'observation') ?? '';
    if (!UNSENT.includes(action)) this.#action(event, action, sent);
    else if (!UNSENT.includes(observation)) this.#observation(event, observation, sent);
  }

  finish(): Indexed {
    const conversation = this.#thread.conversation({
      id: this.#id,
      overhead: this.#overhead,
      ...(this.#model === undefined ? {} : { model: this.#model }),
    });
    return { conversations: [conversation], findings: this.#drafts.findings };
  }

  #action(event: Json, action: string, sent: Sent): void {
    const user = event['source'] === 'user';
    switch (action) {
      case 'message': {
        const blocks = [...this.#text(event, sent, '/args/content'), ...this.#images(event, sent)];
        this.#thread.add(sent, user ? { role: 'user', real: true } : { role: 'assistant' }, blocks);
        break;
      }
      case 'system':
        this.#overhead = this.#promptTokens(event);
        break;
      case 'condensation':
        this.#thread.condense(sent, forgottenBy(event), this.#text(event, sent, '/args/summary'));
        break;
      case 'recall':
        break;
      case 'finish':
        this.#thread.add(sent, { role: 'assistant' }, this.#text(event, sent, '/args/thought'));
        break;
      default:
        // What a person ran is told to the model.
        if (user) this.#thread.add(sent, { role: 'user' }, [this.#sealed(event['args'], sent)]);
        else this.#call(event, action, sent);
    }
  }

  #promptTokens(event: Json): number {
    const { meter } = this.#drafts;
    const tools = valueAt(event, 'args', 'tools') ?? null;
    const prompt = meter.text(stringAt(event, 'args', 'content') ?? '');
    return prompt + (tools === null ? 0 : meter.json(tools));
  }

  /** What the client puts into words from these fields. */
  #sealed(fields: unknown, { record }: Sent): BlockDraft {
    return this.#drafts.sealed('opaque', record, this.#drafts.meter.json(fields ?? null));
  }

  #call(event: Json, action: string, sent: Sent): void {
    const { block, callId, reply, said, model } = readCall(
      event,
      action,
      sent.id,
      sent.record,
      this.#drafts,
    );
    this.#model = model ?? this.#model;
    this.#replies.set(callId, reply);
    this.#thread.call(sent, reply, this.#thread.knows(reply) ? [block] : [...said, block]);
  }

  #observation(event: Json, observation: string, sent: Sent): void {
    if (observation === 'recall') {
      // Knowledge about the workspace, which the client puts into words.
      this.#thread.add(sent, { role: 'user', injected: true }, [
        this.#sealed(event['extras'], sent),
      ]);
      return;
    }
    const cause = typeof event['cause'] === 'number' ? `event ${event['cause']}` : '';
    const callId = stringAt(event, 'tool_call_metadata', 'tool_call_id') ?? cause;
    const reply = this.#replies.get(callId);
    const outputs = stringAt(event, 'extras', 'outputs', 'content');
    const delegated = observation === 'delegate' && outputs !== undefined;
    const content = delegated ? outputs : stringAt(event, 'content');
    if (content === undefined || (content === '' && reply === undefined)) return;
    const result = this.#drafts.result(content, {
      record: sent.record,
      pointer: delegated ? '/extras/outputs/content' : '/content',
      ...(reply === undefined ? {} : { callId }),
      ...failed(event, observation),
    });
    const blocks = [this.#cached(result, content, sent), ...this.#images(event, sent)];
    if (reply === undefined) this.#thread.add(sent, { role: 'user' }, blocks);
    else this.#thread.answer(sent, reply, blocks);
  }

  #text(event: Json, sent: Sent, pointer: string): BlockDraft[] {
    const text = stringAt(event, ...pointer.slice(1).split('/'));
    if (text === undefined || text === '') return [];
    return [this.#cached(this.#drafts.text(text, { record: sent.record, pointer }), text, sent)];
  }

  #cached(block: BlockDraft, text: string, sent: Sent): BlockDraft {
    const also = this.#cache?.places(sent.id, block.pointer ?? '', text) ?? [];
    return also.length === 0 ? block : { ...block, also };
  }

  /** Pictures are plain URLs in a list, where no text can stand. */
  #images(event: Json, { record }: Sent): BlockDraft[] {
    const urls = arrayAt(event, 'args', 'image_urls') ?? arrayAt(event, 'extras', 'image_urls');
    return (urls ?? []).map((url) =>
      this.#drafts.media({ type: 'image_url', image_url: url }, { record, pointer: '' }, true),
    );
  }
}
