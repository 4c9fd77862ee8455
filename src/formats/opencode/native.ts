import { findPointer, members } from '../../json/scan.ts';
import type { NativeHiding } from '../format.ts';

/** What the client sends for a result that it has hidden. */
export const HIDDEN_TEXT = '[Old tool result content cleared]';

const OUTPUT = '/output';

/**
 * The client's own mark: `state.time.compacted`, a time. It then sends its own sentinel text, and neither the output
 * nor the attachments. Only completed results have a time that takes it.
 */
export const OPENCODE_NATIVE: NativeHiding = {
  text: HIDDEN_TEXT,
  hide(record, pointer) {
    const time = timeOf(record, pointer);
    if (time === undefined) return undefined;
    // No clock: the mark is set when the call ended.
    const end = members(record, time.start).findLast(({ key }) => key === 'end');
    const last = members(record, time.start).at(-1);
    if (end === undefined || last === undefined || !isDigit(record[end.start])) return undefined;
    const spaced = record[last.start - 1] === 0x20;
    const value = Buffer.from(record.subarray(end.start, end.end)).toString('latin1');
    const own = members(record, time.start).findLast(({ key }) => key === 'compacted');
    if (own !== undefined) return [{ start: own.start, end: own.end, data: value }];
    const data = `,"compacted":${spaced ? ' ' : ''}${value}`;
    return [{ start: last.end, end: last.end, data }];
  },
  show(record, pointer) {
    const time = timeOf(record, pointer);
    const all = time === undefined ? [] : members(record, time.start);
    const at = all.findLastIndex(({ key }) => key === 'compacted');
    const own = all[at];
    const before = all[at - 1];
    const after = all[at + 1];
    if (own === undefined) return [];
    if (before !== undefined) return [{ start: before.end, end: own.end, data: '' }];
    if (after === undefined) return [{ start: own.keyStart, end: own.end, data: '' }];
    return [{ start: own.keyStart, end: after.keyStart, data: '' }];
  },
};

function timeOf(record: Uint8Array, pointer: string): { start: number; end: number } | undefined {
  if (!pointer.endsWith(`/state${OUTPUT}`)) return undefined;
  const state = pointer.slice(0, -OUTPUT.length);
  const time = findPointer(record, 0, `${state}/time`);
  return time !== undefined && record[time.start] === 0x7b ? time : undefined;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x31 && byte <= 0x39;
}
