import type { Finding } from '../../model/conversation.ts';
import type { Node } from '../claude-code/chain.ts';
import { arrayAt, stringAt, valueAt } from '../value.ts';

/** The chain node of a record, or undefined when it is none. */
export function qwenNode(value: unknown, record: number): Node | undefined {
  const uuid = stringAt(value, 'uuid');
  if (uuid === undefined) return undefined;
  const type = stringAt(value, 'type');
  return {
    record,
    uuid,
    parent: stringAt(value, 'parentUuid') ?? null,
    type: type === 'assistant' || type === 'system' ? type : 'user',
    sidechain: false,
    calls: [],
    answers: [],
  };
}

/**
 * uuids that a resume reads, oldest first: from the last record up the parents. A parent that is not in the file
 * ends it: what is older is lost to the client. Records of one uuid count as one, with the parent of the first.
 */
export function pathOf(nodes: readonly Node[]): string[] {
  const first = new Map<string, Node>();
  for (const node of nodes) if (!first.has(node.uuid)) first.set(node.uuid, node);
  const path = new Set<string>();
  let node = first.get(nodes.at(-1)?.uuid ?? '');
  while (node !== undefined && !path.has(node.uuid)) {
    path.add(node.uuid);
    node = node.parent === null ? undefined : first.get(node.parent);
  }
  return [...path].toReversed();
}

/** Contents that a compression of the client left in the place of everything before it. */
export function compressedHistory(value: unknown): readonly unknown[] | undefined {
  if (stringAt(value, 'subtype') !== 'chat_compression' || stringAt(value, 'type') !== 'system')
    return undefined;
  const history = valueAt(value, 'systemPayload', 'compressedHistory');
  return history === undefined ? undefined : arrayAt(value, 'systemPayload', 'compressedHistory');
}

/** Parents that are not in the file. */
export function danglingParents(nodes: readonly Node[]): Finding[] {
  const known = new Set(nodes.map(({ uuid }) => uuid));
  return nodes.flatMap(({ record, uuid, parent }) =>
    parent === null || known.has(parent)
      ? []
      : [
          {
            code: 'dangling-parent',
            text: 'parentUuid names a record that is not in the file',
            key: `parent:${uuid}`,
            record,
          },
        ],
  );
}
