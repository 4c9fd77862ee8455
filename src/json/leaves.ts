/** Deeper strings are left alone: their pointers would be as long as the record. */
const DEEPEST = 64;

export interface Leaf {
  readonly pointer: string;
  readonly text: string;
}

/** The strings inside a value with their pointers, in order; `base` is the value's own pointer. */
export function stringLeaves(value: unknown, base: string, depth = 0): Leaf[] {
  if (typeof value === 'string') return [{ pointer: base, text: value }];
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    stringLeaves(item, `${base}/${escapeKey(key)}`, depth + 1),
  );
}

/** A key as a JSON pointer writes it (RFC 6901). */
export function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
