/** Pointers of the strings inside a value, in order; `base` is the value's own pointer. */
export function stringLeaves(value: unknown, base: string): string[] {
  if (typeof value === 'string') return [base];
  if (Array.isArray(value)) return value.flatMap((item, at) => stringLeaves(item, `${base}/${at}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    stringLeaves(item, `${base}/${escapeKey(key)}`),
  );
}

/** A key as a JSON pointer writes it (RFC 6901). */
export function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
