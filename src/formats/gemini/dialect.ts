import type { MediaKind } from '../../model/conversation.ts';
import type { Dialect, ItemMedia, ItemText } from '../format.ts';
import { isObject, type Json, stringAt } from '../value.ts';

/** Parts of Gemini contents. The Python SDK writes the same names in snake case and absent ones as null. */
export const GEMINI_PARTS: Dialect = {
  itemText(item): ItemText | undefined {
    const text = stringAt(item, 'text');
    return text === undefined || isThought(item) ? undefined : { text, pointer: '/text' };
  },
  itemMedia(item): ItemMedia | undefined {
    const inline = memberOf(item, 'inlineData')?.value;
    const file = memberOf(item, 'fileData')?.value;
    const held = inline ?? file;
    if (held === undefined) return undefined;
    const mime = stringAt(held, 'mimeType') ?? stringAt(held, 'mime_type') ?? '';
    const base64 = stringAt(inline, 'data');
    const url = stringAt(file, 'fileUri') ?? stringAt(file, 'file_uri');
    return {
      kind: kindOf(mime),
      data: {
        mime,
        ...(base64 === undefined ? {} : { base64 }),
        ...(url === undefined ? {} : { url }),
      },
    };
  },
  textItem: (literal) => `{"text":${literal}}`,
};

/** A member of a part that is an object, under its name in camel or snake case. */
export function memberOf(part: unknown, name: string): { key: string; value: Json } | undefined {
  for (const key of [name, snake(name)]) {
    const value = isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined;
    if (isObject(value)) return { key, value };
  }
  return undefined;
}

/** Whether a part is what the model thought. */
export function isThought(part: unknown): boolean {
  return isObject(part) && part['thought'] === true;
}

/** Whether a part carries a signature, which is valid for it alone. */
export function isSigned(part: unknown): boolean {
  return (stringAt(part, 'thoughtSignature') ?? stringAt(part, 'thought_signature')) !== undefined;
}

function kindOf(mime: string): MediaKind {
  const kind = mime.slice(0, mime.indexOf('/'));
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document';
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
