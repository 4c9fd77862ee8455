import { escapeKey, withText } from '../json/leaves.ts';
import { parseMarker } from '../marker/marker.ts';
import type { BlockDraft, Drafts, ResultFacts } from './builder.ts';
import { isObject } from './value.ts';

/** Deeper text is left alone: it is counted with the rest. */
const DEPTH = 64;
/** Members that say what an object is: never a text. */
const NAMING = ['type', 'id'];

/**
 * A result whose value may be anything. A string is its slot. Of an object or a list the longest string is the slot,
 * so that its type stays what a schema expects; the rest is counted beside it and never edited.
 */
export function valueResult(value: unknown, facts: ResultFacts, drafts: Drafts): BlockDraft[] {
  if (typeof value === 'string') return [drafts.result(value, facts)];
  const leaf = chosenLeaf(value, drafts);
  if (leaf === undefined) return [sealedResult(drafts.meter.json(value), facts, drafts)];
  const { record } = facts;
  const place = { ...facts, pointer: facts.pointer + pointerOf(leaf.path) };
  const rest = drafts.meter.json(withText(value, leaf.path, ''));
  return [drafts.result(leaf.text, place), drafts.sealed('opaque', record, rest)];
}

/** A result that is counted and never edited. */
export function sealedResult(tokens: number, facts: ResultFacts, drafts: Drafts): BlockDraft {
  const { callId, tool, isError } = facts;
  return {
    ...drafts.sealed('toolResult', facts.record, tokens),
    ...(callId === undefined ? {} : { callId }),
    ...(tool === undefined ? {} : { tool }),
    ...(isError === undefined ? {} : { isError }),
  };
}

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

/** A marker stays the slot once it stands there, whatever is longer beside it. */
function chosenLeaf(value: unknown, drafts: Drafts): Leaf | undefined {
  const leaves = leavesOf(value);
  return (
    leaves.find(({ text }) => drafts.isPlaced(text)) ??
    leaves.find(({ text }) => parseMarker(text) !== undefined) ??
    leaves.reduce<Leaf | undefined>(
      (best, leaf) => (leaf.text.length > (best?.text.length ?? 0) ? leaf : best),
      undefined,
    )
  );
}

/** Strings of a value in document order, keys not among them. */
function leavesOf(root: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const open: { readonly path: readonly string[]; readonly value: unknown }[] = [
    { path: [], value: root },
  ];
  while (open.length > 0) {
    const { path, value } = open.pop() as (typeof open)[number];
    if (typeof value === 'string') leaves.push({ path, text: value });
    else if ((isObject(value) || Array.isArray(value)) && path.length < DEPTH) {
      for (const [key, inner] of Object.entries(value).toReversed())
        if (!NAMING.includes(key)) open.push({ path: [...path, key], value: inner });
    }
  }
  return leaves;
}

function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${escapeKey(key)}`).join('');
}
