import type { Head } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';

const ROO_KEYS = [
  'condenseId',
  'condenseParent',
  'truncationId',
  'truncationParent',
  'isSummary',
  'isTruncationMarker',
  'encrypted_content',
  'reasoning_details',
  'reasoning_content',
];

/** Score of a task of Cline, or of a session of its SDK. */
export function clineScore(head: Head): number {
  if (head.framing !== 'json') return 0;
  if (isSdkSession(head.document)) return 95;
  const messages = listOf(head.document);
  return isTask(messages) && !messages.some(isRoo) ? 95 : 0;
}

/** Score of a task with a mark of Roo Code. */
export function rooScore(head: Head): number {
  const messages = head.framing === 'json' ? listOf(head.document) : [];
  return isTask(messages) && messages.some(isRoo) ? 95 : 0;
}

function listOf(document: unknown): readonly Json[] {
  return Array.isArray(document) ? document.filter(isObject) : [];
}

function isSdkSession(document: unknown): boolean {
  return (
    typeof valueAt(document, 'version') === 'number' &&
    stringAt(document, 'sessionId') !== undefined &&
    ['updated_at', 'agent', 'system_prompt'].some((key) => stringAt(document, key) !== undefined) &&
    arrayAt(document, 'messages')?.every(isMessage) === true
  );
}

/** Messages of the Messages API, some with the time or the model that the client adds. */
function isTask(messages: readonly Json[]): boolean {
  return (
    messages.length > 0 &&
    messages.every(isMessage) &&
    messages.some(({ ts, modelInfo }) => typeof ts === 'number' || isObject(modelInfo))
  );
}

function isMessage(message: unknown): boolean {
  const role = stringAt(message, 'role') ?? '';
  // A reasoning item of Roo Code has no role of its own in some versions.
  if (stringAt(message, 'type') === 'reasoning') return true;
  return (
    (role === 'user' || role === 'assistant') &&
    ['parts', 'tool_calls', 'tool_call_id'].every((key) => valueAt(message, key) === undefined) &&
    (arrayAt(message, 'content') ?? []).every((block) => stringAt(block, 'type') !== undefined)
  );
}

function isRoo(message: Json): boolean {
  return stringAt(message, 'type') === 'reasoning' || ROO_KEYS.some((key) => key in message);
}
