import type { Drafts } from '../builder.ts';
import type { Head } from '../format.ts';
import { isObject, type Json, stringAt, valueAt } from '../value.ts';

/** Where applications keep the messages: a chat, a request body, a stored row. */
const PLACES = ['/messages', '/body/messages', '/chat/messages', '/initialMessages'];

/** Pointer of the messages array, or undefined. */
export function placeOf(document: unknown): string | undefined {
  if (Array.isArray(document)) return '';
  return PLACES.find((place) => Array.isArray(listAt(document, place)));
}

/** The messages that detection looks at. */
export function messagesIn(head: Head): Json[] {
  const place = head.framing === 'json' ? placeOf(head.document) : undefined;
  if (place === undefined) return [];
  return (listAt(head.document, place) as readonly unknown[]).filter(isObject);
}

function listAt(document: unknown, place: string): unknown {
  return place === '' ? document : valueAt(document, ...place.slice(1).split('/'));
}

/** Tokens of the system prompt and the tools of a request body. */
export function overhead(document: unknown, { meter }: Drafts): number {
  const root = valueAt(document, 'body') ?? document;
  const tools = valueAt(root, 'tools');
  const system = stringAt(root, 'system') ?? '';
  return meter.text(system) + (tools === undefined ? 0 : meter.json(tools));
}
