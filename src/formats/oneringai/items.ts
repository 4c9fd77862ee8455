import type { BlockDraft, Drafts, MessageDraft } from '../builder.ts';
import type { Dialect, ItemMedia, ItemText } from '../format.ts';
import { arrayAt, isObject, stringAt, valueAt } from '../value.ts';

/** Content blocks of OneRingAI. */
export const ONERINGAI_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    const type = stringAt(item, 'type');
    if (type !== 'input_text' && type !== 'output_text') return undefined;
    const text = stringAt(item, 'text');
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const type = stringAt(item, 'type');
    if (type === 'input_file') return { kind: 'document', data: {} };
    // Pictures of a tool result are kept beside its text, without a type.
    const base64 = type === undefined ? stringAt(item, 'base64') : undefined;
    if (base64 !== undefined) {
      return { kind: 'image', data: { base64, mime: stringAt(item, 'mediaType') ?? '' } };
    }
    const url = stringAt(item, 'image_url', 'url');
    return type === 'input_image_url' && url !== undefined
      ? { kind: 'image', data: urlData(url, stringAt(item, 'image_url', 'detail')) }
      : undefined;
  },
  textItem: (literal) => `{"type":"input_text","text":${literal}}`,
};

function urlData(url: string, detail: string | undefined): ItemMedia['data'] {
  const match = /^data:([^;,]*)(?:;[^,]*)?,/.exec(url);
  const sized = detail === undefined ? {} : { detail };
  if (match === null) return { url, ...sized };
  return { base64: url.slice(match[0].length), mime: match[1] ?? '', ...sized };
}

/** Reads items in order; a late result settles the call that it names. */
export class ItemReader {
  readonly #results = new Map<string, BlockDraft[]>();

  read(item: unknown, record: number, pointer: string, drafts: Drafts): MessageDraft | undefined {
    const draft = readItem(item, record, pointer, drafts);
    for (const { kind, callId } of draft?.blocks ?? []) {
      if (kind === 'toolResult' && callId !== undefined)
        this.#results.set(callId, draft?.blocks ?? []);
    }
    for (const id of draft?.links ?? []) settle(this.#results.get(id) ?? [], id);
    return draft;
  }
}

function settle(blocks: BlockDraft[], id: string): void {
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'toolResult' && block.callId === id)
      blocks[index] = { ...block, pending: false };
  }
}

/** One item of a conversation at a pointer of its record. Undefined when it is none. */
function readItem(
  item: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
): MessageDraft | undefined {
  if (!isObject(item)) return undefined;
  if (item['type'] === 'compaction') return readCompaction(item, record, drafts);
  if (item['type'] !== 'message') return undefined;
  const blocks = (arrayAt(item, 'content') ?? []).flatMap((block, index) =>
    readBlock(block, record, `${pointer}/content/${index}`, drafts),
  );
  const role = stringAt(item, 'role');
  if (role === 'developer') {
    return { role: 'system', blocks, records: [record], fixed: 'system-message' };
  }
  if (role === 'assistant') return { role, blocks, records: [record] };
  const delivered = deliveredCalls(item);
  const answers = blocks.some(({ kind }) => kind === 'toolResult');
  return {
    role: 'user',
    blocks,
    records: [record],
    real: !answers && delivered === undefined,
    ...(delivered === undefined ? {} : { links: delivered }),
  };
}

/** What the service made of earlier items: opaque, and nothing may take its place. */
function readCompaction(item: unknown, record: number, drafts: Drafts): MessageDraft {
  const encrypted = stringAt(item, 'encrypted_content');
  // Base64 holds three bytes in four characters, four bytes are taken for a token.
  const tokens =
    encrypted === undefined ? drafts.meter.json(item) : Math.ceil((encrypted.length * 3) / 16);
  const block = drafts.sealed('opaque', record, tokens, { signed: true, counted: false });
  return { role: 'system', blocks: [block], records: [record], fixed: 'compaction-summary' };
}

function readBlock(block: unknown, record: number, pointer: string, drafts: Drafts): BlockDraft[] {
  const { meter } = drafts;
  switch (stringAt(block, 'type') ?? '') {
    case 'input_text':
    case 'output_text':
      return [drafts.text(stringAt(block, 'text') ?? '', { record, pointer: `${pointer}/text` })];
    case 'tool_use': {
      const tool = stringAt(block, 'name') ?? '';
      const tokens = meter.text(tool) + meter.text(stringAt(block, 'arguments') ?? '');
      const facts = {
        tool,
        callId: stringAt(block, 'id') ?? '',
        signed: stringAt(block, 'thoughtSignature') !== undefined,
        pointer: `${pointer}/arguments`,
      };
      return [drafts.sealed('toolCall', record, tokens, facts)];
    }
    case 'tool_result':
      return readResult(block, record, pointer, drafts);
    case 'thinking': {
      const signed = stringAt(block, 'signature') !== undefined;
      const tokens = meter.text(stringAt(block, 'thinking') ?? '');
      return [drafts.sealed('thinking', record, tokens, { signed })];
    }
    default:
      return [drafts.media(block, { record, pointer })];
  }
}

/** How a call ended is not saved, but for an error: without one it counts as unknown. */
function readResult(block: unknown, record: number, pointer: string, drafts: Drafts): BlockDraft[] {
  const error = valueAt(block, 'error');
  const failed = error !== undefined && error !== null && error !== '' && error !== false;
  const result = drafts.result(valueAt(block, 'content'), {
    record,
    pointer: `${pointer}/content`,
    callId: stringAt(block, 'tool_use_id') ?? '',
    ...(failed ? { isError: true } : {}),
  });
  const pictures = (arrayAt(block, '__images') ?? []).map((picture, index) =>
    drafts.media(picture, { record, pointer: `${pointer}/__images/${index}` }, true),
  );
  return [result, ...pictures];
}

const DELIVERY = '[Async Tool Results]';

/** Ids of the calls whose late results a user message brings; undefined for any other message. */
function deliveredCalls(item: unknown): string[] | undefined {
  const text = (arrayAt(item, 'content') ?? [])
    .map((block) => stringAt(block, 'text') ?? '')
    .find((found) => found.startsWith(DELIVERY));
  if (text === undefined) return undefined;
  return [...text.matchAll(/^Tool "[^"\n]*" \(([^()\n]+)\) (?:completed|failed):$/gm)].map(
    (match) => match[1] as string,
  );
}
