import type { JsonStyle } from '../../json/literal.ts';
import type { Identity } from '../../model/splice.ts';
import { arrayGapEditor } from '../array/gap.ts';
import { ArrayIndexer, type ReadMessage } from '../array/indexer.ts';
import type { BlockDraft, Drafts, MessageDraft, Place } from '../builder.ts';
import type { DocumentFormat, Head } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { VERCEL_ITEMS } from './items.ts';
import { messagesIn, overhead, placeOf } from './places.ts';
import { isToolPart, readInvocation, readPart } from './ui-parts.ts';

/**
 * Vercel AI SDK UI messages. One stored message of the assistant holds a whole run: calls, results and texts of many
 * steps. What is sent is two messages a step, and these are the messages here; they share the record.
 */
export const vercelUi: DocumentFormat = {
  name: 'vercel-ai',
  title: 'Vercel AI SDK UI messages',
  layout: 'json',
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'ai 4.3.19, 5.0.277, 6.0.326',
  dialect: VERCEL_ITEMS,
  detect,
  messagesAt: placeOf,
  indexer: (context, document) => {
    const reader = new Reader();
    return new ArrayIndexer(
      {
        dialect: VERCEL_ITEMS,
        read: reader.read,
        overhead,
        model: (root) => stringAt(root, 'model'),
        gaps: arrayGapEditor({ message: reader.marker }),
      },
      context,
      document,
    );
  },
};

const SENT_PARTS = ['step-start', 'tool-invocation', 'source', 'source-url', 'source-document'];

function detect(head: Head): number {
  const messages = messagesIn(head);
  if (messages.length === 0 || !messages.every(isMessage)) return 0;
  return messages.some(isOwn) ? 93 : 0;
}

function isMessage(message: Json): boolean {
  return (
    ['system', 'user', 'assistant', 'data'].includes(stringAt(message, 'role') ?? '') &&
    (Array.isArray(message['parts']) || typeof message['content'] === 'string')
  );
}

/** A message with parts that only this SDK writes. */
function isOwn(message: Json): boolean {
  if (Array.isArray(message['toolInvocations'])) return true;
  return (arrayAt(message, 'parts') ?? []).some((part) => {
    const type = stringAt(part, 'type') ?? '';
    if (type === 'text') return stringAt(part, 'text') !== undefined;
    if (type === 'file') return stringAt(part, 'url') !== undefined;
    return SENT_PARTS.includes(type) || type.startsWith('data-') || isToolPart(part);
  });
}

class Reader {
  /** Version 4 repeats the text in `content`. */
  #content = false;

  readonly read = (value: unknown, record: number, drafts: Drafts): ReadMessage[] => {
    if (!isObject(value)) return [];
    this.#content ||= typeof value['content'] === 'string';
    const role = stringAt(value, 'role');
    if (role === 'assistant') return replies(value, record, drafts).map((draft) => ({ draft }));
    const parts = arrayAt(value, 'parts');
    // Version 4 sends `content` of a system message, and everywhere where there are no parts.
    const plain =
      typeof value['content'] === 'string' && (parts === undefined || role === 'system');
    const content = plain
      ? [drafts.text(value['content'] as string, { record, pointer: '/content' })]
      : (parts ?? []).flatMap((part, index) =>
          userPart(part, { record, pointer: `/parts/${index}` }, drafts),
        );
    const blocks = [...content, ...attachments(value, record, drafts)];
    const draft: MessageDraft =
      role === 'user'
        ? { role, blocks, records: [record], real: true }
        : { role: 'system', blocks, records: [record], fixed: 'system-message' };
    return [{ draft }];
  };

  readonly marker = (
    literal: string,
    { ref }: Identity,
    _marker: string,
    { colon, comma }: JsonStyle,
  ): string => {
    const content = this.#content ? `${comma}"content"${colon}${literal}` : '';
    const part = `{"type"${colon}"text"${comma}"text"${colon}${literal}}`;
    return `{"id"${colon}"ctx-${ref}"${comma}"role"${colon}"user"${content}${comma}"parts"${colon}[${part}]}`;
  };
}

function userPart(part: unknown, place: Place, drafts: Drafts): BlockDraft[] {
  const type = stringAt(part, 'type');
  if (type === 'text') {
    const pointer = `${place.pointer}/text`;
    return [drafts.text(stringAt(part, 'text') ?? '', { ...place, pointer })];
  }
  return type === 'file' ? [drafts.media(part, place)] : [];
}

/** Attachments are no parts: a text can't take their place. */
function attachments(value: Json, record: number, drafts: Drafts): BlockDraft[] {
  return (arrayAt(value, 'experimental_attachments') ?? []).map((item, index) =>
    drafts.media(item, { record, pointer: `/experimental_attachments/${index}` }, true),
  );
}

/** Each step is a reply, and after it a message with the results of its calls. */
function replies(value: Json, record: number, drafts: Drafts): MessageDraft[] {
  return stepsOf(value).flatMap((step) => {
    const read = step.map(({ pointer, part }) => {
      const place = { record, pointer };
      if (pointer === '/content') return { reply: [drafts.text(String(part), place)], answer: [] };
      return pointer.startsWith('/toolInvocations')
        ? readInvocation(part, place, drafts)
        : readPart(part, place, drafts);
    });
    const reply = read.flatMap((part) => part.reply);
    const answer = read.flatMap((part) => part.answer);
    return [
      ...(reply.length === 0
        ? []
        : [{ role: 'assistant' as const, blocks: reply, records: [record] }]),
      ...(answer.length === 0
        ? []
        : [{ role: 'user' as const, blocks: answer, records: [record] }]),
    ];
  });
}

interface Placed {
  readonly pointer: string;
  readonly part: unknown;
}

function stepsOf(value: Json): Placed[][] {
  const parts = arrayAt(value, 'parts')?.map((part, index) => ({
    pointer: `/parts/${index}`,
    part,
  }));
  if (parts !== undefined) {
    const old = parts.some(({ part }) => stringAt(part, 'type') === 'tool-invocation');
    return old ? oldSteps(parts) : steps(parts);
  }
  const calls = (arrayAt(value, 'toolInvocations') ?? []).map((part, index) => ({
    pointer: `/toolInvocations/${index}`,
    part,
  }));
  const content = value['content'];
  const text =
    typeof content === 'string' && content !== '' ? [[{ pointer: '/content', part: content }]] : [];
  return [...byStep(calls), ...text];
}

/** Versions 5 and 6: `step-start` begins a step. */
function steps(parts: readonly Placed[]): Placed[][] {
  const found: Placed[][] = [[]];
  for (const placed of parts) {
    if (stringAt(placed.part, 'type') === 'step-start') found.push([]);
    found.at(-1)?.push(placed);
  }
  return found;
}

/** Version 4: a step ends where a text follows a call, or a call has another step number. */
function oldSteps(parts: readonly Placed[]): Placed[][] {
  const found: Placed[][] = [[]];
  let called = false;
  for (const placed of parts) {
    const type = stringAt(placed.part, 'type');
    const call = type === 'tool-invocation';
    const step = valueAt(placed.part, 'toolInvocation', 'step') ?? 0;
    if ((type === 'text' && called) || (call && step !== found.length - 1)) {
      found.push([]);
      called = false;
    }
    called ||= call;
    found.at(-1)?.push(placed);
  }
  return found;
}

function byStep(calls: readonly Placed[]): Placed[][] {
  const found = new Map<unknown, Placed[]>();
  for (const placed of calls) {
    const step = valueAt(placed.part, 'step') ?? 0;
    found.set(step, [...(found.get(step) ?? []), placed]);
  }
  return [...found.values()];
}
