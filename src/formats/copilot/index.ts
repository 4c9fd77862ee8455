import { append } from '../../append.ts';
import { buildConversation } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { Format, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { type TreeNode, treeGapEditor } from '../lines/tree-gap.ts';
import { isObject, type Json, stringAt, valueAt } from '../value.ts';
import { COPILOT_ITEMS, readEvent, type Sent } from './events.ts';
import { COPILOT_MARKERS } from './gap.ts';

/** Event logs of GitHub Copilot CLI. What the client does with them: docs/formats/copilot-cli.md. */
export const copilotCli: Format = {
  name: 'copilot-cli',
  title: 'GitHub Copilot CLI events',
  layout: 'jsonl',
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'anthropic',
  verified: 'Copilot CLI 1.0.102',
  dialect: COPILOT_ITEMS,
  detect,
  indexer: (context) => new CopilotIndexer(context),
};

const DOTTED = /^(session|user|assistant|tool|hook|system|subagent|skill)\.[a-z_]+$/;

function detect(head: Head): number {
  if (head.framing !== 'jsonl') return 0;
  const events = head.records.filter(
    (record) =>
      DOTTED.test(stringAt(record, 'type') ?? '') &&
      isObject(valueAt(record, 'data')) &&
      stringAt(record, 'id') !== undefined &&
      valueAt(record, 'parentId') !== undefined,
  );
  if (events.some((record) => stringAt(record, 'type') === 'session.start')) return 95;
  return events.length > 0 ? 85 : 0;
}

class CopilotIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #nodes: TreeNode[] = [];
  #messages: MessageDraft[] = [];
  #dead: MessageDraft[] = [];
  /** Messages at the start of a compaction: later ones stay, it runs beside the conversation. */
  #started: number | undefined;
  #open: { readonly joins: string; readonly draft: MessageDraft } | undefined;
  /** Messages that make a call, until its start event was seen. */
  readonly #callers = new Map<string, MessageDraft>();
  /** Tokens of what the person wrote: a compaction repeats it in front of its summary. */
  #typed = 0;
  #overhead = 0;
  #usage: number | undefined;
  #model: string | undefined;

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, COPILOT_ITEMS);
    this.#id = context.id;
  }

  record(value: unknown, record: number): void {
    if (!isObject(value)) return;
    const id = stringAt(value, 'id');
    const type = stringAt(value, 'type') ?? '';
    if (id !== undefined && DOTTED.test(type)) {
      this.#nodes.push({ record, id, parent: stringAt(value, 'parentId') ?? null });
    }
    if (Object.hasOwn(this.#state, type)) this.#state[type]?.(value, record);
    const sent = readEvent(value, record, this.#drafts);
    if (sent !== undefined) this.#add(sent, value, record);
  }

  finish(): Indexed {
    const conversation = buildConversation([...this.#dead, ...this.#messages], {
      id: this.#id,
      overhead: this.#overhead,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    });
    return {
      conversations: [conversation],
      findings: this.#drafts.findings,
      gaps: treeGapEditor(this.#nodes, [], COPILOT_MARKERS),
    };
  }

  /** Events that change what is sent, or say something about the session. */
  readonly #state: Readonly<Record<string, (event: Json, record: number) => void>> = {
    'system.message': (event) => {
      if (stringAt(event, 'agentId') !== undefined) return;
      this.#overhead = this.#drafts.meter.text(stringAt(event, 'data', 'content') ?? '');
    },
    'session.usage_record': (event) => {
      const input = valueAt(event, 'data', 'usage', 'inputTokens');
      if (typeof input === 'number' && input > 0) this.#usage = input;
    },
    'session.compaction_complete': (event, record) => this.#compacted(event, record),
    'session.compaction_start': () => {
      this.#started = this.#messages.length;
      this.#open = undefined;
    },
    'session.context_cleared': (event, record) => this.#cleared(event, record),
    'tool.execution_start': (event, record) => {
      const call = stringAt(event, 'data', 'toolCallId') ?? '';
      this.#callers.get(call)?.records.push(record);
      this.#callers.delete(call);
    },
  };

  #add(sent: Sent, event: Json, record: number): void {
    const { joins, ...draft } = sent;
    if (draft.live === false) {
      this.#dead.push(draft);
      return;
    }
    if (draft.real === true)
      this.#typed += this.#drafts.meter.text(stringAt(event, 'data', 'content') ?? '');
    if (draft.role === 'assistant') this.#model = stringAt(event, 'data', 'model') ?? this.#model;
    const open = this.#open;
    if (joins !== undefined && open?.joins === joins) {
      append(open.draft.blocks, draft.blocks);
      open.draft.records.push(record);
    } else {
      this.#messages.push(draft);
      this.#open = joins === undefined ? undefined : { joins, draft };
    }
    const owner = this.#messages.at(-1) as MessageDraft;
    for (const { kind, callId } of draft.blocks)
      if (kind === 'toolCall' && callId !== undefined) this.#callers.set(callId, owner);
  }

  /** The summary, after what the person wrote, stands for everything before the start of the compaction. */
  #compacted(event: Json, record: number): void {
    const summary = stringAt(event, 'data', 'summaryContent');
    const until = this.#started ?? this.#messages.length;
    this.#started = undefined;
    if (valueAt(event, 'data', 'success') !== true || summary === undefined) return;
    this.#bury(until);
    const place = { record, pointer: '/data/summaryContent' };
    this.#messages.unshift({
      role: 'user',
      blocks: [
        this.#drafts.sealed('opaque', record, this.#typed),
        ...(summary === '' ? [] : [this.#drafts.text(summary, place)]),
      ],
      records: [record],
      fixed: 'compaction-summary',
    });
  }

  #cleared(event: Json, record: number): void {
    this.#bury(this.#messages.length);
    const first = stringAt(event, 'data', 'initialMessage');
    if (first === undefined) return;
    const block = this.#drafts.sealed('opaque', record, this.#drafts.meter.text(first));
    this.#messages.push({ role: 'user', blocks: [block], records: [record], injected: true });
  }

  #bury(until: number): void {
    const gone = this.#messages.splice(0, until);
    for (const draft of gone) this.#dead.push({ ...draft, live: false });
    this.#open = undefined;
  }
}
