import type { MediaData } from '../../measure/media.ts';
import type { BlockDraft, Drafts, MessageDraft } from '../builder.ts';
import type { Dialect, ItemMedia, ItemText, TypedIdentity } from '../format.ts';
import { readIdentity } from '../typed.ts';
import { arrayAt, isObject, objectAt, stringAt, valueAt } from '../value.ts';

const MEDIA = ['image', 'document', 'video', 'audio'] as const;

/** Content items of Bedrock Converse and Strands: single-key wrappers. */
export const CONVERSE_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    const text = stringAt(item, 'text');
    if (text !== undefined) return { text, pointer: '/text' };
    if (!isObject(item) || item['json'] === undefined) return undefined;
    const json = jsonText(item['json']);
    return json === undefined ? undefined : { text: json };
  },
  itemMedia(item): ItemMedia | undefined {
    const kind = MEDIA.find((candidate) => objectAt(item, candidate) !== undefined);
    return kind === undefined ? undefined : { kind, data: mediaData(valueAt(item, kind)) };
  },
  textItem: (literal, member) => `{"text":${literal}${member === undefined ? '' : `,${member}`}}`,
  itemIdentity,
};

/** Undefined for JSON that is nested too deep for the engine's writer: it is left alone. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The identity of a block: `metadata.offloaded` of the seed, or the later block-level key. */
function itemIdentity(item: unknown): TypedIdentity | undefined {
  return readIdentity(valueAt(item, 'metadata', 'offloaded') ?? valueAt(item, 'offloaded'));
}

function mediaData(body: unknown): MediaData {
  const bytes = valueAt(body, 'source', 'bytes');
  const base64 = typeof bytes === 'string' ? bytes : stringAt(bytes, 'data');
  const format = stringAt(body, 'format');
  const plain = stringAt(body, 'source', 'text');
  return {
    ...(base64 === undefined ? {} : { base64 }),
    ...(plain === undefined ? {} : { bytes: Buffer.byteLength(plain) }),
    ...(format === undefined ? {} : { mime: format }),
  };
}

/** A Converse message at a pointer of its record. */
export function converseMessage(
  message: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
): MessageDraft | undefined {
  if (!isObject(message)) return undefined;
  const role = message['role'] === 'assistant' ? 'assistant' : 'user';
  const content = arrayAt(message, 'content') ?? [];
  const blocks = content.map((block, index) =>
    converseBlock(block, record, `${pointer}/content/${index}`, drafts),
  );
  const answers = blocks.some((block) => block.kind === 'toolResult');
  return {
    role,
    blocks,
    records: [record],
    real: role === 'user' && !answers,
    pinned: valueAt(message, 'metadata', 'custom', 'pinned') === true,
  };
}

function converseBlock(
  block: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
): BlockDraft {
  const text = stringAt(block, 'text');
  if (text !== undefined)
    return drafts.text(text, { record, pointer: `${pointer}/text` }, itemIdentity(block));
  const call = objectAt(block, 'toolUse');
  if (call !== undefined) {
    const tool = stringAt(call, 'name') ?? '';
    const tokens = drafts.meter.text(tool) + drafts.meter.json(call['input']);
    const signed = call['reasoningSignature'] !== undefined;
    return drafts.sealed('toolCall', record, tokens, {
      tool,
      callId: stringAt(call, 'toolUseId') ?? '',
      signed,
      pointer: `${pointer}/toolUse/input`,
    });
  }
  const result = objectAt(block, 'toolResult');
  if (result !== undefined) {
    const status = stringAt(result, 'status');
    return drafts.result(result['content'], {
      record,
      pointer: `${pointer}/toolResult/content`,
      callId: stringAt(result, 'toolUseId') ?? '',
      ...(status === undefined ? {} : { isError: status === 'error' }),
    });
  }
  const reasoning = objectAt(block, 'reasoning') ?? objectAt(block, 'reasoningContent');
  if (reasoning !== undefined) {
    const body = objectAt(reasoning, 'reasoningText') ?? reasoning;
    const signed = body['signature'] !== undefined || reasoning['redactedContent'] !== undefined;
    return drafts.sealed('thinking', record, drafts.meter.text(stringAt(body, 'text') ?? ''), {
      signed,
    });
  }
  if (isObject(block) && block['cachePoint'] !== undefined)
    return drafts.sealed('opaque', record, 0);
  return drafts.media(block, { record, pointer });
}

/** Whether a value has the shape of a Converse content block. */
export function isConverseBlock(block: unknown): boolean {
  if (!isObject(block) || stringAt(block, 'type') !== undefined) return false;
  return CONVERSE_KEYS.some((key) => block[key] !== undefined);
}

const CONVERSE_KEYS = [
  'text',
  'toolUse',
  'toolResult',
  'reasoning',
  'reasoningContent',
  'cachePoint',
  'guardContent',
  'citations',
  'citationsContent',
  ...MEDIA,
];
