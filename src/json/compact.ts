/** A value as JSON without spaces; one that is nested too deep for the engine's writer as its outline. */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch (cause) {
    if (cause instanceof RangeError) return outline(value);
    throw cause;
  }
}

/** Keys and scalars of a value, gathered without recursion. */
function outline(root: unknown): string {
  const parts: string[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (value === null || typeof value !== 'object') parts.push(String(value));
    else {
      parts.push('{}');
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) parts.push(key);
        open.push(inner);
      }
    }
  }
  return parts.join(',');
}
