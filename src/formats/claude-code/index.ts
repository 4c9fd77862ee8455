import { append } from '../../append.ts';
import type { Copy, Finding, Repeat } from '../../model/conversation.ts';
import { anthropicBlock } from '../anthropic-blocks.ts';
import { buildConversation, stringPool } from '../build.ts';
import { type BlockDraft, Drafts, type MessageDraft } from '../builder.ts';
import { copiesIn } from '../copies.ts';
import { ANTHROPIC_ITEMS } from '../dialects.ts';
import type { Format, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { recordIdentities } from '../typed.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from '../value.ts';
import { type Chain, type Node, readChain } from './chain.ts';
import { claudeGapEditor } from './gap.ts';
import { attachmentTexts, chainNode, isRealUser } from './records.ts';

const BOOKKEEPING = [
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'ai-title',
  'custom-title',
];

/** Members of a record that are never sent. */
const COPIES = ['toolUseResult', 'data'] as const;

/** Claude Code session files. What the client does with them: docs/formats/claude-code.md. */
export const claudeCode: Format = {
  name: 'claude-code',
  title: 'Claude Code session',
  layout: 'jsonl',
  removal: true,
  editableInputs: true,
  strictAlternation: false,
  identity: 'record-key',
  vendor: 'anthropic',
  verified: 'Claude Code 2.1.332 and 2.1.197',
  dialect: ANTHROPIC_ITEMS,
  detect,
  indexer: (context) => new ClaudeIndexer(context),
};

function detect(head: Head): number {
  // Qwen Code chains its records in the same way; its messages have parts.
  if (
    head.framing !== 'jsonl' ||
    head.records.some((record) => arrayAt(record, 'message', 'parts') !== undefined)
  )
    return 0;
  const chained = head.records.some(
    (record) =>
      chainNode(record, 0) !== undefined &&
      stringAt(record, 'sessionId') !== undefined &&
      valueAt(record, 'parentUuid') !== undefined,
  );
  if (chained) return 95;
  const known = head.records.filter((record) =>
    BOOKKEEPING.includes(stringAt(record, 'type') ?? ''),
  );
  return known.length > 0 && known.every((record) => stringAt(record, 'sessionId') !== undefined)
    ? 60
    : 0;
}

/** Drafts of one chain record, until it is known whether the record is live. */
interface Part {
  readonly node: Node;
  readonly draft: MessageDraft;
}

class ClaudeIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #nodes: Node[] = [];
  readonly #parts: Part[] = [];
  readonly #references: [number, string, string][] = [];
  readonly #shared = stringPool();
  readonly #copies: Copy[] = [];
  readonly #repeats: Repeat[] = [];
  #overhead = 0;
  #usage: number | undefined;
  #models = new Map<string, string>();
  #seen = new Map<string, number>();

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, ANTHROPIC_ITEMS);
    this.#id = context.id;
  }

  record(value: unknown, record: number): void {
    if (!isObject(value)) return;
    const leaf = stringAt(value, 'leafUuid');
    if (leaf !== undefined) this.#references.push([record, '/leafUuid', leaf]);
    const shape = objectAt(value, 'shape');
    if (value['type'] === 'api-request-shape' && shape !== undefined) {
      this.#overhead = this.#measureOverhead(shape['system'], shape['tools']);
    }
    const node = chainNode(value, record, this.#shared);
    if (value['type'] === 'file-history-snapshot')
      append(
        this.#copies,
        copiesIn(value['snapshot'], { record, base: '/snapshot', name: 'file-history' }),
      );
    if (node === undefined) return;
    this.#nodes.push(node);
    // A record that is in the file twice is one record to the client.
    const of = this.#seen.get(node.uuid);
    if (of !== undefined) {
      this.#repeats.push({ record, of });
      return;
    }
    this.#readCopies(value, record);
    this.#seen.set(node.uuid, record);
    const draft = this.#draft(value, record, node);
    if (draft !== undefined) this.#parts.push({ node, draft });
  }

  finish(): Indexed {
    const chain = readChain(this.#nodes);
    const drafts = withRepeats(assemble(this.#parts, chain), this.#repeats);
    const model = this.#lastModel(chain);
    const conversation = buildConversation(drafts, {
      id: this.#id,
      overhead: this.#overhead,
      ...(model === undefined ? {} : { model }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      copies: this.#copies,
      repeats: this.#repeats,
    });
    const findings: Finding[] = [...this.#drafts.findings, ...chain.findings];
    return {
      conversations: [conversation],
      findings,
      gaps: claudeGapEditor(this.#nodes, this.#references),
    };
  }

  #draft(value: Json, record: number, node: Node): MessageDraft | undefined {
    if (node.type === 'attachment') return this.#attachment(value, record);
    if (node.type !== 'user' && node.type !== 'assistant') return undefined;
    const typed = recordIdentities(value);
    const content = valueAt(value, 'message', 'content');
    const signedReply = node.type === 'assistant';
    const blocks: BlockDraft[] = [];
    if (typeof content === 'string') {
      blocks.push(
        this.#drafts.text(
          content,
          { record, pointer: '/message/content' },
          typed?.get('/message/content'),
        ),
      );
    } else if (Array.isArray(content)) {
      for (const [index, block] of content.entries()) {
        blocks.push(
          anthropicBlock(block, record, `/message/content/${index}`, this.#drafts, typed),
        );
      }
    }
    if (signedReply) this.#readUsage(value, node);
    const tied = stringAt(value, 'sourceToolUseID');
    return {
      role: node.type,
      blocks,
      records: [record],
      real: node.type === 'user' && isRealUser(value),
      ...(value['isCompactSummary'] === true ? { fixed: 'compaction-summary' } : {}),
      ...(tied === undefined ? {} : { links: [tied] }),
    };
  }

  /** `toolUseResult` and progress are what the client's screen draws; neither is sent (docs/formats/claude-code.md). */
  #readCopies(value: Json, record: number): void {
    for (const name of COPIES) {
      if (name === 'data' && value['type'] !== 'progress') continue;
      append(this.#copies, copiesIn(value[name], { record, base: `/${name}`, name }));
    }
  }

  #attachment(value: Json, record: number): MessageDraft | undefined {
    const attachment = objectAt(value, 'attachment');
    if (attachment === undefined) return undefined;
    if (attachment['type'] === 'prompt_snapshot') {
      const tools = attachment['tools'];
      // The first snapshot of a session has no tools yet; a request's shape has both.
      if (tools !== undefined)
        this.#overhead = this.#measureOverhead(attachment['systemPrompt'], tools);
      else if (this.#overhead === 0)
        this.#overhead = this.#measureOverhead(attachment['systemPrompt'], undefined);
      return undefined;
    }
    const texts = attachmentTexts(attachment, arrayAt(value, 'rendered'));
    const tokens = texts.reduce((sum, text) => sum + this.#drafts.meter.text(text), 0);
    return {
      role: 'system',
      blocks: [this.#drafts.sealed('opaque', record, tokens)],
      records: [record],
      injected: true,
    };
  }

  #measureOverhead(system: unknown, tools: unknown): number {
    const { meter } = this.#drafts;
    const parts = Array.isArray(system) ? system : [system];
    const texts = parts.map((part) =>
      typeof part === 'string' ? part : (stringAt(part, 'text') ?? ''),
    );
    const prompt = texts.reduce((sum, text) => sum + meter.text(text), 0);
    return prompt + (tools === undefined ? 0 : meter.json(tools));
  }

  #readUsage(value: Json, node: Node): void {
    const model = stringAt(value, 'message', 'model');
    // "<synthetic>" stands on records that the client made itself.
    if (model !== undefined && !model.startsWith('<')) this.#models.set(node.uuid, model);
    const usage = objectAt(value, 'message', 'usage');
    if (usage === undefined || node.sidechain) return;
    const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
    const figures = parts.map((key) => usage[key]).filter((figure) => typeof figure === 'number');
    const sum = figures.reduce((total, figure) => total + figure, 0);
    if (sum > 0) this.#usage = sum;
  }

  #lastModel(chain: Chain): string | undefined {
    const node = this.#nodes.findLast(({ uuid }) => chain.live.has(uuid) && this.#models.has(uuid));
    return node === undefined ? undefined : this.#models.get(node.uuid);
  }
}

/** A record that is in the file twice leaves with its message, or the client would read the one that is left. */
function withRepeats(drafts: readonly MessageDraft[], repeats: readonly Repeat[]): MessageDraft[] {
  if (repeats.length === 0) return [...drafts];
  const twins = new Map<number, number[]>();
  for (const { record, of } of repeats) twins.set(of, [...(twins.get(of) ?? []), record]);
  return drafts.map((draft) => {
    const more = draft.records.flatMap((record) => twins.get(record) ?? []);
    if (more.length === 0) return draft;
    return { ...draft, records: [...draft.records, ...more].toSorted((a, b) => a - b) };
  });
}

/** Lines of one reply are one message; results that answer one reply are one message. */
function assemble(parts: readonly Part[], chain: Chain): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  const replies = new Map<string, MessageDraft>();
  const callOwners = new Map<string, string>();
  const results = new Map<string, MessageDraft>();
  for (const { node, draft } of parts) {
    const live = chain.live.has(node.uuid);
    const owner = node.answers
      .map((id) => callOwners.get(`${live} ${id}`))
      .find((id) => id !== undefined);
    const key = `${live} ${node.reply ?? owner ?? ''}`;
    const known =
      node.reply !== undefined
        ? replies.get(key)
        : owner !== undefined
          ? results.get(key)
          : undefined;
    if (known !== undefined) {
      append(known.blocks, draft.blocks);
      append(known.records, draft.records);
    } else {
      const fixed = chain.preserved.has(node.uuid) ? { fixed: 'preserved-segment' } : {};
      const placed = { ...draft, live, ...fixed };
      drafts.push(placed);
      if (node.reply !== undefined) replies.set(key, placed);
      else if (owner !== undefined) results.set(key, placed);
    }
    if (node.reply !== undefined)
      for (const call of node.calls) callOwners.set(`${live} ${call}`, node.reply);
  }
  return drafts;
}
