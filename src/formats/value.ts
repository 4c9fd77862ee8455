/** Careful reads of parsed JSON: a transcript may hold anything. */

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The object at a key path, or undefined. */
export function objectAt(value: unknown, ...path: readonly string[]): Json | undefined {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : undefined;
}

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isObject(at)) return undefined;
    at = Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function arrayAt(
  value: unknown,
  ...path: readonly string[]
): readonly unknown[] | undefined {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : undefined;
}
