import { stringLeaves } from '../../json/leaves.ts';
import { arrayAt, type Json, objectAt, stringAt, valueAt } from '../value.ts';
import type { Boundary, Node } from './chain.ts';

const CHAIN_TYPES: readonly string[] = ['user', 'assistant', 'attachment', 'system', 'progress'];

/** Texts at the start of user records that the client wrote, not a person. */
const INJECTED = [
  '<system-reminder>',
  '<local-command-',
  '<command-name>',
  '<command-message>',
  '<task-notification>',
  '<bash-input>',
  '<bash-stdout>',
  '[Request interrupted by user',
];

/** The chain node of a record, or undefined when it is no part of the chain (bookkeeping). */
export function chainNode(
  value: unknown,
  record: number,
  shared: (text: string) => string = (text) => text,
): Node | undefined {
  const uuid = stringAt(value, 'uuid');
  const type = stringAt(value, 'type');
  if (uuid === undefined || type === undefined || !CHAIN_TYPES.includes(type)) return undefined;
  const content = arrayAt(value, 'message', 'content') ?? [];
  const reply = type === 'assistant' ? stringAt(value, 'message', 'id') : undefined;
  const parent = stringAt(value, 'parentUuid');
  const boundary = readBoundary(value);
  return {
    record,
    uuid: shared(uuid),
    parent: parent === undefined ? null : shared(parent),
    type: type as Node['type'],
    sidechain: valueAt(value, 'isSidechain') === true,
    calls: ids(content, 'tool_use', 'id'),
    answers: ids(content, 'tool_result', 'tool_use_id'),
    ...(reply === undefined ? {} : { reply: shared(reply) }),
    ...(boundary === undefined ? {} : { boundary }),
  };
}

function readBoundary(value: unknown): Boundary | undefined {
  if (stringAt(value, 'subtype') !== 'compact_boundary') return undefined;
  const messages = objectAt(value, 'compactMetadata', 'preservedMessages');
  const segment = objectAt(value, 'compactMetadata', 'preservedSegment');
  const listed = [...(arrayAt(messages, 'allUuids') ?? []), ...(arrayAt(messages, 'uuids') ?? [])];
  const head = stringAt(segment, 'headUuid');
  const tail = stringAt(segment, 'tailUuid');
  return {
    preserved: listed.filter((uuid): uuid is string => typeof uuid === 'string'),
    ...(head === undefined ? {} : { head }),
    ...(tail === undefined ? {} : { tail }),
  };
}

const NONE: readonly string[] = [];

function ids(content: readonly unknown[], type: string, key: string): readonly string[] {
  const found = content.flatMap((block) => {
    const id = stringAt(block, 'type') === type ? stringAt(block, key) : undefined;
    return id === undefined ? [] : [id];
  });
  // A copy has no spare room: there is one for each record.
  return found.length === 0 ? NONE : found.slice();
}

/** Whether a person typed this user record: not meta, no summary, no result, no injected context. */
export function isRealUser(value: Json): boolean {
  if (value['isMeta'] === true || value['isCompactSummary'] === true) return false;
  const content = valueAt(value, 'message', 'content');
  if (typeof content === 'string') return isTyped(content);
  if (!Array.isArray(content)) return false;
  if (content.some((block) => stringAt(block, 'type') === 'tool_result')) return false;
  const texts = content.flatMap((block) => stringAt(block, 'text') ?? []);
  return texts.some(isTyped) || content.some((block) => stringAt(block, 'type') === 'image');
}

function isTyped(text: string): boolean {
  return text.trim() !== '' && !INJECTED.some((start) => text.startsWith(start));
}

/** The texts of an attachment that the client sends: `rendered` where it is recorded, else the known bodies. */
export function attachmentTexts(
  attachment: Json,
  rendered: readonly unknown[] | undefined,
): string[] {
  if (rendered !== undefined) {
    return rendered.flatMap((item) => stringAt(item, 'content') ?? []);
  }
  return Object.values(attachment).flatMap(bodyTexts);
}

/** Every string longer than a label, and the strings in lists: close to what older clients render. */
function bodyTexts(value: unknown): string[] {
  return stringLeaves(value, '').flatMap(({ pointer, text }) =>
    text.length > 40 || /\/\d+$/.test(pointer) ? [text] : [],
  );
}
