import { append } from '../../append.ts';
import type { Copy } from '../../model/conversation.ts';
import { buildConversation } from '../build.ts';
import { type BlockDraft, Drafts, type MessageDraft } from '../builder.ts';
import { copiesIn } from '../copies.ts';
import { RESPONSES_ITEMS } from '../dialects.ts';
import type { Format, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import type { Item, Typed } from '../responses/items.ts';
import { recordIdentities } from '../typed.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { codexGapEditor } from './gap.ts';
import { readItem } from './items.ts';

const LINE_TYPES = [
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
];
const ITEM_TYPES = [
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'custom_tool_call',
];

/** Members of an event, or of the item in it, that repeat the output of a tool. */
const EVENT_OUTPUTS: readonly string[] = [
  'aggregated_output',
  'formatted_output',
  'stdout',
  'stderr',
  'chunk',
];

/** Codex rollout files, wrapped and old. What the client does with them: docs/formats/codex.md. */
export const codex: Format = {
  name: 'codex',
  title: 'Codex rollout',
  layout: 'jsonl',
  removal: true,
  strictAlternation: false,
  identity: 'record-key',
  vendor: 'openai',
  verified: 'Codex CLI 0.171.0',
  dialect: RESPONSES_ITEMS,
  detect,
  indexer: (context) => new CodexIndexer(context),
};

function detect(head: Head): number {
  if (head.framing !== 'jsonl') return 0;
  const wrapped = head.records.filter(
    (record) =>
      LINE_TYPES.includes(stringAt(record, 'type') ?? '') &&
      stringAt(record, 'timestamp') !== undefined &&
      isObject(valueAt(record, 'payload')),
  );
  if (wrapped.length > 0) return wrapped.length * 2 >= head.records.length ? 95 : 70;
  const first = head.records[0];
  const opened =
    stringAt(first, 'id') !== undefined &&
    stringAt(first, 'timestamp') !== undefined &&
    stringAt(first, 'type') === undefined;
  const bare = head.records.filter((record) => ITEM_TYPES.includes(stringAt(record, 'type') ?? ''));
  const state = head.records.some((record) => stringAt(record, 'record_type') !== undefined);
  return bare.length > 0 && (opened || state) ? 90 : 0;
}

class CodexIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  #messages: MessageDraft[] = [];
  #dead: MessageDraft[] = [];
  #open: { readonly part: Item['part']; readonly draft: MessageDraft } | undefined;
  #reasoning: { readonly draft: MessageDraft; readonly index: number } | undefined;
  readonly #sent = new Map<string, number>();
  readonly #copies: Copy[] = [];
  #overhead = 0;
  #usage: number | undefined;
  #model: string | undefined;

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, RESPONSES_ITEMS);
    this.#id = context.id;
  }

  record(value: unknown, record: number): void {
    if (isObject(value)) this.#line(value, record);
  }

  #line(value: Json, record: number): void {
    const payload = value['payload'];
    const typed = recordIdentities(value);
    switch (value['type']) {
      case 'response_item':
        this.#item(payload, record, '/payload', typed);
        break;
      case 'event_msg':
        this.#readCopies(payload, record);
        this.#event(payload);
        break;
      case 'token_usage_record':
        this.#event(payload);
        break;
      case 'compacted':
        this.#compacted(payload, record, typed);
        break;
      case 'turn_context':
        this.#model = stringAt(payload, 'model') ?? this.#model;
        break;
      case 'session_meta':
        this.#instructions(payload);
        break;
      default:
        if (payload === undefined) this.#bare(value, record, typed);
    }
  }

  /** Outputs that an event repeats for the screen; what a person or the model said there stays. */
  #readCopies(payload: unknown, record: number): void {
    const name = stringAt(payload, 'type') ?? '';
    for (const key of EVENT_OUTPUTS) {
      for (const [holder, base] of [
        [payload, '/payload'],
        [valueAt(payload, 'item'), '/payload/item'],
      ] as const) {
        append(
          this.#copies,
          copiesIn(valueAt(holder, key), { record, base: `${base}/${key}`, name }),
        );
      }
    }
  }

  finish(): Indexed {
    const drafts = [...this.#dead, ...this.#messages].toSorted(
      (left, right) => (left.records[0] ?? 0) - (right.records[0] ?? 0),
    );
    const conversation = buildConversation(drafts, {
      id: this.#id,
      overhead: this.#overhead,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      copies: this.#copies,
    });
    const caps = this.#sent;
    return {
      conversations: [conversation],
      findings: this.#drafts.findings,
      gaps: codexGapEditor,
      ...(caps.size === 0
        ? {}
        : {
            sent: (tokensOf) =>
              conversation.blocks.reduce((sum, block) => {
                if (conversation.messages[block.message]?.live !== true) return sum;
                const cap =
                  caps.get(`${block.record} ${block.pointer}`) ?? Number.POSITIVE_INFINITY;
                return sum + Math.min(tokensOf(block), cap);
              }, this.#overhead),
          }),
    };
  }

  /** Old files hold the items themselves; the first line is the session's head. */
  #bare(value: Json, record: number, typed: Typed): void {
    if (value['record_type'] !== undefined) return;
    if (stringAt(value, 'type') === undefined) this.#instructions(value);
    else this.#item(value, record, '', typed);
  }

  #instructions(head: unknown): void {
    const text = stringAt(head, 'base_instructions', 'text') ?? stringAt(head, 'instructions');
    const tools = arrayAt(head, 'dynamic_tools') ?? [];
    if (text === undefined && tools.length === 0) return;
    this.#overhead =
      this.#drafts.meter.text(text ?? '') + (tools.length > 0 ? this.#drafts.meter.json(tools) : 0);
  }

  #item(value: unknown, record: number, pointer: string, typed: Typed, fixed?: string): void {
    const item = readItem(value, record, pointer, typed, this.#drafts);
    if (item === undefined) return;
    if (item.sent !== undefined) this.#sent.set(`${record} ${pointer}/output`, item.sent);
    const joins =
      this.#open?.part === item.part && (item.part === 'reply' || item.part === 'result');
    if (joins && this.#open !== undefined) {
      append(this.#open.draft.blocks, item.blocks);
      if (this.#open.draft.records.at(-1) !== record) this.#open.draft.records.push(record);
    } else {
      this.#open = { part: item.part, draft: newDraft(item, record, fixed) };
      this.#messages.push(this.#open.draft);
    }
    if (item.blocks[0]?.kind === 'thinking') {
      this.#reasoning = { draft: this.#open.draft, index: this.#open.draft.blocks.length - 1 };
    }
  }

  #event(payload: unknown): void {
    const type = stringAt(payload, 'type');
    if (type === 'thread_rolled_back') {
      this.#rollBack(Number(valueAt(payload, 'num_turns')) || 0);
      return;
    }
    const usage = valueAt(payload, 'info', 'last_token_usage') ?? valueAt(payload, 'usage');
    const input = valueAt(usage, 'input_tokens');
    if (typeof input === 'number' && input > 0) this.#usage = input;
    const spent = valueAt(usage, 'reasoning_output_tokens');
    if (typeof spent !== 'number' || spent <= 0 || this.#reasoning === undefined) return;
    const { draft, index } = this.#reasoning;
    draft.blocks[index] = { ...(draft.blocks[index] as BlockDraft), tokens: spent, counted: false };
    this.#reasoning = undefined;
  }

  /** The last turns are not sent any more; positions before a rollback are counted by the client. */
  #rollBack(turns: number): void {
    let left = turns;
    let cut = this.#messages.length;
    while (left > 0 && cut > 0) {
      cut -= 1;
      if (this.#messages[cut]?.real === true) left -= 1;
    }
    this.#bury(this.#messages.splice(cut));
    this.#messages = this.#messages.map((draft) => ({ ...draft, fixed: 'before-rollback' }));
    this.#open = undefined;
  }

  #compacted(payload: unknown, record: number, typed: Typed): void {
    const history = arrayAt(payload, 'replacement_history');
    const kept = history === undefined ? this.#messages.filter((draft) => draft.real === true) : [];
    this.#bury(this.#messages.filter((draft) => !kept.includes(draft)));
    this.#messages = kept.map((draft) => ({ ...draft, fixed: 'before-compaction' }));
    this.#open = undefined;
    for (const [index, item] of (history ?? []).entries()) {
      this.#item(
        item,
        record,
        `/payload/replacement_history/${index}`,
        typed,
        'replacement-history',
      );
    }
    const summary = stringAt(payload, 'message');
    if (history === undefined && summary !== undefined && summary !== '') {
      const block = this.#drafts.sealed('opaque', record, this.#drafts.meter.text(summary));
      this.#messages.push({
        role: 'user',
        blocks: [block],
        records: [record],
        fixed: 'compaction-summary',
      });
    }
    this.#open = undefined;
  }

  #bury(drafts: readonly MessageDraft[]): void {
    for (const draft of drafts) this.#dead.push({ ...draft, live: false });
  }
}

const ROLES = { user: 'user', system: 'system', reply: 'assistant', result: 'user' } as const;

function newDraft(item: Item, record: number, fixed: string | undefined): MessageDraft {
  const why = fixed ?? (item.part === 'system' ? 'system-message' : undefined);
  return {
    role: ROLES[item.part],
    blocks: [...item.blocks],
    records: [record],
    real: item.real === true,
    ...(why === undefined ? {} : { fixed: why }),
  };
}
