import { stringLeaves } from '../json/leaves.ts';
import type { Copy } from '../model/conversation.ts';

/** Shorter strings are not worth a place in the index. */
const LEAST_BYTES = 256;

/** Strings under a value that no model sees, as copies. `base` is the value's pointer in its record. */
export function copiesIn(
  value: unknown,
  { record, base, name }: { readonly record: number; readonly base: string; readonly name: string },
): Copy[] {
  return stringLeaves(value, base).flatMap(({ pointer, text }) =>
    copyOf(text, record, pointer, name),
  );
}

function copyOf(text: string, record: number, pointer: string, name: string): Copy[] {
  if (text.length < LEAST_BYTES) return [];
  const media = pointer.endsWith('/base64') || pointer.endsWith('/source/data');
  return [{ record, pointer, name, bytes: Buffer.byteLength(text), ...(media ? { media } : {}) }];
}
