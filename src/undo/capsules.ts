import { cutElements } from '../formats/array/cut.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { withoutSome } from '../json/cut.ts';
import { stringLiteral, styleOf } from '../json/literal.ts';
import { elements, findPointer } from '../json/scan.ts';
import type { Block } from '../model/conversation.ts';
import type { Splice } from '../model/splice.ts';
import { moved, recordOf, textAt } from './pieces.ts';

/** Capsules go; what they were made from never left. What hung below one hangs below what it hung below. */
export function capsulesBack(transcript: Transcript, capsules: readonly Block[]): Splice[] {
  if (transcript.format.layout === 'jsonl') return linesBack(transcript, capsules);
  const { records } = transcript;
  const byRecord = new Map<number, Block[]>();
  for (const block of capsules)
    byRecord.set(block.record, [...(byRecord.get(block.record) ?? []), block]);
  const whole: number[] = [];
  const blocksBack = [...byRecord].flatMap(([record, blocks]) => {
    const { start, bytes } = recordOf(transcript, record);
    const list = findPointer(bytes, 0, '/content') ?? findPointer(bytes, 0, '/parts');
    const items = list === undefined ? [] : elements(bytes, list.start);
    if (items.length <= blocks.length) {
      whole.push(record);
      return [];
    }
    const indexes = blocks.map(({ pointer }) => Number(pointer?.split('/')[2] ?? -1));
    return withoutSome(items, new Set(indexes)).map((splice) => moved(splice, start));
  });
  return [...blocksBack, ...cutElements(whole, records)];
}

function linesBack(transcript: Transcript, capsules: readonly Block[]): Splice[] {
  const { records } = transcript;
  const gone = new Set(capsules.map(({ record }) => record));
  if (gone.size === 0) return [];
  const parents = new Map<string, string>();
  for (const record of gone) {
    const { bytes } = recordOf(transcript, record);
    const uuid = textAt(bytes, '/uuid') ?? textAt(bytes, '/id');
    const parent = textAt(bytes, '/parentUuid') ?? textAt(bytes, '/parentId');
    if (uuid !== undefined && parent !== undefined) parents.set(uuid, parent);
  }
  const splices = [...gone].map((record) => ({
    start: records.start(record),
    end: records.next(record),
    data: '',
  }));
  const links = Array.from({ length: records.count }, (_, record) => record).flatMap((record) =>
    gone.has(record) ? [] : relinked(transcript, record, parents),
  );
  return [...splices, ...links];
}

function relinked(
  transcript: Transcript,
  record: number,
  parents: ReadonlyMap<string, string>,
): Splice[] {
  const { start, bytes } = recordOf(transcript, record);
  if (bytes[0] !== 0x7b) return [];
  return ['/parentUuid', '/leafUuid', '/parentId'].flatMap((pointer) => {
    let uuid = textAt(bytes, pointer);
    if (uuid === undefined || !parents.has(uuid)) return [];
    while (uuid !== undefined && parents.has(uuid)) uuid = parents.get(uuid);
    const span = findPointer(bytes, 0, pointer);
    if (uuid === undefined || span === undefined) return [];
    return [moved({ ...span, data: stringLiteral(uuid, styleOf(bytes)) }, start)];
  });
}
