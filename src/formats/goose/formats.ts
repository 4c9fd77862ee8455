import type { DocumentFormat, Format, Head } from '../format.ts';
import { arrayAt, stringAt, valueAt } from '../value.ts';
import { GOOSE_ITEMS } from './items.ts';
import { GooseIndexer, isGooseMessage } from './session.ts';

const COMMON = {
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of Goose (crates/goose)',
  dialect: GOOSE_ITEMS,
} as const;

/** Goose session files (before it kept a database): the first line is about the session, the others are messages. */
export const goose: Format = {
  ...COMMON,
  name: 'goose',
  title: 'Goose session',
  layout: 'jsonl',
  detect: detectLines,
  indexer: (context) => new GooseIndexer(context, true),
};

/** What `goose session export` writes as JSON. */
export const gooseExport: DocumentFormat = {
  ...COMMON,
  name: 'goose-export',
  title: 'Goose session export',
  layout: 'json',
  detect: detectDocument,
  messagesAt: placeOf,
  indexer: (context, document) => new GooseIndexer(context, false, document),
};

function detectLines({ framing, records }: Head): number {
  if (framing !== 'jsonl') return 0;
  const [first, ...rest] = records;
  const about =
    stringAt(first, 'working_dir') !== undefined || valueAt(first, 'message_count') !== undefined;
  const messages = about ? rest : records;
  return messages.length > 0 && messages.every(isGooseMessage) ? 90 : 0;
}

function detectDocument({ framing, document }: Head): number {
  const place = framing === 'json' ? placeOf(document) : undefined;
  const messages = place === undefined ? [] : (arrayAt(document, place.slice(1)) ?? []);
  return messages.length > 0 && messages.every(isGooseMessage) ? 90 : 0;
}

/** Exports of the database say `conversation`; older ones `messages`. */
function placeOf(document: unknown): string | undefined {
  const key = ['conversation', 'messages'].find((one) => arrayAt(document, one) !== undefined);
  return key === undefined ? undefined : `/${key}`;
}
