import { append } from '../../append.ts';
import { buildConversation } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { Node } from '../claude-code/chain.ts';
import { claudeGapEditor } from '../claude-code/gap.ts';
import type { Format, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { GEMINI_PARTS, memberOf } from '../gemini/dialect.ts';
import { CallIds, clientError, type PartPlace, readPart, type Typed } from '../gemini/parts.ts';
import { joinTurns, type Turn } from '../gemini/turns.ts';
import { recordIdentities } from '../typed.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { compressedHistory, danglingParents, pathOf, qwenNode } from './chain.ts';

/** Starts of user texts that the client wrote. */
const INJECTED = ['<state_snapshot>', '<system-reminder>', 'This is the Qwen Code.'];

/** Qwen Code session files: Claude Code's chain with Gemini's parts. See docs/formats/qwen-code.md. */
export const qwenCode: Format = {
  name: 'qwen-code',
  title: 'Qwen Code session',
  layout: 'jsonl',
  removal: true,
  strictAlternation: false,
  identity: 'record-key',
  vendor: 'other',
  verified: 'source of Qwen Code 0.15.10',
  dialect: GEMINI_PARTS,
  detect,
  indexer: (context) => new QwenIndexer(context),
};

function detect(head: Head): number {
  const chained = head.records.some(
    (record) =>
      stringAt(record, 'uuid') !== undefined && arrayAt(record, 'message', 'parts') !== undefined,
  );
  return head.framing === 'jsonl' && chained ? 95 : 0;
}

/** What one record holds for the conversation. */
interface Held {
  readonly node: Node;
  /** Absent where the record holds no content. */
  readonly turn?: Turn;
  /** Contents of a compression. */
  readonly history?: readonly Turn[];
  readonly model?: string;
  readonly usage?: number;
}

class QwenIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #ids = new CallIds();
  readonly #held: Held[] = [];

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, GEMINI_PARTS);
    this.#id = context.id;
  }

  record(value: unknown, record: number): void {
    const node = qwenNode(value, record);
    if (node === undefined || !isObject(value)) return;
    const typed = recordIdentities(value);
    const model = stringAt(value, 'model');
    const usage = valueAt(value, 'usageMetadata', 'promptTokenCount');
    const turn = this.#turn(value['message'], '/message', record, typed, value);
    const history = compressedHistory(value)?.flatMap((content, index) => {
      const pointer = `/systemPayload/compressedHistory/${index}`;
      const old = this.#turn(content, pointer, record, typed, undefined);
      return old === undefined ? [] : [fixed(old)];
    });
    this.#held.push({
      node,
      ...(turn === undefined ? {} : { turn }),
      ...(history === undefined ? {} : { history }),
      ...(model === undefined ? {} : { model }),
      ...(typeof usage === 'number' && usage > 0 ? { usage } : {}),
    });
  }

  finish(): Indexed {
    const nodes = this.#held.map(({ node }) => node);
    const { live, dead } = this.#split(pathOf(nodes));
    const drafts: MessageDraft[] = [
      ...dead.flatMap((turn) => joinTurns([turn])).map((draft) => ({ ...draft, live: false })),
      ...joinTurns(live),
    ].toSorted((left, right) => (left.records[0] ?? 0) - (right.records[0] ?? 0));
    const path = new Set(pathOf(nodes));
    const sent = this.#held.filter(({ node }) => path.has(node.uuid));
    const model = sent.findLast((held) => held.model !== undefined)?.model;
    const usage = sent.findLast((held) => held.usage !== undefined)?.usage;
    const conversation = buildConversation(drafts, {
      id: this.#id,
      overhead: 0,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    return {
      conversations: [conversation],
      findings: [...this.#drafts.findings, ...danglingParents(nodes)],
      gaps: claudeGapEditor(nodes, [], {
        at: '/message/parts/0/text',
        message: (marker) => ({ role: 'user', parts: [{ text: marker }] }),
      }),
    };
  }

  /** Contents on the path after the last compression, with what that left; all others are not sent. */
  #split(path: readonly string[]): { live: Turn[]; dead: Turn[] } {
    const groups = new Map<string, Held[]>(path.map((uuid) => [uuid, []]));
    const dead: Turn[] = [];
    for (const held of this.#held) {
      const group = groups.get(held.node.uuid);
      if (group !== undefined) group.push(held);
      else append(dead, turnsOf(held));
    }
    const ordered = [...groups.values()];
    const last = ordered.findLastIndex((group) =>
      group.some(({ history }) => history !== undefined),
    );
    const live: Turn[] = [];
    for (const [index, group] of ordered.entries()) {
      const histories = group.flatMap(({ history }) => (history === undefined ? [] : [history]));
      const newest = index === last ? histories.at(-1) : undefined;
      append(live, newest ?? []);
      append(dead, histories.filter((history) => history !== newest).flat());
      const merged = group.flatMap(({ turn }) => turn ?? []);
      if (index < last) append(dead, merged);
      else append(live, oneTurn(merged));
    }
    return { live, dead };
  }

  #turn(
    content: unknown,
    pointer: string,
    record: number,
    typed: Typed,
    envelope: Json | undefined,
  ): Turn | undefined {
    const parts = arrayAt(content, 'parts');
    if (parts === undefined) return undefined;
    const place: Omit<PartPlace, 'pointer'> = {
      record,
      typed,
      drafts: this.#drafts,
      ids: this.#ids,
      errorOf: (response) => statusError(envelope) ?? clientError(response),
    };
    const read = parts.flatMap((part, index) =>
      readPart(part, { ...place, pointer: `${pointer}/parts/${index}` }),
    );
    const reply = stringAt(content, 'role') === 'model';
    const answers = parts.some((part) => memberOf(part, 'functionResponse') !== undefined);
    const kind = reply ? 'reply' : answers ? 'results' : 'user';
    // Prompts of a timer and notices have a subtype.
    const typedIn = envelope === undefined || envelope['subtype'] === undefined;
    const real = kind === 'user' && typedIn && isTyped(parts);
    return { kind, parts: read, records: [record], facts: { real } };
  }
}

function turnsOf({ turn, history }: Held): Turn[] {
  return [...(turn === undefined ? [] : [turn]), ...(history ?? [])];
}

/** Records of one uuid are one content. */
function oneTurn([first, ...more]: readonly Turn[]): Turn[] {
  if (first === undefined) return [];
  const all = [first, ...more];
  const parts = all.flatMap((turn) => turn.parts);
  return [{ ...first, parts, records: all.flatMap((turn) => turn.records) }];
}

function fixed(turn: Turn): Turn {
  return { ...turn, facts: { ...turn.facts, fixed: 'replacement-history' } };
}

function statusError(envelope: Json | undefined): boolean | undefined {
  const status = stringAt(envelope, 'toolCallResult', 'status');
  return status === 'error' || status === 'cancelled' ? true : undefined;
}

function isTyped(parts: readonly unknown[]): boolean {
  const text = parts.map((part) => stringAt(part, 'text') ?? '').join('');
  return text.trim() === ''
    ? parts.some((part) => stringAt(part, 'text') === undefined)
    : !INJECTED.some((start) => text.startsWith(start));
}
