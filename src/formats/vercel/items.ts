import type { MediaData } from '../../measure/media.ts';
import type { MediaKind } from '../../model/conversation.ts';
import type { Dialect, ItemMedia, ItemText } from '../format.ts';
import { stringAt } from '../value.ts';

const MEDIA_TYPES = [
  'file',
  'image',
  'media',
  'file-data',
  'file-url',
  'image-data',
  'image-url',
  'reasoning-file',
];

/** Parts of UI and model messages, items of a result of the type `content`, and version 4's attachments. */
export const VERCEL_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    if (stringAt(item, 'type') !== 'text') return undefined;
    const text = stringAt(item, 'text');
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const type = stringAt(item, 'type');
    const mime = ['mediaType', 'mimeType', 'contentType']
      .map((key) => stringAt(item, key))
      .find((found) => found !== undefined);
    if (type === undefined ? mime === undefined : !MEDIA_TYPES.includes(type)) return undefined;
    return { kind: kindOf(mime, type), data: mediaData(item, mime) };
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
};

function kindOf(mime: string | undefined, type: string | undefined): MediaKind {
  const main = mime?.split('/')[0];
  if (main === 'image' || main === 'audio' || main === 'video') return main;
  return mime === undefined && type?.startsWith('image') === true ? 'image' : 'document';
}

/** The bytes are a `data:` URL, bare base64 or a URL, under a key that differs by part. */
function mediaData(item: unknown, mime: string | undefined): MediaData {
  const value = stringAt(item, 'url') ?? stringAt(item, 'data') ?? stringAt(item, 'image') ?? '';
  const match = /^data:([^;,]*)(?:;[^,]*)?,/.exec(value);
  const typed = mime ?? match?.[1];
  return {
    ...(match !== null
      ? { base64: value.slice(match[0].length) }
      : /^[a-z]+:\/\//.test(value)
        ? { url: value }
        : { base64: value }),
    ...(typed === undefined ? {} : { mime: typed }),
  };
}
