import { type JsonStyle, jsonLiteral, styleOf } from '../../json/literal.ts';
import { markerHash } from '../../marker/hash.ts';
import type { GapEdit } from '../../model/splice.ts';
import { arrayGapEditor } from '../array/gap.ts';
import { buildConversation } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { GapEditor, IndexContext, Indexed, Indexer } from '../format.ts';
import { lineGapEditor } from '../lines/gap.ts';
import { isObject, stringAt, valueAt } from '../value.ts';
import { GOOSE_ITEMS } from './items.ts';
import { gooseMessage } from './messages.ts';

/** Whether a value is a Goose message: a role, a time in seconds, and typed content. */
export function isGooseMessage(value: unknown): boolean {
  if (!isObject(value) || typeof value['created'] !== 'number') return false;
  const { role, content } = value;
  if (role !== 'user' && role !== 'assistant') return false;
  return Array.isArray(content) && content.every((item) => stringAt(item, 'type') !== undefined);
}

/** When a message was made, and whether it has an id. */
interface Stamp {
  readonly created: number;
  readonly named: boolean;
}

/** Indexes the messages of a session, as lines or as elements of a document. */
export class GooseIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #lines: boolean;
  readonly #messages: MessageDraft[] = [];
  readonly #stamps = new Map<number, Stamp>();
  #session: unknown;

  /** `session` is what stands around the messages; of a file of lines it is the first one. */
  constructor(context: IndexContext, lines: boolean, session?: unknown) {
    this.#drafts = new Drafts(context, GOOSE_ITEMS);
    this.#id = context.id;
    this.#lines = lines;
    this.#session = session;
  }

  record(value: unknown, record: number): void {
    if (!isGooseMessage(value)) {
      if (record === 0 && this.#lines) this.#session = value;
      return;
    }
    const created = valueAt(value, 'created') as number;
    this.#stamps.set(record, { created, named: stringAt(value, 'id') !== undefined });
    const draft = gooseMessage(value, record, this.#drafts);
    if (draft !== undefined) this.#messages.push(draft);
  }

  finish(): Indexed {
    const model = stringAt(this.#session, 'model_config', 'model_name');
    const usage = valueAt(this.#session, 'input_tokens');
    const conversation = buildConversation(this.#messages, {
      id: this.#id,
      overhead: 0,
      ...(model === undefined ? {} : { model }),
      ...(typeof usage === 'number' ? { usage } : {}),
    });
    return {
      conversations: [conversation],
      findings: this.#drafts.findings,
      gaps: gooseGaps(this.#lines, this.#stamps),
    };
  }
}

function gooseGaps(lines: boolean, stamps: ReadonlyMap<number, Stamp>): GapEditor {
  if (lines) return lineGapEditor((gap, model) => marker(gap, stamps, styleOf(model)));
  return arrayGapEditor({
    message: (_literal, _identity, _marker, style, gap) => marker(gap, stamps, style),
  });
}

/** A user message with the time of the one that it stands for; the client merges user messages that meet. */
function marker(gap: GapEdit, stamps: ReadonlyMap<number, Stamp>, style: JsonStyle): string {
  const stamp = stamps.get(gap.before ?? gap.records[0] ?? 0);
  const id = `msg_${markerHash(gap.identity.ref).slice(0, 24)}`;
  return jsonLiteral(
    {
      ...(stamp?.named === true ? { id } : {}),
      role: 'user',
      created: stamp?.created ?? 0,
      content: [{ type: 'text', text: gap.marker }],
      metadata: { userVisible: true, agentVisible: true },
    },
    style,
  );
}
