import { spliceBytes } from './apply/splice-bytes.ts';
import { detectFormat } from './detect/detect.ts';
import { readHead } from './detect/head.ts';
import { indexTranscript, type Transcript } from './indexing/transcript.ts';
import { stringLiteral, styleOf } from './json/literal.ts';
import { elements, findPointer, members, type Span } from './json/scan.ts';
import { memorySource, type Source } from './load/source.ts';
import { NO_METER } from './measure/meter.ts';
import { type Block, type Message, slotOf } from './model/conversation.ts';
import type { Splice } from './model/splice.ts';
import type { RunLine } from './stash/lines.ts';
import { placedBy } from './stash/placed.ts';
import { readEntry, type Stash } from './stash/store.ts';

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
  for (const conversation of transcript.conversations) {
    for (const block of conversation.blocks) {
      const ref = block.placeholder?.ref;
      if (ref === undefined || !stash.refs.has(ref) || (refs !== undefined && !refs.includes(ref)))
        continue;
      found.add(ref);
      const message = conversation.messages[block.message] as Message;
      const pieces = readEntry(stash, ref).pieces;
      if (block.placeholder?.kind === 'messages')
        splices.push(...gapBack(transcript, message, block, pieces, runs, ref));
      else splices.push(...blockBack(transcript, block, pieces));
    }
  }
  const wanted = refs ?? [
    ...new Set(runs.flatMap((run) => run.placed.map((marker) => marker.ref))),
  ];
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
  return Buffer.concat([...spliceBytes(source, splices, [])].map((chunk) => Buffer.from(chunk)));
}

function blockBack(transcript: Transcript, block: Block, pieces: readonly Buffer[]): Splice[] {
  const slot = slotOf(block);
  const [first, ...rest] = pieces;
  if (slot === undefined || first === undefined) return [];
  const { start, bytes } = recordOf(transcript, block.record);
  const literal = markerLiteral(bytes, slot.pointer, slot.shape);
  if (literal === undefined) return [];
  const item = first[0] === 0x22 ? literal.span : (literal.item ?? literal.span);
  const data = [first, ...rest].map((piece) => piece.toString('utf8'));
  const untyped = first[0] === 0x22 ? identitySplices(bytes, literal) : [];
  const splices: Splice[] = [
    { ...item, data: data[0] as string },
    ...untyped,
    ...keyBack(bytes, literal.pointer),
  ];
  if (rest.length > 0 && literal.item !== undefined) {
    const end = first[0] === 0x22 ? literal.item.end : undefined;
    const tail = data
      .slice(1)
      .map((text) => `,${text}`)
      .join('');
    if (end === undefined) splices[0] = { ...item, data: `${data[0]}${tail}` };
    else splices.push({ start: end, end, data: tail });
  }
  return splices.map((splice) => ({
    start: start + splice.start,
    end: start + splice.end,
    data: splice.data,
  }));
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

/** Takes our entry out of the record's `ctx` key, and the key when it was the last. */
function keyBack(bytes: Buffer, pointer: string): Splice[] {
  const all = members(bytes, 0);
  const own = all.findIndex(({ key }) => key === 'ctx');
  const list = own < 0 ? undefined : findPointer(bytes, (all[own] as Span).start, '/offloaded');
  if (list === undefined) return [];
  const entries = elements(bytes, list.start);
  const index = entries.findIndex(({ start }) => {
    const at = findPointer(bytes, start, '/at');
    return at !== undefined && JSON.parse(bytes.toString('utf8', at.start, at.end)) === pointer;
  });
  if (index < 0) return [];
  if (entries.length === 1) return [without(all, own)];
  return [without(entries, index)];
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

/** Removes one of several members or elements with the separator beside it. */
function without(spans: readonly (Span & { readonly keyStart?: number })[], index: number): Splice {
  const from = (at: number) => spans[at]?.keyStart ?? (spans[at] as Span).start;
  if (index > 0)
    return { start: (spans[index - 1] as Span).end, end: (spans[index] as Span).end, data: '' };
  if (spans.length > 1) return { start: from(0), end: from(1), data: '' };
  return { start: from(0), end: (spans[0] as Span).end, data: '' };
}

/** The marker's message or block goes, the removed records come back, and what was relinked points to them again. */
function gapBack(
  transcript: Transcript,
  message: Message,
  block: Block,
  pieces: readonly Buffer[],
  runs: readonly RunLine[],
  ref: string,
): Splice[] {
  const { records, format } = transcript;
  const texts = pieces.map((piece) => piece.toString('utf8'));
  if (format.layout === 'jsonl') {
    const { record } = block;
    const eol = transcript.source
      .read(records.end(record), records.next(record))
      .toString('latin1');
    const lines = texts.map((text) => `${text}${eol === '' ? '\n' : eol}`).join('');
    const line = { start: records.start(record), end: records.next(record), data: lines };
    return [line, ...relinkBack(transcript, runs, ref)];
  }
  const start = records.start(block.record);
  const alone = message.blocks.length === 1;
  if (alone) return [{ start, end: records.end(block.record), data: texts.join(',') }];
  const { bytes } = recordOf(transcript, block.record);
  const list = findPointer(bytes, 0, '/content');
  const items = list === undefined ? [] : elements(bytes, list.start);
  const index = Number(block.pointer?.split('/')[2] ?? -1);
  if (items[index] === undefined) return [];
  const cut = without(items, index);
  const gone = { start: start + cut.start, end: start + cut.end, data: '' };
  const first = index === 0;
  const at = first ? start : records.end(block.record);
  const back = { start: at, end: at, data: first ? `${texts.join(',')},` : `,${texts.join(',')}` };
  return first ? [back, gone] : [gone, back];
}

function relinkBack(transcript: Transcript, runs: readonly RunLine[], ref: string): Splice[] {
  const place = runs.flatMap((run) => run.places).findLast((candidate) => candidate.ref === ref);
  if (place?.id === undefined) return [];
  const wanted = new Map(
    (place.links ?? []).map(([uuid, field, value]) => [`${uuid} ${field}`, value]),
  );
  const splices: Splice[] = [];
  for (let record = 0; record < transcript.records.count; record += 1) {
    const { start, bytes } = recordOf(transcript, record);
    if (bytes[0] !== 0x7b) continue;
    const span = findPointer(bytes, 0, '/parentUuid');
    const uuid = findPointer(bytes, 0, '/uuid');
    if (span === undefined || uuid === undefined || bytes[span.start] !== 0x22) continue;
    const own = JSON.parse(bytes.toString('utf8', uuid.start, uuid.end)) as string;
    const value = wanted.get(`${own} parentUuid`);
    if (value === undefined) continue;
    splices.push({
      start: start + span.start,
      end: start + span.end,
      data: stringLiteral(value, styleOf(bytes)),
    });
  }
  return splices;
}

function recordOf(transcript: Transcript, record: number): { start: number; bytes: Buffer } {
  const { records, source } = transcript;
  const start = records.start(record);
  return { start, bytes: Buffer.from(source.read(start, records.end(record))) };
}
