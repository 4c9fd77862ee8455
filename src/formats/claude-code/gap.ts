import { append } from '../../append.ts';
import { sha256Hex } from '../../hash/hash.ts';
import { jsonLiteral, stringLiteral, styleOf } from '../../json/literal.ts';
import { decodeString, findPointer, members } from '../../json/scan.ts';
import type { GapEdit, Splice } from '../../model/splice.ts';
import type { GapEditor, GapIo, GapPlace } from '../format.ts';
import { identityEntry } from '../identity.ts';
import { cutLine, lineSplices } from '../lines/gap.ts';
import type { Node } from './chain.ts';

/** Members that a marker record takes over from the first removed record, bytes as they stand. */
const ENVELOPE = [
  'isSidechain',
  'agentId',
  'timestamp',
  'userType',
  'entrypoint',
  'cwd',
  'sessionId',
  'version',
  'gitBranch',
  'slug',
];

/** How a marker's message looks, and where its text is in the record. */
interface MarkerShape {
  readonly at: string;
  message(marker: string): unknown;
}

const CLAUDE: MarkerShape = {
  at: '/message/content',
  message: (content) => ({ role: 'user', content }),
};

/** A removed record's uuid that another record names: record, pointer, the uuid it holds. */
type Reference = readonly [record: number, pointer: string, uuid: string];

/**
 * Removes records and relinks what pointed to them: a child of a removed record gets the nearest kept ancestor,
 * which is the marker record when the ancestor lies before the gap.
 */
export function claudeGapEditor(
  nodes: readonly Node[],
  leaves: readonly Reference[],
  shape: MarkerShape = CLAUDE,
): GapEditor {
  return (gaps, io, cuts = []) => {
    const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
    const byRecord = new Map(nodes.map((node) => [node.record, node]));
    const owners = new Map<string, Gap>();
    const plans = gaps.map((edit) => planGap(edit, byRecord, io));
    // Markers that are only added, in the order in which they stand before one record.
    const added = groupBy(plans, ({ edit }) => edit.before);
    for (const gap of plans) for (const uuid of gap.removed) owners.set(uuid, gap);
    const cut = new Set(cuts);
    // A record that is in the file twice goes on being the node while one of them stays.
    const stays = new Set(nodes.flatMap(({ record, uuid }) => (cut.has(record) ? [] : [uuid])));
    for (const record of cuts) {
      const node = byRecord.get(record);
      if (node !== undefined && !stays.has(node.uuid)) owners.set(node.uuid, traceless(node));
    }
    const parents: Reference[] = nodes.flatMap(({ record, parent }) =>
      parent === null ? [] : [[record, '/parentUuid', parent] as const],
    );
    const splices: Splice[] = cuts.map((record) => cutLine(record, io));
    const links = new Map<Gap, [string, string, string][]>();
    for (const [record, pointer, uuid] of [...parents, ...leaves]) {
      const gap = owners.get(uuid);
      const self = byRecord.get(record);
      if (gap === undefined || cut.has(record) || (self !== undefined && owners.has(self.uuid)))
        continue;
      if (pointer === '/parentUuid' && added.has(record)) continue;
      splices.push(relink(io, record, pointer, keptAncestor(uuid, byUuid, owners)));
      links.set(gap, [...(links.get(gap) ?? []), [self?.uuid ?? '', pointer.slice(1), uuid]]);
    }
    for (const [record, own] of added) {
      if (record === undefined) continue;
      const self = byRecord.get(record);
      const parent = self?.parent ?? null;
      const last = own.at(-1) as MarkedGap;
      if (parent !== null) splices.push(relink(io, record, '/parentUuid', last.uuid));
      const above = parent === null ? null : keptAncestor(parent, byUuid, owners);
      for (const [index, gap] of own.entries())
        append(splices, removal(gap, own[index - 1]?.uuid ?? above, io, shape));
    }
    for (const gap of added.get(undefined) ?? [])
      append(splices, removal(gap, keptParent(gap, byUuid, owners), io, shape));
    return { splices, places: plans.map((gap) => place(gap, links.get(gap) ?? [])) };
  };
}

interface Gap {
  /** Absent for a record that goes without a marker. */
  readonly edit?: GapEdit;
  readonly removed: readonly string[];
  readonly first: Node | undefined;
  readonly uuid: string;
}

function traceless({ uuid }: Node): Gap {
  return { removed: [uuid], first: undefined, uuid };
}

/** A gap that leaves a marker. */
interface MarkedGap extends Gap {
  readonly edit: GapEdit;
}

function planGap(edit: GapEdit, byRecord: ReadonlyMap<number, Node>, io: GapIo): MarkedGap {
  const nodes = edit.records.flatMap((record) => byRecord.get(record) ?? []);
  const first = edit.before === undefined ? nodes[0] : byRecord.get(edit.before);
  const sessionId =
    first === undefined ? '' : textMember(recordBytes(io, first.record), 'sessionId');
  return {
    edit,
    removed: nodes.map((node) => node.uuid),
    first,
    uuid: markerUuid(edit.identity.ref, sessionId),
  };
}

/** Deterministic uuid (version 8 layout) of a marker record: the same on any machine. */
export function markerUuid(ref: string, sessionId: string): string {
  const hex = sha256Hex(ref + sessionId);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function keptAncestor(
  uuid: string,
  byUuid: ReadonlyMap<string, Node>,
  owners: ReadonlyMap<string, Gap>,
): string {
  const gap = owners.get(uuid);
  if (gap === undefined) return uuid;
  const parent = keptParentOf(uuid, byUuid, owners);
  // A marker that stands elsewhere, or none, is nobody's ancestor here.
  if (gap.edit === undefined || gap.edit.before !== undefined) return parent ?? gap.uuid;
  const node = parent === null ? undefined : byUuid.get(parent);
  // Kept records inside the gap (attachments) stand after the marker and hang below it.
  const inside = node !== undefined && gap.first !== undefined && node.record > gap.first.record;
  return inside ? node.uuid : gap.uuid;
}

/** The first ancestor of a removed record that is kept, or the marker of another gap on the way. */
function keptParentOf(
  uuid: string,
  byUuid: ReadonlyMap<string, Node>,
  owners: ReadonlyMap<string, Gap>,
): string | null {
  const gap = owners.get(uuid);
  const seen = new Set<string>();
  let at: string | null = uuid;
  while (at !== null && owners.get(at) === gap && !seen.has(at)) {
    seen.add(at);
    at = byUuid.get(at)?.parent ?? null;
  }
  if (at === null || seen.has(at)) return null;
  return owners.has(at) ? keptAncestor(at, byUuid, owners) : at;
}

function keptParent(
  gap: Gap,
  byUuid: ReadonlyMap<string, Node>,
  owners: ReadonlyMap<string, Gap>,
): string | null {
  return gap.first === undefined ? null : keptParentOf(gap.first.uuid, byUuid, owners);
}

function relink(io: GapIo, record: number, pointer: string, uuid: string): Splice {
  const start = io.records.start(record);
  const bytes = recordBytes(io, record);
  const span = findPointer(bytes, 0, pointer);
  if (span === undefined) throw new Error(`record ${record} has no ${pointer}`);
  return { start: start + span.start, end: start + span.end, data: stringLiteral(uuid) };
}

function removal(gap: MarkedGap, parent: string | null, io: GapIo, shape: MarkerShape): Splice[] {
  return lineSplices(gap.edit, io, (model) => markerRecord(gap, parent, model, shape));
}

function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}

function markerRecord(
  gap: MarkedGap,
  parent: string | null,
  first: Buffer,
  shape: MarkerShape,
): string {
  const style = styleOf(first);
  const found = new Map(
    members(first, 0).map((member) => [
      member.key,
      first.toString('utf8', member.start, member.end),
    ]),
  );
  const text = (value: unknown) => jsonLiteral(value, style);
  const envelope = ENVELOPE.flatMap((key) => {
    const raw = found.get(key);
    return raw === undefined ? [] : [[key, raw] as const];
  });
  const entries: (readonly [string, string])[] = [
    ['parentUuid', text(parent)],
    ...envelope,
    ['type', text('user')],
    ['message', text(shape.message(gap.edit.marker))],
    ['uuid', text(gap.uuid)],
    ['ctx', text({ v: 1, offloaded: [identityEntry(shape.at, gap.edit.identity)] })],
  ];
  return `{${entries.map(([key, raw]) => `${text(key)}${style.colon}${raw}`).join(style.comma)}}`;
}

function place(gap: MarkedGap, links: readonly (readonly [string, string, string])[]): GapPlace {
  return { ref: gap.edit.identity.ref, id: gap.uuid, links };
}

function recordBytes(io: GapIo, record: number): Buffer {
  return io.read(io.records.start(record), io.records.end(record));
}

function textMember(bytes: Buffer, key: string): string {
  const member = members(bytes, 0).findLast((candidate) => candidate.key === key);
  if (member === undefined || bytes[member.start] !== 0x22) return '';
  return decodeString(bytes, member.start, member.end);
}
