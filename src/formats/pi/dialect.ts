import type { Dialect, ItemMedia, ItemText } from '../format.ts';
import { stringAt } from '../value.ts';

/** Content items of pi: texts and images. */
export const PI_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    if (stringAt(item, 'type') !== 'text') return undefined;
    const text = stringAt(item, 'text');
    return text === undefined ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    if (stringAt(item, 'type') !== 'image') return undefined;
    const data = stringAt(item, 'data') ?? '';
    const mime = stringAt(item, 'mimeType');
    // A fork keeps large images beside the session and names them here.
    const bytes = data.startsWith('blob:') ? {} : { base64: data };
    return { kind: 'image', data: { ...bytes, ...(mime === undefined ? {} : { mime }) } };
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
};
