import { objectAt } from '../formats/value.ts';
import { readOriginal, type TocLine } from './lines.ts';

type Read = (start: number, end: number) => Buffer;

const TAIL = 64 * 1024;

/** Where everything of a stash is: from the table that closes the file, or by a scan when it ends without one. */
export function readTable(size: number, read: Read): Table {
  const last = lastLine(size, read);
  const table = last === undefined ? undefined : parseToc(last.bytes);
  return table === undefined || last === undefined ? scan(size, read) : follow(table, last, read);
}

export interface Table {
  readonly refs: Map<string, readonly [number, number]>;
  readonly summaries: Map<string, readonly [number, number]>;
  readonly runOffsets: number[];
  readonly toc: number | null;
  readonly sound: number;
}

/** The table at the end, and the ones before it by their chain. */
function follow(last: TocLine, line: { offset: number; end: number }, read: Read): Table {
  const tables: TocLine[] = [last];
  for (let prev = last.prev; prev !== null; ) {
    const table = parseToc(lineAt(prev, line.end, read));
    if (table === undefined || (table.prev !== null && table.prev >= prev))
      return scan(line.end, read);
    tables.push(table);
    prev = table.prev;
  }
  const ordered = tables.toReversed();
  const refs = new Map(ordered.flatMap((table) => Object.entries(table.refs)));
  const summaries = new Map(ordered.flatMap((table) => Object.entries(table.summaries ?? {})));
  const runOffsets = ordered.flatMap((table) => table.at ?? []);
  return { refs, summaries, runOffsets, toc: line.offset, sound: line.end };
}

/** Rebuilds the table: used when the file ends torn or without one. */
function scan(size: number, read: Read): Table {
  const refs = new Map<string, readonly [number, number]>();
  const damaged = new Map<string, readonly [number, number]>();
  const summaries = new Map<string, readonly [number, number]>();
  const runOffsets: number[] = [];
  let offset = 0;
  let sound = 0;
  while (offset < size) {
    const line = lineAt(offset, size, read);
    if (offset + line.length >= size) break;
    const head = /^\{"t":"(original|run|summary)"(?:,"(?:ref|key)":"([0-9a-f]+)")?/.exec(
      line.toString('latin1', 0, 200),
    );
    if (head?.[1] === 'original' && head[2] !== undefined) {
      const found = readOriginal(line) === undefined ? damaged : refs;
      if (!found.has(head[2])) found.set(head[2], [offset, line.length]);
    } else if (head?.[1] === 'summary' && head[2] !== undefined) {
      summaries.set(head[2], [offset, line.length]);
    } else if (head?.[1] === 'run' && parseLine(line) !== undefined) runOffsets.push(offset);
    offset += line.length + 1;
    sound = offset;
  }
  // A damaged entry stays known, so that asking for it says what is wrong.
  for (const [ref, place] of damaged) if (!refs.has(ref)) refs.set(ref, place);
  return { refs, summaries, runOffsets, toc: null, sound };
}

/** The line at an offset, without its end. */
export function lineAt(offset: number, size: number, read: Read): Buffer {
  let length = TAIL;
  for (;;) {
    const bytes = read(offset, Math.min(size, offset + length));
    const end = bytes.indexOf(0x0a);
    if (end >= 0) return bytes.subarray(0, end);
    if (offset + length >= size) return bytes;
    length *= 4;
  }
}

/** The last line, when the file ends with a line end. */
function lastLine(
  size: number,
  read: Read,
): { bytes: Buffer; offset: number; end: number } | undefined {
  for (let length = TAIL; ; length *= 4) {
    const start = Math.max(0, size - length);
    const bytes = read(start, size);
    if (bytes.at(-1) !== 0x0a) return undefined;
    const before = bytes.lastIndexOf(0x0a, bytes.length - 2);
    if (before >= 0 || start === 0) {
      return { bytes: bytes.subarray(before + 1, -1), offset: start + before + 1, end: size };
    }
  }
}

function parseToc(line: Buffer): TocLine | undefined {
  if (!line.subarray(0, 12).equals(Buffer.from('{"t":"toc","'))) return undefined;
  const table = parseLine(line);
  return objectAt(table, 'refs') === undefined ? undefined : (table as TocLine);
}

export function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
