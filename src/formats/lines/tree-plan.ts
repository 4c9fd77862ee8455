import type { GapEdit } from '../../model/splice.ts';
import type { MarkerLines, TreeNode } from './tree-gap.ts';

/** One gap of a tree of lines. */
export interface Gap {
  readonly edit: GapEdit;
  /** Id of its marker line. */
  readonly id: string;
  /** Ids of the removed lines that the marker stands for in the tree: an unbroken chain from the first one. */
  readonly run: ReadonlySet<string>;
  readonly first: TreeNode | undefined;
}

/** Which line of a tree stays, and what stands for one that does not. */
export interface GapPlan {
  readonly gaps: readonly Gap[];
  ownerOf(id: string): Gap | undefined;
  idOf(record: number): string | undefined;
  isRemoved(record: number): boolean;
  /** Markers that are added before a kept line, in their order. */
  addedBefore(record: number): readonly Gap[];
  /** Kept lines with markers added before them, and the last of these. */
  hosts(): Iterable<readonly [number, Gap]>;
  /** The id itself when its line stays, else the nearest that does or the marker that stands for it. */
  keptAncestor(id: string): string | null;
  /** What a gap's marker hangs below. */
  parentOf(gap: Gap): string | null;
}

/** Works out the new tree for a set of gaps. */
export function planGaps(
  nodes: readonly TreeNode[],
  edits: readonly GapEdit[],
  markers: MarkerLines,
): GapPlan {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const byRecord = new Map(nodes.map((node) => [node.record, node]));
  const taken = new Set(byId.keys());
  const removed = new Set(edits.flatMap((edit) => edit.records));
  const owners = new Map<string, Gap>();
  const added = new Map<number, Gap[]>();
  const gaps = edits.map((edit) => {
    const own = edit.records.flatMap((record) => byRecord.get(record) ?? []);
    const gap = gapOf(edit, own);
    for (const { id } of own) owners.set(id, gap);
    if (edit.before !== undefined) added.set(edit.before, [...(added.get(edit.before) ?? []), gap]);
    return gap;
  });

  function gapOf(edit: GapEdit, own: readonly TreeNode[]): Gap {
    const [first] = own;
    const run = edit.before === undefined ? chainOf(own) : [];
    const id = run.at(-1) ?? markers.newId(edit.identity.ref, taken);
    taken.add(id);
    return { edit, id, run: new Set(run), first };
  }

  function keptAncestor(id: string): string | null {
    const seen = new Set<string>();
    let at: string | null = id;
    while (at !== null && !seen.has(at)) {
      const gap = owners.get(at);
      if (gap === undefined) return at;
      if (gap.run.has(at)) return gap.id;
      seen.add(at);
      at = byId.get(at)?.parent ?? null;
    }
    return null;
  }

  function parentOf(gap: Gap): string | null {
    const { before } = gap.edit;
    const beside = before === undefined ? [] : (added.get(before) ?? []);
    const previous = beside[beside.indexOf(gap) - 1];
    if (previous !== undefined) return previous.id;
    const parent = (before === undefined ? gap.first : byRecord.get(before))?.parent ?? null;
    return parent === null ? null : keptAncestor(parent);
  }

  return {
    gaps,
    ownerOf: (id) => owners.get(id),
    idOf: (record) => byRecord.get(record)?.id,
    isRemoved: (record) => removed.has(record),
    addedBefore: (record) => added.get(record) ?? [],
    hosts: () => [...added].map(([record, own]) => [record, own.at(-1) as Gap] as const),
    keptAncestor,
    parentOf,
  };
}

function chainOf(own: readonly TreeNode[]): string[] {
  const chain: string[] = [];
  for (const { id, parent } of own) {
    if (chain.length > 0 && parent !== chain.at(-1)) break;
    chain.push(id);
  }
  return chain;
}
