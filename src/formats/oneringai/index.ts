import { jsonLiteral, stringLiteral, styleOf } from '../../json/literal.ts';
import { members } from '../../json/scan.ts';
import type { GapEdit } from '../../model/splice.ts';
import { arrayGapEditor } from '../array/gap.ts';
import { ArrayIndexer } from '../array/indexer.ts';
import { buildConversation } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { DocumentFormat, Format, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { lineGapEditor } from '../lines/gap.ts';
import { arrayAt, isObject, stringAt, valueAt } from '../value.ts';
import { ItemReader, ONERINGAI_ITEMS } from './items.ts';

const SHARED = {
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of OneRingAI 0.6.0',
  dialect: ONERINGAI_ITEMS,
} as const;

const ITEM_TYPES = ['message', 'compaction'];

/** OneRingAI session: only `state.conversation` is ever changed. */
export const oneringai: DocumentFormat = {
  ...SHARED,
  name: 'oneringai',
  title: 'OneRingAI session',
  layout: 'json',
  detect: (head) =>
    head.framing === 'json' &&
    valueAt(head.document, 'version') === 1 &&
    arrayAt(head.document, 'state', 'conversation') !== undefined
      ? 95
      : 0,
  messagesAt: (document) =>
    arrayAt(document, 'state', 'conversation') === undefined ? undefined : '/state/conversation',
  indexer: (context, document) => {
    const items = new ItemReader();
    return new ArrayIndexer(
      {
        dialect: ONERINGAI_ITEMS,
        read: (value, record, drafts) => {
          const draft = items.read(value, record, '', drafts);
          return draft === undefined ? undefined : { draft };
        },
        overhead: (root, { meter }) => meter.text(stringAt(root, 'state', 'systemPrompt') ?? ''),
        model: (root) => stringAt(root, 'state', 'metadata', 'model'),
        gaps: arrayGapEditor({
          message: (literal, { ref }, _marker, style) => markerItem(literal, ref, style),
        }),
      },
      context,
      document,
    );
  },
};

/** The journal beside a session: everything that was said, also what the session no longer holds. */
export const oneringaiJournal: Format = {
  ...SHARED,
  name: 'oneringai-journal',
  title: 'OneRingAI history journal',
  layout: 'jsonl',
  detect: journalScore,
  indexer: (context) => new JournalIndexer(context),
};

function journalScore(head: Head): number {
  if (head.framing !== 'jsonl') return 0;
  const entries = head.records.filter(
    (record) =>
      ITEM_TYPES.includes(stringAt(record, 'item', 'type') ?? '') &&
      typeof valueAt(record, 'turnIndex') === 'number',
  );
  return entries.length > 0 && entries.length * 2 >= head.records.length ? 95 : 0;
}

/** A user message; its id comes from the ref, so that a run gives the same bytes on any machine. */
function markerItem(
  literal: string,
  ref: string,
  { colon, comma }: { readonly colon: string; readonly comma: string },
): string {
  const block = `{"type"${colon}"input_text"${comma}"text"${colon}${literal}}`;
  return `{"type"${colon}"message"${comma}"id"${colon}"ctx_${ref}"${comma}"role"${colon}"user"${comma}"content"${colon}[${block}]}`;
}

class JournalIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #items = new ItemReader();
  readonly #messages: MessageDraft[] = [];

  constructor(context: IndexContext) {
    this.#drafts = new Drafts(context, ONERINGAI_ITEMS);
    this.#id = context.id;
  }

  record(value: unknown, record: number): void {
    if (!isObject(value)) return;
    const draft = this.#items.read(value['item'], record, '/item', this.#drafts);
    if (draft !== undefined) this.#messages.push(draft);
  }

  finish(): Indexed {
    return {
      conversations: [buildConversation(this.#messages, { id: this.#id, overhead: 0 })],
      findings: this.#drafts.findings,
      gaps: lineGapEditor(journalLine),
      notices: [
        {
          code: 'archive',
          text: 'a history journal is an archive: the client resumes from the session file, not from it',
        },
      ],
    };
  }
}

/** The marker stands with the time and the turn of the line that it takes over from. */
function journalLine(gap: GapEdit, model: Buffer): string {
  const style = styleOf(model);
  const raw = new Map(
    members(model, 0).map(({ key, start, end }) => [key, model.toString('utf8', start, end)]),
  );
  const item = markerItem(stringLiteral(gap.marker, style), gap.identity.ref, style);
  const entries = [
    ['timestamp', raw.get('timestamp') ?? '0'],
    ['type', '"user"'],
    ['item', item],
    ['turnIndex', raw.get('turnIndex') ?? '0'],
  ] as const;
  const text = entries.map(([key, value]) => `${jsonLiteral(key)}${style.colon}${value}`);
  return `{${text.join(style.comma)}}`;
}
