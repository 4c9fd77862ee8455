import { elements, members, pointerTokens, type Span, skipSpace, valueEnd } from './scan.ts';

interface Wanted {
  readonly pointer: string;
  readonly tokens: readonly string[];
}

/**
 * Spans of the values that many pointers name, found in one walk: asking for them one by one would read a record of
 * many blocks as often as it has blocks. Pointers without a value are left out.
 */
export function findPointers(bytes: Uint8Array, pointers: readonly string[]): Map<string, Span> {
  const found = new Map<string, Span>();
  const wanted = pointers.map((pointer) => ({ pointer, tokens: pointerTokens(pointer) }));
  descend(bytes, skipSpace(bytes, 0), wanted, 0, found);
  return found;
}

function descend(
  bytes: Uint8Array,
  start: number,
  wanted: readonly Wanted[],
  depth: number,
  found: Map<string, Span>,
): void {
  const below = new Map<string, Wanted[]>();
  for (const want of wanted) {
    const token = want.tokens[depth];
    const known = token === undefined ? undefined : below.get(token);
    if (token === undefined) found.set(want.pointer, { start, end: valueEnd(bytes, start) });
    else if (known === undefined) below.set(token, [want]);
    else known.push(want);
  }
  if (below.size === 0) return;
  for (const [key, at] of children(bytes, start)) {
    const inner = below.get(key);
    if (inner !== undefined) descend(bytes, at, inner, depth + 1, found);
  }
}

/** Where each child starts; of duplicate keys the last one, as in JSON.parse. */
function children(bytes: Uint8Array, start: number): Map<string, number> {
  const list = elements(bytes, start).map((span, index) => [String(index), span.start] as const);
  const named = members(bytes, start).map((member) => [member.key, member.start] as const);
  return new Map([...list, ...named]);
}
