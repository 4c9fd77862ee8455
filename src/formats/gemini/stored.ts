import type { Drafts } from '../builder.ts';
import { arrayAt, isObject, type Json, stringAt } from '../value.ts';
import { isThought, memberOf } from './dialect.ts';
import {
  type CallIds,
  clientError,
  type Part,
  type PartPlace,
  readPart,
  resultAt,
  type Typed,
} from './parts.ts';
import type { Turn } from './turns.ts';

/** Starts of user texts that the client leaves out when it resumes; it writes the context anew. */
const INJECTED = ['<session_context>', '<hook_context>'];
const COMMANDS = ['/', '?'];
/** Start of the summary that the client makes of older messages. */
const SUMMARY = '<state_snapshot>';

/** Where a stored message lies. */
export interface StoredPlace {
  readonly record: number;
  /** Pointer of the message in its record: '' for a line of its own. */
  readonly pointer: string;
  readonly typed: Typed;
  readonly drafts: Drafts;
  readonly ids: CallIds;
}

/** What the client sends for one stored message; nothing for what it shows only (info, warnings, errors). */
export function storedTurns(message: Json, place: StoredPlace): Turn[] {
  if (message['type'] === 'user') return [userTurn(message, place)];
  return message['type'] === 'gemini' ? replyTurns(message, place) : [];
}

function userTurn(message: Json, place: StoredPlace): Turn {
  const { record } = place;
  const content = partsOf(message['content']);
  const parts = readParts(message['content'], contentOf(place));
  const start = startOf(content).trimStart();
  if (content.some((part) => memberOf(part, 'functionResponse') !== undefined))
    return { kind: 'results', parts, records: [record], facts: {} };
  const injected = INJECTED.some((sign) => start.startsWith(sign));
  const unsent = start === '' || COMMANDS.some((sign) => start.startsWith(sign));
  const summary = start.startsWith(SUMMARY);
  return {
    kind: 'user',
    parts,
    records: [record],
    facts: {
      real: !injected && !unsent && !summary,
      ...(injected ? { injected } : {}),
      ...(unsent ? { live: false } : {}),
      ...(summary ? { fixed: 'compaction-summary' } : {}),
    },
  };
}

function replyTurns(message: Json, place: StoredPlace): Turn[] {
  const { record, pointer } = place;
  const content = partsOf(message['content']);
  const calls = (arrayAt(message, 'toolCalls') ?? []).map((call) => (isObject(call) ? call : {}));
  // Content that a client wrote back from its history holds thoughts and calls itself.
  const whole = content.some(
    (part) => memberOf(part, 'functionCall') !== undefined || isThought(part),
  );
  const parts = [
    ...(whole ? [] : thoughtParts(message, place)),
    ...readParts(message['content'], contentOf(place)),
    ...(whole ? [] : calls.map((call, index) => callPart(call, index, place))),
  ];
  if (parts.length === 0) return [];
  const results = calls.flatMap((call, index) =>
    resultParts(call, { ...place, pointer: `${pointer}/toolCalls/${index}/result` }),
  );
  const records = [record];
  const reply: Turn = { kind: 'reply', parts, records, facts: {} };
  return results.length === 0
    ? [reply]
    : [reply, { kind: 'results', parts: results, records, facts: {} }];
}

function callPart(call: Json, index: number, { record, pointer, drafts, ids }: StoredPlace): Part {
  const tool = stringAt(call, 'name') ?? '';
  const tokens = drafts.meter.text(tool) + drafts.meter.json(call['args'] ?? {});
  const block = drafts.sealed('toolCall', record, tokens, {
    tool,
    callId: ids.call(tool, stringAt(call, 'id')),
    pointer: `${pointer}/toolCalls/${index}/args`,
  });
  return { block };
}

/** Thoughts are stored beside the content. The client does not send them. */
function thoughtParts(message: Json, { record, drafts }: StoredPlace): Part[] {
  return (arrayAt(message, 'thoughts') ?? []).map(() => ({
    block: drafts.sealed('thinking', record, 0),
  }));
}

/** The result that is stored with a call: parts, one part, or the text. */
function resultParts(call: Json, place: StoredPlace): Part[] {
  const result = call['result'];
  if (result === undefined || result === null || result === '') return [];
  const status = stringAt(call, 'status');
  const errorOf = (response: Json): boolean | undefined =>
    status === 'error' || status === 'cancelled' ? true : clientError(response);
  const at: PartPlace = { ...place, errorOf };
  return typeof result === 'string'
    ? resultAt(result, at, stringAt(call, 'id') ?? '', stringAt(call, 'name') ?? '')
    : readParts(result, at);
}

function contentOf(place: StoredPlace): PartPlace {
  return { ...place, pointer: `${place.pointer}/content`, errorOf: clientError };
}

function readParts(content: unknown, place: PartPlace): Part[] {
  return partsOf(content).flatMap((part, index) =>
    readPart(part, {
      ...place,
      pointer: Array.isArray(content) ? `${place.pointer}/${index}` : place.pointer,
      thoughtless: true,
    }),
  );
}

/** A content is a text, a part, or a list of both. */
function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return content === undefined || content === null || content === '' ? [] : [content];
}

/** How a content begins, as the client reads it: a part that is no text counts as some. */
function startOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : (stringAt(part, 'text') ?? '[part]')))
    .join('');
}
