import type { BlockDraft, Drafts, MessageDraft } from '../builder.ts';
import type { Dialect, ItemMedia } from '../format.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from '../value.ts';

/** What the client sends beside a text: binary results and blobs. Nothing of it is edited. */
export const COPILOT_ITEMS: Dialect = {
  itemText: () => undefined,
  itemMedia(item): ItemMedia | undefined {
    const mime = stringAt(item, 'mimeType');
    const data = stringAt(item, 'data');
    if (mime === undefined || data === undefined) return undefined;
    const kind = mime.startsWith('image/') ? 'image' : 'document';
    return { kind, data: { base64: data, mime } };
  },
  textItem: (literal) => literal,
};

/** The message that an event stands for in a request. */
export interface Sent extends MessageDraft {
  /** Events of one call to the model, or results: one message with those beside it. */
  readonly joins?: string;
}

type Reader = (data: Json, record: number, drafts: Drafts) => Sent | undefined;

const EVENTS: Readonly<Record<string, Reader>> = {
  'user.message': user,
  'assistant.message': assistant,
  'tool.execution_complete': result,
  'system.notification': notification,
};

/** Reads an event; undefined for one that no model sees. */
export function readEvent(event: Json, record: number, drafts: Drafts): Sent | undefined {
  const type = stringAt(event, 'type') ?? '';
  const data = objectAt(event, 'data');
  if (data === undefined || !Object.hasOwn(EVENTS, type)) return undefined;
  const sent = EVENTS[type]?.(data, record, drafts);
  // The conversation of a subagent is in the same file.
  const aside = stringAt(event, 'agentId') ?? stringAt(data, 'parentToolCallId');
  return sent === undefined || aside === undefined ? sent : { ...sent, live: false };
}

/** `transformedContent` is what is sent, where the client made one. */
function user(data: Json, record: number, drafts: Drafts): Sent {
  const key = typeof data['transformedContent'] === 'string' ? 'transformedContent' : 'content';
  const text = stringAt(data, key) ?? '';
  const blobs = (arrayAt(data, 'attachments') ?? []).filter(
    (attachment) => stringAt(attachment, 'type') === 'blob',
  );
  return {
    role: 'user',
    blocks: [
      ...(text === '' ? [] : [drafts.text(text, { record, pointer: `/data/${key}` })]),
      ...blobs.map((blob, index) => media(blob, record, `/data/attachments/${index}`, drafts)),
    ],
    records: [record],
    real: data['source'] === undefined && data['isAutopilotContinuation'] !== true,
  };
}

function assistant(data: Json, record: number, drafts: Drafts): Sent {
  const call = stringAt(data, 'apiCallId');
  const text = stringAt(data, 'content') ?? '';
  const extra = data['serverTools'];
  return {
    role: 'assistant',
    blocks: [
      ...thinking(data, record, drafts),
      ...(text === '' ? [] : [said(data, text, record, drafts)]),
      ...(arrayAt(data, 'toolRequests') ?? []).map((request, index) => {
        const tool = stringAt(request, 'name') ?? '';
        const tokens = drafts.meter.text(tool) + drafts.meter.json(valueAt(request, 'arguments'));
        const pointer = `/data/toolRequests/${index}/arguments`;
        const callId = stringAt(request, 'toolCallId') ?? '';
        return drafts.sealed('toolCall', record, tokens, { tool, callId, pointer });
      }),
      ...(extra === undefined ? [] : [drafts.sealed('opaque', record, drafts.meter.json(extra))]),
    ],
    records: [record],
    ...(call === undefined ? {} : { joins: `reply ${call}` }),
  };
}

/** Citations point into the text by position, so that it is left alone then. */
function said(data: Json, text: string, record: number, drafts: Drafts): BlockDraft {
  const block = drafts.text(text, { record, pointer: '/data/content' });
  return data['citations'] === undefined ? block : { ...block, signed: true };
}

/** `reasoningText` and the sealed strings are other views of the reasoning blocks, where these are kept. */
function thinking(data: Json, record: number, drafts: Drafts): BlockDraft[] {
  const blocks = arrayAt(data, 'reasoningBlocks', 'blocks');
  if (blocks !== undefined && blocks.length > 0) {
    return blocks.map((block) =>
      reasoning(readable(block), stringAt(block, 'encrypted_content'), true),
    );
  }
  const text = stringAt(data, 'reasoningText') ?? '';
  const sealed = stringAt(data, 'encryptedContent');
  const opaque = stringAt(data, 'reasoningOpaque');
  if (text === '' && sealed === undefined && opaque === undefined) return [];
  return [reasoning(text, sealed, sealed !== undefined || opaque !== undefined)];

  function reasoning(plain: string, encrypted: string | undefined, signed: boolean): BlockDraft {
    const tokens =
      encrypted === undefined ? drafts.meter.text(plain) : Math.ceil((encrypted.length * 3) / 16);
    return drafts.sealed('thinking', record, tokens, { signed, counted: encrypted === undefined });
  }
}

function readable(block: unknown): string {
  const summary = (arrayAt(block, 'summary') ?? []).flatMap((part) => stringAt(part, 'text') ?? []);
  return stringAt(block, 'thinking') ?? stringAt(block, 'text') ?? summary.join('\n');
}

/** The text for the model is `result.content`, of a failed call `error.message`. */
function result(data: Json, record: number, drafts: Drafts): Sent {
  const key = objectAt(data, 'result') === undefined ? 'error/message' : 'result/content';
  const content = valueAt(data, ...key.split('/'));
  const exit = valueAt(data, 'shellExecution', 'exitCode');
  const failed =
    data['success'] === false
      ? true
      : typeof exit === 'number'
        ? exit !== 0
        : data['success'] !== true && undefined;
  const block = drafts.result(content, {
    record,
    pointer: `/data/${key}`,
    callId: stringAt(data, 'toolCallId') ?? '',
    ...(failed === undefined ? {} : { isError: failed }),
  });
  const binary = arrayAt(data, 'result', 'binaryResultsForLlm') ?? [];
  return {
    role: 'user',
    blocks: [
      block,
      ...binary.map((item, index) =>
        media(item, record, `/data/result/binaryResultsForLlm/${index}`, drafts),
      ),
    ],
    records: [record],
    joins: 'results',
  };
}

function notification(data: Json, record: number, drafts: Drafts): Sent {
  const text = stringAt(data, 'content') ?? '';
  const place = { record, pointer: '/data/content' };
  const blocks = text === '' ? [] : [drafts.text(text, place)];
  return { role: 'user', blocks, records: [record], injected: true };
}

function media(item: unknown, record: number, pointer: string, drafts: Drafts): BlockDraft {
  if (isObject(item) && stringAt(item, 'data') === undefined) {
    return drafts.sealed('opaque', record, 0, { pointer });
  }
  return drafts.media(item, { record, pointer }, true);
}
