import { isObject } from '../value.ts';

/** A string inside a JSON value. */
export interface Leaf {
  readonly pointer: string;
  readonly text: string;
  /** Keys and indexes on the way to it. */
  readonly path: readonly string[];
}

/** What is nested deeper is not looked at. */
const DEPTH = 32;

/** Strings inside a value, in its order. */
export function leavesOf(root: unknown): Leaf[] {
  const found: Leaf[] = [];
  const open: { readonly value: unknown; readonly path: readonly string[] }[] = [
    { value: root, path: [] },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value, path } = at;
    if (typeof value === 'string') found.push({ text: value, path, pointer: pointerOf(path) });
    if (value === null || typeof value !== 'object' || path.length === DEPTH) continue;
    for (const [key, inner] of Object.entries(value).toReversed())
      open.push({ value: inner, path: [...path, key] });
  }
  return found;
}

/** The leaf that stands for a whole output: what an earlier run left, else the longest. */
export function mainLeaf(
  leaves: readonly Leaf[],
  placed: (leaf: Leaf) => boolean,
): Leaf | undefined {
  const known = leaves.find(placed);
  if (known !== undefined) return known;
  return leaves.reduce<Leaf | undefined>(
    (best, leaf) => (best === undefined || leaf.text.length > best.text.length ? leaf : best),
    undefined,
  );
}

/** The value with one leaf emptied: what an edit of that leaf leaves as it is. */
export function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return '';
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? without(item, rest) : item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === key ? without(inner, rest) : inner,
  ]);
  return Object.fromEntries(entries);
}

function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
