import { inputError } from '../errors.ts';
import type { Head } from '../formats/format.ts';
import { elements, members, type Span, skipSpace, utf8, valueEnd } from '../json/scan.ts';
import { markLength } from '../load/lines.ts';
import type { Source } from '../load/source.ts';

const SAMPLE = 50;
const SQLITE = Buffer.from('SQLite format 3\0');
const HEAD_BYTES = 1024 * 1024;

/** What detection looks at: the first records of JSON Lines, or a document with its arrays cut short. */
export function readHead(source: Source): Head {
  if (source.files !== undefined) {
    return { framing: 'folder', records: [], files: source.files.map((file) => file.path) };
  }
  const start = Buffer.from(source.read(0, Math.min(source.size, HEAD_BYTES)));
  const first = skipSpace(start, markLength(start));
  if (start.subarray(0, SQLITE.length).equals(SQLITE)) {
    return { framing: 'sqlite', records: [], schema: start.toString('latin1') };
  }
  if (start.length === 0 || first === start.length) throw inputError(`${source.path} is empty`);
  if (start.subarray(0, first + 4096).includes(0) && !isJsonStart(start[first])) {
    throw inputError(`${source.path} is a binary file, not a transcript`);
  }
  const records = headRecords(source, start);
  // One line that is one object may be either framing; a document reader decides by its content.
  if (start[first] !== 0x5b && records.some(isLineRecord)) {
    const head: Head = { framing: 'jsonl', records };
    return records.length === 1 && isSingleValue(source, start, first)
      ? { ...head, ...documentHead(source) }
      : head;
  }
  return { framing: 'json', records: [], ...documentHead(source) };
}

function documentHead(source: Source): { document?: unknown } {
  const bytes = source.read(0, source.size);
  const document = cut(bytes, skipSpace(bytes, markLength(bytes)), 2);
  return document === undefined ? {} : { document };
}

function isLineRecord(record: unknown): boolean {
  return record !== null && typeof record === 'object' && !Array.isArray(record);
}

function isJsonStart(byte: number | undefined): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isSingleValue(source: Source, head: Buffer, first: number): boolean {
  const bytes = source.size <= head.length ? head : source.read(0, source.size);
  return skipSpace(bytes, valueEnd(bytes, first)) >= bytes.length;
}

/** The first parseable lines. A line longer than the head is read whole: images make lines of megabytes. */
function headRecords(source: Source, start: Buffer): unknown[] {
  const records: unknown[] = [];
  let bytes = start;
  let from = markLength(bytes);
  while (records.length < SAMPLE && from < source.size) {
    let end = bytes.indexOf(0x0a, from);
    if (end < 0 && bytes.length < source.size && records.length === 0) {
      bytes = Buffer.from(source.read(0, Math.min(source.size, bytes.length * 4)));
      continue;
    }
    if (end < 0) end = bytes.length < source.size ? from : bytes.length;
    if (end === from && bytes.length < source.size && bytes[from] !== 0x0a) break;
    const value = parsed(utf8(bytes, from, end));
    if (value !== undefined) records.push(value);
    from = end + 1;
  }
  return records;
}

/** Parses the value at `start` with every array cut to its first elements, `depth` objects deep. */
function cut(bytes: Buffer, start: number, depth: number): unknown {
  if (bytes[start] === 0x5b)
    return firstElements(bytes, start).map((span) => parsed(utf8(bytes, span.start, span.end)));
  if (bytes[start] !== 0x7b || depth === 0)
    return parsed(utf8(bytes, start, valueEnd(bytes, start)));
  return Object.fromEntries(
    members(bytes, start).map((member) => [member.key, cut(bytes, member.start, depth - 1)]),
  );
}

function firstElements(bytes: Buffer, start: number): Span[] {
  return elements(bytes, start).slice(0, SAMPLE);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
