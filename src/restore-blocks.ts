import { append } from './append.ts';
import { spliceBytes } from './apply/splice-bytes.ts';
import { detectFormat } from './detect/detect.ts';
import { readHead } from './detect/head.ts';
import { indexTranscript, type Transcript } from './indexing/transcript.ts';
import { without, withoutSome } from './json/cut.ts';
import { decodeString, elements, findPointer, members, type Span } from './json/scan.ts';
import { collect } from './load/chunks.ts';
import { memorySource, type Source } from './load/source.ts';
import { NO_METER } from './measure/meter.ts';
import { type Block, type Message, slotOf } from './model/conversation.ts';
import type { Splice } from './model/splice.ts';
import type { RunLine } from './stash/lines.ts';
import { placedBy } from './stash/placed.ts';
import { readEntry, type Stash } from './stash/store.ts';
import { capsulesBack } from './undo/capsules.ts';
import { gapBack } from './undo/gap.ts';
import { literalsBack } from './undo/literals.ts';
import { hiddenBack } from './undo/native.ts';
import { listed, moved, recordOf } from './undo/pieces.ts';

export interface BlocksRestored {
  readonly bytes: Source;
  readonly restored: number;
  /** Refs of the runs that have no place in the file any more. */
  readonly lost: readonly string[];
}

/**
 * Puts originals back where their placeholders stand: by typed identity, or by a text that is exactly what the
 * stash recorded. For files that a client rewrote, and for single refs.
 */
export function restoreBlocks(
  source: Source,
  stash: Stash,
  runs: readonly RunLine[],
  refs: readonly string[] | undefined,
  forced?: string,
): BlocksRestored {
  const format = detectFormat(readHead(source), source.path, forced);
  const placed = placedBy(runs);
  const transcript = indexTranscript(source, format, { meter: NO_METER, placed, id: 'main' });
  const splices: Splice[] = [];
  const found = new Set<string>();
  const missing = new Set<string>();
  const pointers = new Map<number, Set<string>>();
  const capsules: Block[] = [];
  // A text that merely looks like a marker was never ours to put back.
  const unresolved = new Set(
    transcript.findings.flatMap(({ code, key }) =>
      code === 'unresolved-placeholder' ? [key] : [],
    ),
  );
  const known = runs.flatMap((run) => run.placed.map((marker) => marker.ref));
  for (const conversation of transcript.conversations) {
    for (const block of conversation.blocks) {
      const shown = hiddenBack(transcript, block, refs ?? known);
      if (shown !== undefined) {
        append(splices, shown.splices);
        found.add(shown.ref);
        continue;
      }
      const ref = block.placeholder?.ref;
      if (ref === undefined || ref === '' || (refs !== undefined && !refs.includes(ref))) continue;
      if (!stash.refs.has(ref)) {
        if (!unresolved.has(`unresolved:${ref}`)) missing.add(ref);
        continue;
      }
      const message = conversation.messages[block.message] as Message;
      // A marker that a client took into its own history is no record that could go.
      const taken = message.gap !== undefined && message.fixed === 'replacement-history';
      if (taken) continue;
      if (block.placeholder?.kind === 'source') {
        capsules.push(block);
        found.add(ref);
        continue;
      }
      const { pieces } = readEntry(stash, ref);
      if (block.placeholder?.kind === 'messages') {
        append(splices, gapBack(transcript, message, block, pieces, runs, ref));
        found.add(ref);
        continue;
      }
      const copies = copiesOf(runs, ref);
      const own = pieces.slice(0, pieces.length - copies.length);
      const back = blockBack(transcript, block, own);
      if (back === undefined) continue;
      append(splices, [
        ...back.splices,
        ...alsoBack(transcript, block, own),
        ...copiesBack(transcript, block, copies, pieces.slice(own.length)),
      ]);
      found.add(ref);
      for (const { record, pointer } of [{ ...block, ...back }, ...(block.also ?? [])])
        pointers.set(record, (pointers.get(record) ?? new Set()).add(pointer));
    }
  }
  append(splices, capsulesBack(transcript, capsules));
  const literals = literalsBack(transcript, stash, runs, refs);
  append(splices, literals.splices);
  for (const ref of literals.found) found.add(ref);
  for (const [record, own] of literals.pointers)
    pointers.set(record, new Set([...(pointers.get(record) ?? []), ...own]));
  for (const [record, own] of pointers) {
    const { start, bytes } = recordOf(transcript, record);
    append(
      splices,
      keyBack(bytes, own).map((splice) => moved(splice, start)),
    );
  }
  const wanted = refs ?? [...new Set([...known, ...missing])];
  const lost = wanted.filter((ref) => !found.has(ref));
  const ordered = splices.toSorted(
    (left, right) => left.start - right.start || left.end - right.end,
  );
  return { bytes: spliced(transcript, ordered), restored: found.size, lost };
}

function spliced(transcript: Transcript, splices: readonly Splice[]): Source {
  const { source } = transcript;
  if (source.files === undefined) return memorySource(joined(source, splices), source.path);
  const parts: Buffer[] = [];
  let size = 0;
  const files = source.files.map((file) => {
    const own = splices
      .filter(({ start, end }) => start >= file.start && end <= file.end)
      .map(({ start, end, data }) => ({ start: start - file.start, end: end - file.start, data }));
    const bytes = joined(memorySource(source.read(file.start, file.end)), own);
    parts.push(bytes);
    size += bytes.length;
    return { path: file.path, start: size - bytes.length, end: size };
  });
  return memorySource(Buffer.concat(parts), source.path, files);
}

function joined(source: Source, splices: readonly Splice[]): Buffer {
  return collect(spliceBytes(source, splices, []));
}

/** What restoring one block takes: splices of its record, and the pointer of its identity. */
interface BlockBack {
  readonly splices: readonly Splice[];
  readonly pointer: string;
}

function blockBack(
  transcript: Transcript,
  block: Block,
  pieces: readonly Buffer[],
): BlockBack | undefined {
  const slot = slotOf(block);
  const [first, ...rest] = pieces;
  if (slot === undefined || first === undefined) return undefined;
  const { start, bytes } = recordOf(transcript, block.record);
  const place = markerLiteral(bytes, slot.pointer, slot.shape);
  if (place === undefined) return undefined;
  // A literal goes back into its item; any other original was the whole item.
  const literal = first[0] === 0x22;
  const span = literal ? place.span : (place.item ?? place.span);
  const tail = listed(rest);
  const splices: Splice[] = literal
    ? [{ ...span, data: first }, ...identitySplices(bytes, place)]
    : [{ ...span, data: Buffer.concat([first, tail]) }];
  if (literal && rest.length > 0 && place.item !== undefined) {
    splices.push({ start: place.item.end, end: place.item.end, data: tail });
  }
  return { splices: splices.map((splice) => moved(splice, start)), pointer: place.pointer };
}

/** Pointers of copies that left with a block into one entry. */
function copiesOf(runs: readonly RunLine[], ref: string): readonly string[] {
  const placed = runs.flatMap((run) => run.placed).findLast((marker) => marker.ref === ref);
  return placed?.copies ?? [];
}

/** A copy comes back where its marker still is. */
function copiesBack(
  transcript: Transcript,
  block: Block,
  pointers: readonly string[],
  pieces: readonly Buffer[],
): Splice[] {
  const { start, bytes } = recordOf(transcript, block.record);
  return pointers.flatMap((pointer, at) => {
    const span = findPointer(bytes, 0, pointer);
    const piece = pieces[at];
    if (span === undefined || piece === undefined || bytes[span.start + 1] !== 0x5b) return [];
    return [moved({ ...span, data: piece }, start)];
  });
}

/** The literals that hold the same text get it back as well. */
function alsoBack(transcript: Transcript, block: Block, pieces: readonly Buffer[]): Splice[] {
  const [only] = pieces;
  return (block.also ?? []).flatMap(({ record, pointer }) => {
    const { start, bytes } = recordOf(transcript, record);
    const span = findPointer(bytes, 0, pointer);
    if (only === undefined || span === undefined || bytes[span.start] !== 0x22) return [];
    return [moved({ ...span, data: only }, start)];
  });
}

interface MarkerPlace {
  readonly span: Span;
  readonly pointer: string;
  /** The content item that holds the literal. */
  readonly item?: Span;
}

function markerLiteral(bytes: Buffer, pointer: string, shape: string): MarkerPlace | undefined {
  if (shape !== 'items') {
    const span = findPointer(bytes, 0, pointer);
    const parent = pointer.endsWith('/text')
      ? findPointer(bytes, 0, pointer.slice(0, -'/text'.length))
      : undefined;
    return span === undefined
      ? undefined
      : { span, pointer, ...(parent === undefined ? {} : { item: parent }) };
  }
  const list = findPointer(bytes, 0, pointer);
  for (const [index, item] of (list === undefined ? [] : elements(bytes, list.start)).entries()) {
    const span = findPointer(bytes, item.start, '/text');
    if (span !== undefined && bytes[span.start + 1] === 0x5b)
      return { span, item, pointer: `${pointer}/${index}/text` };
  }
  return undefined;
}

/** Takes our entries out of the record's `ctx` key, and the key itself when none is left. */
function keyBack(bytes: Buffer, pointers: ReadonlySet<string>): Splice[] {
  const all = members(bytes, 0);
  const own = all.findIndex(({ key }) => key === 'ctx');
  const list = own < 0 ? undefined : findPointer(bytes, (all[own] as Span).start, '/offloaded');
  if (list === undefined) return [];
  const entries = elements(bytes, list.start);
  const gone = entries.flatMap(({ start }, index) => {
    const at = findPointer(bytes, start, '/at');
    const pointer = at === undefined ? undefined : decodeString(bytes, at.start, at.end);
    return pointer !== undefined && pointers.has(pointer) ? [index] : [];
  });
  if (gone.length === 0) return [];
  return gone.length === entries.length ? [without(all, own)] : withoutSome(entries, new Set(gone));
}

/** Takes the `offloaded` member (or the `metadata` that held nothing else) out of a typed block. */
function identitySplices(bytes: Buffer, { item }: MarkerPlace): Splice[] {
  if (item === undefined) return [];
  const all = members(bytes, item.start);
  const metadata = all.findIndex(({ key }) => key === 'metadata');
  if (metadata < 0) return [];
  const inner = members(bytes, (all[metadata] as Span).start);
  const offloaded = inner.findIndex(({ key }) => key === 'offloaded');
  if (offloaded < 0) return [];
  return [inner.length === 1 ? without(all, metadata) : without(inner, offloaded)];
}
