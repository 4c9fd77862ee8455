import { append } from '../../append.ts';
import { buildConversation, stringPool } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { Format, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { type Reference, type TreeNode, treeGapEditor } from '../lines/tree-gap.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from '../value.ts';
import { PI_ITEMS } from './dialect.ts';
import { PI_MARKERS } from './gap.ts';
import { readEntry, type Sent } from './messages.ts';
import { type Branch, type Entry, readBranch } from './tree.ts';

/** Sessions of pi and its forks: a tree of entries. What the client does with them: docs/formats/pi.md. */
export const pi: Format = {
  name: 'pi',
  title: 'pi session',
  layout: 'jsonl',
  removal: true,
  strictAlternation: false,
  identity: 'record-key',
  vendor: 'anthropic',
  verified: 'pi 0.73.1',
  dialect: PI_ITEMS,
  detect: (head) => (isLinear(head) ? 0 : score(head)),
  indexer: (context) => new PiIndexer(context),
};

/** Sessions of the first version: entries without ids, one after the other. */
export const piV1: Format = {
  ...pi,
  name: 'pi-v1',
  title: 'pi session, version 1',
  removal:
    'a compaction names its first kept entry by position, and the client gives new ids on load',
  detect: (head) => (isLinear(head) ? score(head) : 0),
};

const OWN_TYPES = ['model_change', 'thinking_level_change', 'branch_summary', 'custom_message'];
const OWN_ROLES = ['toolResult', 'bashExecution', 'hookMessage', 'custom'];

function score(head: Head): number {
  if (head.framing !== 'jsonl') return 0;
  if (head.records.some(isHeader)) return 95;
  // A file may start in the middle of its tree.
  const entries = head.records.filter((record) => stringAt(record, 'id') !== undefined);
  return entries.some(isOwn) ? 85 : 0;
}

function isHeader(record: unknown): boolean {
  return stringAt(record, 'type') === 'session' && stringAt(record, 'cwd') !== undefined;
}

function isOwn(record: unknown): boolean {
  const type = stringAt(record, 'type') ?? '';
  if (OWN_TYPES.includes(type)) return valueAt(record, 'parentId') !== undefined;
  if (type !== 'message') return false;
  const message = objectAt(record, 'message');
  if (OWN_ROLES.includes(stringAt(message, 'role') ?? '')) return true;
  return stringAt(message, 'api') !== undefined && arrayAt(message, 'content') !== undefined;
}

/** Version 1: the header says so, or says nothing and no entry has an id. */
function isLinear(head: Head): boolean {
  const header = head.records.find(isHeader);
  if (header === undefined) return false;
  const version = valueAt(header, 'version');
  if (typeof version === 'number' && version >= 2) return false;
  return !head.records.some(
    (record) =>
      !isHeader(record) &&
      stringAt(record, 'id') !== undefined &&
      valueAt(record, 'parentId') !== undefined,
  );
}

const REFERENCES = ['firstKeptEntryId', 'fromId', 'targetId'];

class PiIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #entries: Entry[] = [];
  readonly #sent = new Map<number, Sent>();
  readonly #references: Reference[] = [];
  /** Records of the lines that parse: version 1 counts these. */
  readonly #lines: number[] = [];
  readonly #replies = new Map<number, { readonly model?: string; readonly usage?: number }>();
  readonly #shared = stringPool();
  #overhead = 0;

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, PI_ITEMS);
    this.#id = context.id;
  }

  record(value: unknown, record: number): void {
    if (value === undefined) return;
    this.#lines.push(record);
    if (!isObject(value)) return;
    const type = value['type'];
    // The padded title of oh-my-pi is rewritten in place by its owner: it is never touched.
    if (type === 'session' || type === 'title') return;
    this.#entries.push(this.#entry(value, record));
    if (type === 'session_init') this.#overhead = this.#instructions(value);
    const sent = readEntry(value, record, this.#drafts);
    if (sent !== undefined) this.#sent.set(record, sent);
    if (sent?.role === 'assistant') this.#replies.set(record, replyFacts(value));
  }

  finish(): Indexed {
    const branch = readBranch(this.#entries, this.#lines);
    const order = assemble(branch, this.#sent, this.#entries);
    const replies = branch.live.flatMap(({ record }) => this.#replies.get(record) ?? []);
    const model = replies.findLast((reply) => reply.model !== undefined)?.model;
    const usage = replies.findLast((reply) => reply.usage !== undefined)?.usage;
    const conversation = buildConversation(order, {
      id: this.#id,
      overhead: this.#overhead,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    const nodes = this.#entries.flatMap(({ record, id, parent }): TreeNode[] =>
      id === undefined ? [] : [{ record, id, parent }],
    );
    return {
      conversations: [conversation],
      findings: [...this.#drafts.findings, ...branch.findings],
      gaps: treeGapEditor(nodes, this.#references, PI_MARKERS),
    };
  }

  #entry(value: Json, record: number): Entry {
    const id = stringAt(value, 'id');
    const parent = stringAt(value, 'parentId');
    for (const field of REFERENCES) {
      const named = stringAt(value, field);
      if (named !== undefined) this.#references.push({ record, field, id: this.#shared(named) });
    }
    const kept = stringAt(value, 'firstKeptEntryId');
    const line = valueAt(value, 'firstKeptEntryIndex');
    const compaction = {
      ...(kept === undefined ? {} : { id: kept }),
      ...(typeof line === 'number' ? { line } : {}),
    };
    return {
      record,
      parent: parent === undefined ? null : this.#shared(parent),
      ...(id === undefined ? {} : { id: this.#shared(id) }),
      ...(value['type'] === 'compaction' ? { compaction } : {}),
    };
  }

  /** What a fork notes of a subagent's prompt; pi itself stores none. */
  #instructions(value: Json): number {
    const { meter } = this.#drafts;
    const tools = arrayAt(value, 'tools');
    return (
      meter.text(stringAt(value, 'systemPrompt') ?? '') +
      (tools === undefined ? 0 : meter.json(tools))
    );
  }
}

function replyFacts(value: Json): { readonly model?: string; readonly usage?: number } {
  const model = stringAt(value, 'message', 'model');
  const parts = ['input', 'cacheRead', 'cacheWrite'].map((key) =>
    valueAt(value, 'message', 'usage', key),
  );
  const usage = parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : 0), 0);
  return { ...(model === undefined ? {} : { model }), ...(usage > 0 ? { usage } : {}) };
}

/** Messages in the order in which they are sent; what is not sent stands where the file has it. */
function assemble(
  { compaction, live }: Branch,
  sent: ReadonlyMap<number, Sent>,
  entries: readonly Entry[],
): MessageDraft[] {
  const path = [...(compaction === undefined ? [] : [compaction]), ...live];
  const leaf = entries.at(-1)?.record;
  const alive = new Set(path.map(({ record }) => record));
  const drafts: MessageDraft[] = [];
  let open: MessageDraft | undefined;
  const put = (record: number, onPath: boolean) => {
    const draft = sent.get(record);
    if (draft === undefined) return;
    const { result, unsent, ...message } = draft;
    const dead = !onPath || unsent === true;
    if (result === true && !dead && open !== undefined) {
      append(open.blocks, message.blocks);
      open.records.push(record);
      if (record === leaf) drafts.splice(-1, 1, { ...open, fixed: 'last-message' });
      return;
    }
    // The last line is where the client goes on: it stays the last one.
    const fixed = message.fixed ?? (record === leaf ? 'last-message' : undefined);
    const placed = {
      ...message,
      ...(dead ? { live: false } : {}),
      ...(fixed === undefined ? {} : { fixed }),
    };
    drafts.push(placed);
    if (!dead) open = result === true ? placed : undefined;
  };
  const rest = entries.map(({ record }) => record).filter((record) => !alive.has(record));
  let next = 0;
  for (const { record } of live) {
    while (next < rest.length && (rest[next] as number) < record)
      put(rest[next++] as number, false);
    if (compaction !== undefined && record === live[0]?.record) put(compaction.record, true);
    put(record, true);
  }
  for (const record of rest.slice(next)) put(record, false);
  if (compaction !== undefined && live.length === 0) put(compaction.record, true);
  return drafts;
}
