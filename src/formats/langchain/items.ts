import type { MediaData } from '../../measure/media.ts';
import type { MediaKind } from '../../model/conversation.ts';
import { ANTHROPIC_ITEMS, OPENAI_CHAT_ITEMS } from '../dialects.ts';
import type { Dialect, ItemMedia, ItemText } from '../format.ts';
import { stringAt } from '../value.ts';

const STANDARD: Readonly<Record<string, MediaKind>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  file: 'document',
};

/** Content blocks: bare strings, LangChain's own, and those of Chat Completions and Anthropic as they are. */
export const LANGCHAIN_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    if (typeof item === 'string') return { text: item, pointer: '' };
    if (stringAt(item, 'type') !== 'text') return undefined;
    const text = stringAt(item, 'text');
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const kind = STANDARD[stringAt(item, 'type') ?? ''];
    const data = standardData(item);
    if (kind !== undefined && data !== undefined) return { kind, data };
    return OPENAI_CHAT_ITEMS.itemMedia(item) ?? ANTHROPIC_ITEMS.itemMedia(item);
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
};

/** LangChain's own blocks: `base64` or `url` since version 1, `source_type` and `data` before. */
function standardData(item: unknown): MediaData | undefined {
  const base64 = stringAt(item, 'base64') ?? stringAt(item, 'data');
  const url = stringAt(item, 'url');
  const mime = stringAt(item, 'mime_type') ?? stringAt(item, 'mimeType');
  if (base64 === undefined && url === undefined) return undefined;
  return {
    ...(base64 === undefined ? {} : { base64 }),
    ...(url === undefined ? {} : { url }),
    ...(mime === undefined ? {} : { mime }),
  };
}
