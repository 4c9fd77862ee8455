import type { Dialect, ItemMedia, ItemText } from '../format.ts';
import { arrayAt, stringAt } from '../value.ts';

/** Items of a Goose tool response (MCP content). */
export const GOOSE_ITEMS: Dialect = {
  itemText(item): ItemText | undefined {
    const type = stringAt(item, 'type');
    const text = type === 'text' ? stringAt(item, 'text') : undefined;
    if (text !== undefined) return forModel(item) ? { text, pointer: '/text' } : undefined;
    const resource = type === 'resource' ? stringAt(item, 'resource', 'text') : undefined;
    if (resource === undefined || !forModel(item)) return undefined;
    return { text: resource, pointer: '/resource/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    if (stringAt(item, 'type') !== 'image' || !forModel(item)) return undefined;
    const [base64, mime] = [stringAt(item, 'data'), stringAt(item, 'mimeType')];
    return {
      kind: 'image',
      data: {
        ...(base64 === undefined ? {} : { base64 }),
        ...(mime === undefined ? {} : { mime }),
      },
    };
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
  itemSent: forModel,
};

/** Content with an audience is sent when the assistant is part of it; the rest is a copy for the screen. */
export function forModel(item: unknown): boolean {
  const audience = arrayAt(item, 'annotations', 'audience') ?? arrayAt(item, 'audience');
  return audience === undefined || audience.includes('assistant');
}
