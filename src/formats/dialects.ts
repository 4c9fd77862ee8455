import type { MediaData } from '../measure/media.ts';
import type { Dialect, ItemMedia, ItemText } from './format.ts';
import { isObject, stringAt, valueAt } from './value.ts';

/** Content items of the Anthropic Messages API; Claude Code stores the same. */
export const ANTHROPIC_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    if (stringAt(item, 'type') !== 'text') return undefined;
    const text = stringAt(item, 'text');
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const kind = stringAt(item, 'type');
    if (kind !== 'image' && kind !== 'document') return undefined;
    return { kind, data: sourceData(valueAt(item, 'source')) };
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
};

function sourceData(source: unknown): MediaData {
  const base64 = stringAt(source, 'type') === 'base64' ? stringAt(source, 'data') : undefined;
  const plain = stringAt(source, 'type') === 'text' ? stringAt(source, 'data') : undefined;
  const url = stringAt(source, 'url');
  const mime = stringAt(source, 'media_type');
  return {
    ...(base64 === undefined ? {} : { base64 }),
    ...(plain === undefined ? {} : { bytes: Buffer.byteLength(plain) }),
    ...(url === undefined ? {} : { url }),
    ...(mime === undefined ? {} : { mime }),
  };
}

/** Content parts of Chat Completions. A tool message may hold text parts only. */
export const OPENAI_CHAT_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    if (stringAt(item, 'type') !== 'text') return undefined;
    const text = stringAt(item, 'text');
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const type = stringAt(item, 'type');
    if (type === 'image_url') return { kind: 'image', data: urlData(valueAt(item, 'image_url')) };
    if (type === 'input_audio') return { kind: 'audio', data: {} };
    if (type === 'file')
      return { kind: 'document', data: urlData(stringAt(item, 'file', 'file_data') ?? '') };
    return undefined;
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
};

/** Content parts of OpenAI Responses items, as Codex stores them. */
export const RESPONSES_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    const type = stringAt(item, 'type');
    if (type !== 'input_text' && type !== 'output_text' && type !== 'text') return undefined;
    const text = stringAt(item, 'text');
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const type = stringAt(item, 'type');
    if (type === 'input_image') {
      const detail = stringAt(item, 'detail');
      const data = urlData(valueAt(item, 'image_url'));
      return { kind: 'image', data: detail === undefined ? data : { ...data, detail } };
    }
    if (type === 'input_file')
      return { kind: 'document', data: urlData(stringAt(item, 'file_data') ?? '') };
    return undefined;
  },
  textItem: (literal) => `{"type":"input_text","text":${literal}}`,
};

/** A `data:` URL's payload, or the URL; Chat Completions wraps it in an object with a detail. */
export function urlData(value: unknown): MediaData {
  const url = typeof value === 'string' ? value : (stringAt(value, 'url') ?? '');
  const detail = isObject(value) ? stringAt(value, 'detail') : undefined;
  const match = /^data:([^;,]*)(?:;[^,]*)?,/.exec(url);
  const sized = detail === undefined ? {} : { detail };
  if (match === null) return { url, ...sized };
  return { base64: url.slice(match[0].length), mime: match[1] ?? '', ...sized };
}
