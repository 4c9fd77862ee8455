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

/** The value with another string at a path of keys. */
export function withText(value: unknown, path: readonly string[], text: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? withText(item, rest, text) : item));
  const entries = Object.entries(value as object);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, name === key ? withText(item, rest, text) : item]),
  );
}
