import type { Transcript } from '../indexing/transcript.ts';
import { stringLeaves } from '../json/leaves.ts';
import { parseJson } from '../json/parse.ts';
import { findPointers } from '../json/pointers.ts';
import { markerHash } from '../marker/hash.ts';
import type { Splice } from '../model/splice.ts';
import type { RunLine } from '../stash/lines.ts';
import { readEntry, type Stash } from '../stash/store.ts';
import { moved, recordOf } from './pieces.ts';

/** What comes back of single literals: splices, refs that were found, and pointers of identities by record. */
export interface LiteralsBack {
  readonly splices: readonly Splice[];
  readonly found: ReadonlySet<string>;
  readonly pointers: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * Single strings that were replaced where they stand (copies that no model sees, parts of inputs). They belong to no
 * block: they are known by a text that is exactly what the stash recorded.
 */
export function literalsBack(
  transcript: Transcript,
  stash: Stash,
  runs: readonly RunLine[],
  refs: readonly string[] | undefined,
): LiteralsBack {
  const wanted = new Map<string, string>();
  for (const { kind, text, ref } of runs.flatMap((run) => run.placed))
    if (kind === 'copy' && stash.refs.has(ref) && (refs === undefined || refs.includes(ref)))
      wanted.set(text, ref);
  const splices: Splice[] = [];
  const found = new Set<string>();
  const pointers = new Map<number, Set<string>>();
  if (wanted.size === 0) return { splices, found, pointers };
  for (let record = 0; record < transcript.records.count; record += 1) {
    const { start, bytes } = recordOf(transcript, record);
    if (!bytes.includes(REF)) continue;
    const places = new Map(
      stringLeaves(parseJson(bytes.toString('utf8')), '').flatMap(({ pointer, text }) => {
        const ref = text.startsWith('[') ? wanted.get(markerHash(text)) : undefined;
        return ref === undefined ? [] : [[pointer, ref] as const];
      }),
    );
    for (const [pointer, span] of findPointers(bytes, [...places.keys()])) {
      const ref = places.get(pointer) as string;
      const [data] = readEntry(stash, ref).pieces;
      if (data === undefined) continue;
      splices.push(moved({ ...span, data }, start));
      found.add(ref);
      pointers.set(record, (pointers.get(record) ?? new Set()).add(pointer));
    }
  }
  return { splices, found, pointers };
}

/** No marker is without it. */
const REF = Buffer.from('[ref: ');
