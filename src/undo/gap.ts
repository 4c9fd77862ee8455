import type { Transcript } from '../indexing/transcript.ts';
import { without } from '../json/cut.ts';
import { stringLiteral, styleOf } from '../json/literal.ts';
import { elements, findPointer } from '../json/scan.ts';
import type { Block, Message } from '../model/conversation.ts';
import type { Splice } from '../model/splice.ts';
import type { RunLine } from '../stash/lines.ts';
import { COMMA, listed, moved, recordOf, textAt } from './pieces.ts';

/** The marker's message or block goes, the removed records come back, and what was relinked points to them again. */
export function gapBack(
  transcript: Transcript,
  message: Message,
  block: Block,
  pieces: readonly Buffer[],
  runs: readonly RunLine[],
  ref: string,
): Splice[] {
  const { records, format } = transcript;
  if (format.layout === 'jsonl') {
    const { record } = block;
    const end = Buffer.from(transcript.source.read(records.end(record), records.next(record)));
    const eol = end.length === 0 ? Buffer.from('\n') : end;
    const lines = Buffer.concat(pieces.flatMap((piece) => [piece, eol]));
    const line = { start: records.start(record), end: records.next(record), data: lines };
    return [line, ...relinkBack(transcript, runs, ref)];
  }
  const start = records.start(block.record);
  const after = listed(pieces);
  if (message.blocks.length === 1) {
    return [{ start, end: records.end(block.record), data: after.subarray(COMMA.length) }];
  }
  const { bytes } = recordOf(transcript, block.record);
  const list = findPointer(bytes, 0, '/content') ?? findPointer(bytes, 0, '/parts');
  const items = list === undefined ? [] : elements(bytes, list.start);
  const index = Number(block.pointer?.split('/')[2] ?? -1);
  if (items[index] === undefined) return [];
  const cut = without(items, index);
  const gone = { start: start + cut.start, end: start + cut.end, data: '' };
  const first = index === 0;
  const at = first ? start : records.end(block.record);
  const before = Buffer.concat([after.subarray(COMMA.length), COMMA]);
  const back = { start: at, end: at, data: first ? before : after };
  return first ? [back, gone] : [gone, back];
}

/** Links that pointed over the gap point to the restored records again; a leaf that named the marker as well. */
function relinkBack(transcript: Transcript, runs: readonly RunLine[], ref: string): Splice[] {
  const place = runs.flatMap((run) => run.places).findLast((candidate) => candidate.ref === ref);
  if (place?.id === undefined) return [];
  const links = place.links ?? [];
  const leaf = links.findLast(([, field]) => field === 'leafUuid')?.[2];
  // One of a kind for each id: a record that is in the file twice has its links twice.
  const own = new Map<string, Map<string, string>>();
  for (const [id, field, value] of links) {
    if (field !== 'leafUuid') own.set(id, (own.get(id) ?? new Map()).set(field, value));
  }
  const splices: Splice[] = [];
  for (let record = 0; record < transcript.records.count; record += 1) {
    const { start, bytes } = recordOf(transcript, record);
    if (bytes[0] !== 0x7b) continue;
    const put = (pointer: string, value: string | undefined) => {
      const span = value === undefined ? undefined : findPointer(bytes, 0, pointer);
      if (value === undefined || span === undefined || !isLink(bytes[span.start])) return;
      splices.push(moved({ ...span, data: stringLiteral(value, styleOf(bytes)) }, start));
    };
    const id = textAt(bytes, '/uuid') ?? textAt(bytes, '/id') ?? '';
    for (const [field, value] of own.get(id) ?? []) put(`/${field}`, value);
    if (textAt(bytes, '/leafUuid') === place.id) put('/leafUuid', leaf);
  }
  return splices;
}

/** A string, or the null of what became a root. */
function isLink(first: number | undefined): boolean {
  return first === 0x22 || first === 0x6e;
}
