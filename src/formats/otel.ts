import type { MediaData } from '../measure/media.ts';
import type { MediaKind } from '../model/conversation.ts';
import { arrayGapEditor } from './array/gap.ts';
import { ArrayIndexer, type ReadMessage } from './array/indexer.ts';
import type { BlockDraft, Drafts, MessageDraft, Place } from './builder.ts';
import type { Dialect, DocumentFormat, Head, ItemMedia, ItemText } from './format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from './value.ts';
import { valueResult } from './value-result.ts';

const INPUT = 'gen_ai.input.messages';
/** Where the messages are: a bare list, the attribute, the attributes of a span or the body of an event. */
const PLACES: readonly (readonly string[])[] = [
  [INPUT],
  ['attributes', INPUT],
  ['body', INPUT],
  ['input_messages'],
  ['messages'],
];

const MODALITIES: readonly string[] = ['image', 'audio', 'video'];

const OTEL_PARTS: Dialect = {
  itemText(item): ItemText | undefined {
    if (stringAt(item, 'type') !== 'text') return undefined;
    const text = stringAt(item, 'content');
    return text === undefined ? undefined : { text, pointer: '/content' };
  },
  itemMedia(item): ItemMedia | undefined {
    if (!['blob', 'uri', 'file'].includes(stringAt(item, 'type') ?? '')) return undefined;
    const modality = stringAt(item, 'modality') ?? '';
    const kind = MODALITIES.includes(modality) ? (modality as MediaKind) : 'document';
    return { kind, data: mediaData(item) };
  },
  textItem: (literal) => `{"type":"text","content":${literal}}`,
};

function mediaData(item: unknown): MediaData {
  const base64 = stringAt(item, 'content');
  const url = stringAt(item, 'uri');
  const mime = stringAt(item, 'mime_type');
  return {
    ...(base64 === undefined ? {} : { base64 }),
    ...(url === undefined ? {} : { url }),
    ...(mime === undefined ? {} : { mime }),
  };
}

/** OpenTelemetry GenAI messages where they are plain JSON; not those inside the strings of span attributes. */
export const otelGenai: DocumentFormat = {
  name: 'otel-genai',
  title: 'OpenTelemetry GenAI messages',
  layout: 'json',
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'semantic conventions',
  dialect: OTEL_PARTS,
  detect,
  messagesAt: placeOf,
  indexer: (context, document) =>
    new ArrayIndexer(
      {
        dialect: OTEL_PARTS,
        read: new Reader().read,
        overhead,
        model: (root) => attribute(root, 'gen_ai.response.model', 'gen_ai.request.model'),
        usage: (root) => {
          const used = valueAt(attributes(root), 'gen_ai.usage.input_tokens');
          return typeof used === 'number' ? used : undefined;
        },
        gaps: arrayGapEditor({
          message: (literal, _identity, _marker, { colon, comma }) =>
            `{"role"${colon}"user"${comma}"parts"${colon}[{"type"${colon}"text"${comma}"content"${colon}${literal}}]}`,
        }),
      },
      context,
      document,
    ),
};

function placeOf(document: unknown): string | undefined {
  if (Array.isArray(document)) return '';
  const path = PLACES.find((keys) => Array.isArray(valueAt(document, ...keys)));
  return path === undefined ? undefined : `/${path.join('/')}`;
}

function detect(head: Head): number {
  const place = head.framing === 'json' ? placeOf(head.document) : undefined;
  if (place === undefined) return 0;
  const list = place === '' ? head.document : valueAt(head.document, ...place.slice(1).split('/'));
  const messages = (list as readonly unknown[]).filter(isObject);
  if (messages.length === 0 || !messages.every(isMessage)) return 0;
  const parts = messages.flatMap((message) => arrayAt(message, 'parts') ?? []);
  return parts.length > 0 && parts.every(isOwnPart) ? 93 : 0;
}

function isMessage(message: Json): boolean {
  return stringAt(message, 'role') !== undefined && Array.isArray(message['parts']);
}

/** The conventions allow further types; what they have they call `content`, where others call it `text`. */
function isOwnPart(part: unknown): boolean {
  const type = stringAt(part, 'type');
  if (type === undefined || type === 'tool-invocation' || type === 'step-start') return false;
  return type !== 'text' || stringAt(part, 'content') !== undefined;
}

function attributes(root: unknown): unknown {
  return valueAt(root, 'attributes') ?? valueAt(root, 'body') ?? root;
}

function attribute(root: unknown, ...names: readonly string[]): string | undefined {
  return names.map((name) => stringAt(attributes(root), name)).find((value) => value !== undefined);
}

function overhead(root: unknown, { meter }: Drafts): number {
  const own = attributes(root);
  const system = arrayAt(own, 'gen_ai.system_instructions') ?? [];
  const tools = valueAt(own, 'gen_ai.tool.definitions');
  const texts = system.map((part) => meter.text(stringAt(part, 'content') ?? ''));
  return texts.reduce((sum, count) => sum + count, tools === undefined ? 0 : meter.json(tools));
}

class Reader {
  #lastResult = -2;

  readonly read = (value: unknown, record: number, drafts: Drafts): ReadMessage | undefined => {
    if (!isObject(value)) return undefined;
    const blocks = (arrayAt(value, 'parts') ?? []).flatMap((part, index) =>
      partBlocks(part, { record, pointer: `/parts/${index}` }, drafts),
    );
    const role = stringAt(value, 'role');
    const answers = blocks.some(({ kind }) => kind === 'toolResult');
    const draft: MessageDraft =
      role === 'assistant'
        ? { role, blocks, records: [record] }
        : role === 'user' || role === 'tool'
          ? { role: 'user', blocks, records: [record], real: role === 'user' && !answers }
          : { role: 'system', blocks, records: [record], fixed: 'system-message' };
    return { draft, join: draft.role === 'user' && answers && this.#joins(record) };
  };

  /** Messages with results that follow one another answer one reply and are one message. */
  #joins(record: number): boolean {
    const joined = this.#lastResult === record - 1;
    this.#lastResult = record;
    return joined;
  }
}

function partBlocks(part: unknown, { record, pointer }: Place, drafts: Drafts): BlockDraft[] {
  const { meter } = drafts;
  const type = stringAt(part, 'type') ?? '';
  const callId = stringAt(part, 'id') ?? '';
  switch (type) {
    case 'text': {
      const place = { record, pointer: `${pointer}/content` };
      return [drafts.text(stringAt(part, 'content') ?? '', place)];
    }
    case 'reasoning':
      return [drafts.sealed('thinking', record, meter.text(stringAt(part, 'content') ?? ''))];
    case 'tool_call': {
      const tool = stringAt(part, 'name') ?? '';
      const tokens = meter.text(tool) + meter.json(valueAt(part, 'arguments'));
      const facts = { tool, callId, pointer: `${pointer}/arguments` };
      return [drafts.sealed('toolCall', record, tokens, facts)];
    }
    case 'tool_call_response': {
      // `response` by the schema, `result` in its first examples.
      const key = valueAt(part, 'response') === undefined ? 'result' : 'response';
      const facts = { record, callId, pointer: `${pointer}/${key}` };
      return valueResult(valueAt(part, key), facts, drafts);
    }
    default:
      return [drafts.media(part, { record, pointer })];
  }
}
