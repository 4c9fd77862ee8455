import { append } from '../../append.ts';
import { jsonLiteral, styleOf } from '../../json/literal.ts';
import { findPointer } from '../../json/scan.ts';
import type { GapEdit, Splice } from '../../model/splice.ts';
import type { GapEditor, GapIo, GapPlace } from '../format.ts';
import { lineSplices } from './gap.ts';
import { type Gap, planGaps } from './tree-plan.ts';

/** A line of a file whose lines name their parent by id. */
export interface TreeNode {
  readonly record: number;
  readonly id: string;
  readonly parent: string | null;
}

/** A further place that names a line by its id. */
export interface Reference {
  readonly record: number;
  /** Pointer without the first slash. */
  readonly field: string;
  readonly id: string;
}

/** Where a marker line stands in the tree. */
export interface TreePlace {
  readonly id: string;
  readonly parent: string | null;
}

/** What a format says about its marker lines. */
export interface MarkerLines {
  /** Id of a marker that takes over no removed line's id. */
  newId(ref: string, taken: ReadonlySet<string>): string;
  /** The marker's line, from the bytes of the line in whose place or before which it stands. */
  line(edit: GapEdit, place: TreePlace, model: Buffer): string;
}

/**
 * Removes lines of a file in which each names its parent. A marker takes over the id of the last line of the
 * unbroken chain that it stands for: what hangs below that line needs no new link, not even a line that the
 * client adds later. Every other reference goes to the nearest kept ancestor.
 */
export function treeGapEditor(
  nodes: readonly TreeNode[],
  references: readonly Reference[],
  markers: MarkerLines,
): GapEditor {
  return (edits, io) => {
    const plan = planGaps(nodes, edits, markers);
    const links = new Map<Gap, [string, string, string][]>();
    const splices: Splice[] = [];
    const move = (record: number, field: string, from: string, to: string | null) => {
      splices.push(relink(io, record, field, to));
      const gap = plan.ownerOf(from);
      const self = plan.idOf(record);
      if (gap === undefined || self === undefined) return;
      links.set(gap, [...(links.get(gap) ?? []), [self, field, from]]);
    };
    for (const { record, parent } of nodes) {
      if (parent === null || plan.isRemoved(record) || plan.addedBefore(record).length > 0)
        continue;
      const target = plan.keptAncestor(parent);
      if (target !== parent) move(record, 'parentId', parent, target);
    }
    for (const { record, field, id } of references) {
      const gap = plan.ownerOf(id);
      if (gap === undefined || plan.isRemoved(record)) continue;
      const target = plan.keptAncestor(id) ?? gap.id;
      if (target !== id) move(record, field, id, target);
    }
    for (const gap of plan.gaps) {
      const { edit, id } = gap;
      const place = { id, parent: plan.parentOf(gap) };
      append(
        splices,
        lineSplices(edit, io, (model) => markers.line(edit, place, model)),
      );
    }
    for (const [record, last] of plan.hosts())
      splices.push(relink(io, record, 'parentId', last.id));
    return { splices, places: plan.gaps.map((gap) => placeOf(gap, links.get(gap) ?? [])) };
  };
}

function placeOf(gap: Gap, links: readonly (readonly [string, string, string])[]): GapPlace {
  return { ref: gap.edit.identity.ref, id: gap.id, links };
}

/** A host without the member stays as it is: the client reads it as a root. */
function relink(io: GapIo, record: number, field: string, id: string | null): Splice {
  const start = io.records.start(record);
  const bytes = Buffer.from(io.read(start, io.records.end(record)));
  const span = findPointer(bytes, 0, `/${field}`);
  if (span === undefined) return { start, end: start, data: '' };
  const data = jsonLiteral(id, styleOf(bytes));
  return { start: start + span.start, end: start + span.end, data };
}
