import type { Finding } from '../../model/conversation.ts';

/** One record that is part of the parent chain. */
export interface Node {
  readonly record: number;
  readonly uuid: string;
  readonly parent: string | null;
  readonly type: 'user' | 'assistant' | 'attachment' | 'system' | 'progress';
  readonly sidechain: boolean;
  /** `message.id` of an assistant record. */
  readonly reply?: string;
  /** Call ids that an assistant record makes. */
  readonly calls: readonly string[];
  /** Call ids that a user record answers. */
  readonly answers: readonly string[];
  readonly boundary?: Boundary;
}

/** A compaction boundary and the records before it that stay in context (Claude Code 2.1.232 and later). */
export interface Boundary {
  readonly preserved: readonly string[];
  readonly head?: string;
  readonly tail?: string;
}

export interface Chain {
  readonly byUuid: ReadonlyMap<string, Node>;
  /** uuids of records that resuming sends. */
  readonly live: ReadonlySet<string>;
  /** uuids of live records that a boundary preserves: editable, never removable. */
  readonly preserved: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * What is live: the path from the last chain record up to its root or to a compaction boundary, with the records
 * of parallel calls that hang beside it, and what the boundary preserves. A sidechain is dead where the file has
 * a main chain. Source: docs/formats/claude-code.md.
 */
export function readChain(nodes: readonly Node[]): Chain {
  const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
  const main = nodes.filter((node) => !node.sidechain);
  const thread = main.length > 0 ? main : nodes;
  const { path, boundary } = pathToRoot(thread, byUuid);
  const preserved = preservedBy(boundary, byUuid);
  const live = new Set([...path, ...preserved]);
  addParallel(thread, live);
  return { byUuid, live, preserved, findings: danglingParents(nodes, byUuid) };
}

function pathToRoot(
  thread: readonly Node[],
  byUuid: ReadonlyMap<string, Node>,
): { path: Set<string>; boundary: Boundary | undefined } {
  const path = new Set<string>();
  const places = new Map(thread.map((node, index) => [node.uuid, index]));
  let node = thread.findLast(
    (candidate) => candidate.type !== 'progress' && candidate.type !== 'system',
  );
  node ??= thread.at(-1);
  while (node !== undefined && !path.has(node.uuid)) {
    path.add(node.uuid);
    if (node.boundary !== undefined) return { path, boundary: node.boundary };
    node =
      node.parent === null ? undefined : (byUuid.get(node.parent) ?? earlier(node, thread, places));
  }
  return { path, boundary: undefined };
}

/** A parent that is not in the file: the client falls back to the record before. */
function earlier(
  node: Node,
  thread: readonly Node[],
  places: ReadonlyMap<string, number>,
): Node | undefined {
  const place = places.get(node.uuid) ?? 0;
  return thread[place - 1];
}

function preservedBy(
  boundary: Boundary | undefined,
  byUuid: ReadonlyMap<string, Node>,
): Set<string> {
  const kept = new Set<string>();
  if (boundary === undefined) return kept;
  for (const uuid of boundary.preserved) if (byUuid.has(uuid)) kept.add(uuid);
  // A segment is the path from its tail up to its head.
  let node = boundary.tail === undefined ? undefined : byUuid.get(boundary.tail);
  while (node !== undefined && !kept.has(node.uuid)) {
    kept.add(node.uuid);
    if (node.uuid === boundary.head || node.parent === null) break;
    node = byUuid.get(node.parent);
  }
  return kept;
}

/** Parallel calls: records of a live reply, and answers to live calls, that are not on the path themselves. */
function addParallel(thread: readonly Node[], live: Set<string>): void {
  const replies = new Set<string>();
  for (const node of thread)
    if (node.reply !== undefined && live.has(node.uuid)) replies.add(node.reply);
  const calls = new Set<string>();
  for (const node of thread) {
    if (node.reply !== undefined && replies.has(node.reply)) live.add(node.uuid);
    if (live.has(node.uuid)) for (const call of node.calls) calls.add(call);
  }
  for (const node of thread) {
    if (node.answers.length > 0 && node.answers.every((call) => calls.has(call)))
      live.add(node.uuid);
  }
}

function danglingParents(nodes: readonly Node[], byUuid: ReadonlyMap<string, Node>): Finding[] {
  return nodes
    .filter((node) => node.parent !== null && !byUuid.has(node.parent))
    .map((node) => ({
      code: 'dangling-parent',
      text: 'parentUuid names a record that is not in the file',
      key: `parent:${node.uuid}`,
      record: node.record,
    }));
}
