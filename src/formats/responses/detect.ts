import type { Head } from '../format.ts';
import { arrayAt, isObject, stringAt, valueAt } from '../value.ts';

const ROLES = ['system', 'developer', 'user', 'assistant'];
const TYPES =
  /^(?:reasoning|compaction|compaction_summary|item_reference|[a-z_]+_call|[a-z_]+_call_output|function_call_result|tool_search_output|mcp_[a-z_]+)$/;
const PARTS = /^(?:input_|output_text$|refusal$)/;
/** Where the items lie: a bare list, a request body, a response. */
const PLACES = ['/input', '/output', '/body/input', '/response/output'];

/** Pointer of the list of items, or undefined. */
export function itemsAt(document: unknown): string | undefined {
  if (Array.isArray(document)) return '';
  return PLACES.find((place) => listAt(document, place) !== undefined);
}

/** Whether the document is what the service answered: it holds only what the model wrote. */
export function isResponse(document: unknown): boolean {
  return stringAt(document, 'object') === 'response' && itemsAt(document) === '/output';
}

/** Score of a document with a list of items. */
export function documentScore(head: Head): number {
  const place = head.framing === 'json' ? itemsAt(head.document) : undefined;
  if (place === undefined) return 0;
  const items = listAt(head.document, place) ?? [];
  if (isResponse(head.document) && items.every(isItem)) return 95;
  if (items.length === 0 || !items.every(isItem)) return 0;
  if (items.some(isTyped)) return 92;
  return place === '/input' || place === '/body/input' ? 85 : 0;
}

/** Score of JSON Lines with an item a line; Codex has a head line or envelopes. */
export function linesScore(head: Head): number {
  if (head.framing !== 'jsonl' || head.records.length === 0) return 0;
  return head.records.every(isItem) && head.records.some(isTyped) ? 88 : 0;
}

function listAt(document: unknown, place: string): readonly unknown[] | undefined {
  if (place === '') return Array.isArray(document) ? document : undefined;
  return arrayAt(document, ...place.slice(1).split('/'));
}

function isItem(item: unknown): boolean {
  if (!isObject(item) || item['ts'] !== undefined || item['parts'] !== undefined) return false;
  const type = stringAt(item, 'type');
  if (type !== undefined && type !== 'message') return TYPES.test(type);
  return (
    ROLES.includes(stringAt(item, 'role') ?? '') &&
    item['tool_calls'] === undefined &&
    (arrayAt(item, 'content') ?? []).every((part) => {
      const kind = stringAt(part, 'type') ?? '';
      return PARTS.test(kind) || kind === 'text';
    })
  );
}

/** An item that no other list of messages has. */
function isTyped(item: unknown): boolean {
  const type = stringAt(item, 'type');
  if (type !== undefined && type !== 'message') return true;
  const content = valueAt(item, 'content');
  if (typeof content === 'string') return type === 'message';
  return (arrayAt(item, 'content') ?? []).some((part) => PARTS.test(stringAt(part, 'type') ?? ''));
}
