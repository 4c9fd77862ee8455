import type { Finding } from '../../model/conversation.ts';

/** One entry of a session; `id` is absent in version 1 and on lines that no entry can name. */
export interface Entry {
  readonly record: number;
  readonly id?: string;
  readonly parent: string | null;
  readonly compaction?: Kept;
}

/** From where a compaction keeps entries: by id, or in version 1 by their place among the parsed lines. */
interface Kept {
  readonly id?: string;
  readonly line?: number;
}

/** What resuming reads, in the order in which it is sent. */
export interface Branch {
  /** The compaction whose summary comes first. */
  readonly compaction?: Entry;
  readonly live: readonly Entry[];
  readonly findings: readonly Finding[];
}

/**
 * The branch that the client resumes: the path from the last entry to the root. With a compaction on it, its
 * summary comes first, then the entries from the first kept one on (pi 0.73.1, session-manager).
 */
export function readBranch(entries: readonly Entry[], lines: readonly number[]): Branch {
  const linear = entries.every(({ id }) => id === undefined);
  const byId = new Map(
    entries.flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry]])),
  );
  const path = linear ? entries : pathTo(entries.at(-1), byId);
  const findings = linear ? [] : danglingParents(entries, byId);
  const at = path.findLastIndex((entry) => entry.compaction !== undefined);
  const compaction = path[at];
  if (compaction === undefined) return { live: path, findings };
  const { id, line } = compaction.compaction as Kept;
  const record = line === undefined ? undefined : lines[line];
  const first = path.findIndex((entry) =>
    linear ? entry.record === record : id !== undefined && entry.id === id,
  );
  const kept = first < 0 || first > at ? [] : path.slice(first, at);
  return { compaction, live: [...kept, ...path.slice(at + 1)], findings };
}

function pathTo(leaf: Entry | undefined, byId: ReadonlyMap<string, Entry>): Entry[] {
  const path: Entry[] = [];
  const seen = new Set<Entry>();
  let at = leaf;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    path.push(at);
    at = at.parent === null ? undefined : byId.get(at.parent);
  }
  return path.toReversed();
}

function danglingParents(entries: readonly Entry[], byId: ReadonlyMap<string, Entry>): Finding[] {
  return entries
    .filter(({ parent }) => parent !== null && !byId.has(parent))
    .map(({ record, id }) => ({
      code: 'dangling-parent',
      text: 'parentId names an entry that is not in the file',
      key: `parent:${id ?? ''}`,
      record,
    }));
}
