import { arrayGapEditor } from '../array/gap.ts';
import { ArrayIndexer, type ReadMessage } from '../array/indexer.ts';
import type { BlockDraft, Drafts, MessageDraft, Place } from '../builder.ts';
import type { DocumentFormat, Head } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { sealedResult, valueResult } from '../value-result.ts';
import { VERCEL_ITEMS } from './items.ts';
import { messagesIn, overhead, placeOf } from './places.ts';

/** Vercel AI SDK model messages (`CoreMessage` in version 4): what `generateText` takes and gives back. */
export const vercelModel: DocumentFormat = {
  name: 'vercel-ai-model',
  title: 'Vercel AI SDK model messages',
  layout: 'json',
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'ai 5.0.277, 6.0.326',
  dialect: VERCEL_ITEMS,
  detect,
  messagesAt: placeOf,
  indexer: (context, document) =>
    new ArrayIndexer(
      {
        dialect: VERCEL_ITEMS,
        read: new Reader().read,
        overhead,
        model: (root) => stringAt(root, 'model'),
        gaps: arrayGapEditor({
          message: (literal, _identity, _marker, { colon, comma }) =>
            `{"role"${colon}"user"${comma}"content"${colon}${literal}}`,
        }),
      },
      context,
      document,
    ),
};

const OWN_PARTS = ['tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response'];

function detect(head: Head): number {
  const messages = messagesIn(head);
  if (messages.length === 0 || !messages.every(isMessage)) return 0;
  const types = messages.flatMap((message) =>
    (arrayAt(message, 'content') ?? []).map((part) => stringAt(part, 'type') ?? ''),
  );
  return types.some((type) => OWN_PARTS.includes(type)) ? 93 : 0;
}

function isMessage(message: Json): boolean {
  return (
    ['system', 'user', 'assistant', 'tool'].includes(stringAt(message, 'role') ?? '') &&
    (typeof message['content'] === 'string' || Array.isArray(message['content']))
  );
}

class Reader {
  #lastResult = -2;
  /** Call of each approval that was asked for. */
  readonly #approvals = new Map<string, string>();

  readonly read = (value: unknown, record: number, drafts: Drafts): ReadMessage | undefined => {
    if (!isObject(value)) return undefined;
    const role = stringAt(value, 'role');
    const content = value['content'];
    const blocks =
      typeof content === 'string'
        ? [drafts.text(content, { record, pointer: '/content' })]
        : (arrayAt(value, 'content') ?? []).flatMap((part, index) =>
            this.#part(part, { record, pointer: `/content/${index}` }, role ?? '', drafts),
          );
    const draft = { blocks, records: [record] };
    if (role === 'tool') return { draft: this.#answers(draft, value), join: this.#joins(record) };
    if (role === 'assistant') return { draft: { role, ...draft } };
    return role === 'user'
      ? { draft: { role, ...draft, real: true } }
      : { draft: { role: 'system', ...draft, fixed: 'system-message' } };
  };

  /** An answer to a request for approval lives and dies with the call that it is about. */
  #answers(draft: Pick<MessageDraft, 'blocks' | 'records'>, value: Json): MessageDraft {
    const links = (arrayAt(value, 'content') ?? []).flatMap(
      (part) => this.#approvals.get(stringAt(part, 'approvalId') ?? '') ?? [],
    );
    return { role: 'user', ...draft, ...(links.length === 0 ? {} : { links }) };
  }

  /** Messages with results that follow one another answer one reply and are one message. */
  #joins(record: number): boolean {
    const joined = this.#lastResult === record - 1;
    this.#lastResult = record;
    return joined;
  }

  #part(part: unknown, place: Place, role: string, drafts: Drafts): BlockDraft[] {
    const { meter } = drafts;
    const type = stringAt(part, 'type') ?? '';
    const signed = isSigned(part);
    switch (type) {
      case 'text': {
        const pointer = `${place.pointer}/text`;
        const block = drafts.text(stringAt(part, 'text') ?? '', { ...place, pointer });
        const { kind, record, tokens } = block;
        return [signed && role === 'assistant' ? { kind, record, tokens, signed } : block];
      }
      case 'reasoning':
      case 'redacted-reasoning': {
        const tokens = meter.text(stringAt(part, 'text') ?? '');
        const sealed = signed || type !== 'reasoning' || valueAt(part, 'signature') !== undefined;
        return [drafts.sealed('thinking', place.record, tokens, { signed: sealed })];
      }
      case 'tool-call':
        return [callBlock(part, place, signed, drafts)];
      case 'tool-result':
        return role === 'tool'
          ? resultBlocks(part, place, drafts)
          : // The provider ran it within the reply.
            [drafts.sealed('opaque', place.record, meter.json(outputOf(part)))];
      case 'tool-approval-request':
        this.#approvals.set(stringAt(part, 'approvalId') ?? '', stringAt(part, 'toolCallId') ?? '');
        return [drafts.sealed('opaque', place.record, 0)];
      case 'tool-approval-response':
        return [drafts.sealed('opaque', place.record, meter.text(stringAt(part, 'reason') ?? ''))];
      default:
        return [drafts.media(part, place)];
    }
  }
}

function isSigned(part: unknown): boolean {
  const options = valueAt(part, 'providerOptions') ?? valueAt(part, 'providerMetadata');
  return isObject(options) && Object.keys(options).length > 0;
}

function callBlock(part: unknown, place: Place, signed: boolean, drafts: Drafts): BlockDraft {
  const tool = stringAt(part, 'toolName') ?? '';
  const key = valueAt(part, 'input') === undefined ? 'args' : 'input';
  const tokens = drafts.meter.text(tool) + drafts.meter.json(valueAt(part, key));
  const own = { tool, signed, pointer: `${place.pointer}/${key}` };
  const callId = stringAt(part, 'toolCallId') ?? '';
  const facts = valueAt(part, 'providerExecuted') === true ? own : { ...own, callId };
  return drafts.sealed('toolCall', place.record, tokens, facts);
}

function outputOf(part: unknown): unknown {
  return valueAt(part, 'output') ?? valueAt(part, 'result');
}

/** Types of `output` that tell a failure. */
const FAILED = ['error-text', 'error-json', 'execution-denied'];
const PLAIN = ['text', 'json', 'content'];

function resultBlocks(part: unknown, place: Place, drafts: Drafts): BlockDraft[] {
  const tool = stringAt(part, 'toolName') ?? '';
  const facts = { record: place.record, callId: stringAt(part, 'toolCallId') ?? '', tool };
  if (valueAt(part, 'output') === undefined) {
    // Version 4.
    const failed = valueAt(part, 'isError');
    const pointer = `${place.pointer}/result`;
    const known = typeof failed === 'boolean' ? { isError: failed } : {};
    return valueResult(valueAt(part, 'result'), { ...facts, pointer, ...known }, drafts);
  }
  const type = stringAt(part, 'output', 'type') ?? '';
  const value = valueAt(part, 'output', 'value');
  const known =
    FAILED.includes(type) || PLAIN.includes(type) ? { isError: FAILED.includes(type) } : {};
  const own = { ...facts, pointer: `${place.pointer}/output/value`, ...known };
  if (type === 'content' && Array.isArray(value)) return [drafts.result(value, own)];
  if (type === 'execution-denied' || value === undefined)
    return [sealedResult(drafts.meter.json(valueAt(part, 'output')), own, drafts)];
  return valueResult(value, own, drafts);
}
