import { anthropicBlock } from '../anthropic-blocks.ts';
import type { BlockDraft, Drafts } from '../builder.ts';
import { ANTHROPIC_ITEMS } from '../dialects.ts';
import type { Dialect, ItemMedia, ItemText } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { valueResult } from '../value-result.ts';

/** Content items of Cline and Roo Code: those of the Messages API, and files and pictures of Cline's SDK. */
export const CLINE_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    if (stringAt(item, 'type') !== 'file') return ANTHROPIC_ITEMS.itemText(item);
    const text = stringAt(item, 'content');
    return text === undefined ? undefined : { text, pointer: '/content' };
  },
  itemMedia(item): ItemMedia | undefined {
    const data = stringAt(item, 'type') === 'image' ? stringAt(item, 'data') : undefined;
    if (data === undefined) return ANTHROPIC_ITEMS.itemMedia(item);
    const mime = stringAt(item, 'mediaType');
    return { kind: 'image', data: { base64: data, ...(mime === undefined ? {} : { mime }) } };
  },
  textItem: ANTHROPIC_ITEMS.textItem,
};

/** The blocks of one message, in order. */
export function messageBlocks(value: Json, record: number, drafts: Drafts): BlockDraft[] {
  const reasoning = reasoningBlocks(value, record, drafts);
  const content = value['content'];
  if (typeof content === 'string' && (content !== '' || reasoning.length === 0))
    return [...reasoning, drafts.text(content, { record, pointer: '/content' })];
  const blocks = (Array.isArray(content) ? content : []).flatMap((block, index) =>
    contentBlock(block, record, `/content/${index}`, drafts),
  );
  return [...reasoning, ...blocks];
}

/** Reasoning that Roo Code keeps on the message: an item of its own, or beside the content. */
function reasoningBlocks(value: Json, record: number, drafts: Drafts): BlockDraft[] {
  const { meter } = drafts;
  const encrypted = stringAt(value, 'encrypted_content');
  if (encrypted !== undefined) {
    // Base64 holds three bytes in four characters, four bytes are taken for a token.
    const tokens = Math.ceil((encrypted.length * 3) / 16);
    return [drafts.sealed('thinking', record, tokens, { signed: true, counted: false })];
  }
  const details = value['reasoning_details'];
  const text = stringAt(value, 'reasoning_content') ?? '';
  const own = stringAt(value, 'type') === 'reasoning' ? (stringAt(value, 'text') ?? '') : '';
  if (details === undefined && text === '' && own === '') return [];
  const tokens =
    meter.text(text) + meter.text(own) + (details === undefined ? 0 : meter.json(details));
  return [drafts.sealed('thinking', record, tokens, { signed: details !== undefined })];
}

function contentBlock(
  block: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
): BlockDraft[] {
  switch (stringAt(block, 'type') ?? '') {
    case 'text':
      return [textBlock(block, record, pointer, drafts)];
    case 'file':
      return [
        drafts.text(stringAt(block, 'content') ?? '', { record, pointer: `${pointer}/content` }),
      ];
    case 'reasoning':
    case 'thoughtSignature': {
      const tokens = drafts.meter.text(stringAt(block, 'text') ?? '');
      return [drafts.sealed('thinking', record, tokens, { signed: isSigned(block) })];
    }
    case 'tool_result':
      return resultBlocks(block, record, pointer, drafts);
    default: {
      // Other files of a task address blocks by position too: none is taken out whole.
      const { element: _element, ...rest } = anthropicBlock(block, record, pointer, drafts);
      return [rest];
    }
  }
}

/** A text that a provider signed goes back as it came. */
function textBlock(block: unknown, record: number, pointer: string, drafts: Drafts): BlockDraft {
  if (!isSigned(block)) return anthropicBlock(block, record, pointer, drafts);
  const tokens = drafts.meter.text(stringAt(block, 'text') ?? '');
  return drafts.sealed('text', record, tokens, { signed: true });
}

function isSigned(block: unknown): boolean {
  return ['signature', 'thoughtSignature', 'reasoning_details'].some(
    (key) => (valueAt(block, key) ?? '') !== '',
  );
}

/** A result may be any JSON in a session of the SDK. */
function resultBlocks(
  block: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
): BlockDraft[] {
  const content = valueAt(block, 'content');
  const items = arrayAt(block, 'content') ?? [];
  const known = items.every(
    (item) =>
      CLINE_ITEMS.itemText(item) !== undefined ||
      CLINE_ITEMS.itemMedia(item) !== undefined ||
      stringAt(item, 'type') !== undefined,
  );
  if (!isObject(content) && known) return [anthropicBlock(block, record, pointer, drafts)];
  const error = valueAt(block, 'is_error');
  return valueResult(
    content,
    {
      record,
      pointer: `${pointer}/content`,
      callId: stringAt(block, 'tool_use_id') ?? '',
      ...(typeof error === 'boolean' ? { isError: error } : {}),
    },
    drafts,
  );
}
