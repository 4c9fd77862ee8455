import { escapeKey } from '../json/leaves.ts';
import { parseMarker } from '../marker/marker.ts';
import type { BlockDraft, Drafts, ResultFacts } from './builder.ts';
import { isObject } from './value.ts';

const DEPTH = 8;
/** Members that say what an object is: never a text. */
const NAMING = ['type', 'id'];

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

/**
 * A tool result whose content is an object, or a list of objects that are no content items: its largest string is
 * the block's slot, what is around it is counted in a sealed block beside it.
 */
export function objectResult(content: unknown, facts: ResultFacts, drafts: Drafts): BlockDraft[] {
  const leaves = leavesOf(content, [], DEPTH);
  // A marker of an earlier run stays the slot, however small it is beside the others.
  const leaf = leaves.find(({ text }) => parseMarker(text) !== undefined) ?? largest(leaves);
  if (leaf === undefined || leaf.text === '') return [drafts.result(content, facts)];
  const pointer = leaf.path.map((key) => `/${escapeKey(key)}`).join('');
  const block = drafts.result(leaf.text, { ...facts, pointer: `${facts.pointer}${pointer}` });
  const rest = drafts.meter.json(blanked(content, leaf.path));
  return [block, drafts.sealed('opaque', facts.record, rest)];
}

function leavesOf(value: unknown, path: readonly string[], depth: number): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (depth === 0) return [];
  return entriesOf(value)
    .filter(([key]) => !NAMING.includes(key))
    .flatMap(([key, member]) => leavesOf(member, [...path, key], depth - 1));
}

function largest(leaves: readonly Leaf[]): Leaf | undefined {
  return leaves.reduce<Leaf | undefined>(
    (best, leaf) => (leaf.text.length > (best?.text.length ?? -1) ? leaf : best),
    undefined,
  );
}

/** A copy with an empty string at a path. */
function blanked(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return '';
  const changed = entriesOf(value).map(
    ([name, member]) => [name, name === key ? blanked(member, rest) : member] as const,
  );
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((member, index) => [String(index), member] as const);
  return isObject(value) ? Object.entries(value) : [];
}
