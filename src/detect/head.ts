import { inputError } from '../errors.ts';
import type { Head } from '../formats/format.ts';
import { NAMED_BINARIES } from '../formats/known/apps.ts';
import { parseJson } from '../json/parse.ts';
import { elements, members, skipSpace, utf8, valueEnd } from '../json/scan.ts';
import { chunks } from '../load/chunks.ts';
import { markLength } from '../load/lines.ts';
import type { Source } from '../load/source.ts';

const SAMPLE = 50;
const SQLITE = Buffer.from('SQLite format 3\0');
const HEAD_BYTES = 1024 * 1024;
/** Objects within objects that are looked into for arrays to cut. */
const DEPTH = 3;

/** What detection looks at: the first records of JSON Lines, or a document with its arrays cut short. */
export function readHead(source: Source): Head {
  if (source.files !== undefined) {
    return { framing: 'folder', records: [], files: source.files.map((file) => file.path) };
  }
  const start = Buffer.from(source.read(0, Math.min(source.size, HEAD_BYTES)));
  const first = skipSpace(start, markLength(start));
  if (start.subarray(0, SQLITE.length).equals(SQLITE)) {
    const schema = start.toString('latin1');
    return { framing: 'sqlite', records: [], schema, text: schema.slice(0, 4096) };
  }
  if (start.length === 0 || first === start.length) throw inputError(`${source.path} is empty`);
  if (!isJsonStart(start[first])) return textHead(source, start, first);
  const lines = headLines(source, start, first);
  const records = lines.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const [line] = lines;
  if (start[first] === OPEN_ARRAY) {
    // A list that closes on its line, with more lines behind it, is a line of a dataset.
    const lists = Array.isArray(line?.value) && !isRestBlank(source, line?.end ?? 0);
    return lists
      ? { framing: 'jsonl', records }
      : { framing: 'json', records: [], ...documentHead(source) };
  }
  // One line that is one object may be either framing; a document reader decides by its content.
  if (records.some(isLineRecord) && !isPretty(source, start, line, first)) {
    const head: Head = { framing: 'jsonl', records };
    return records.length === 1 && isSingleValue(source, line, first)
      ? { ...head, ...documentHead(source) }
      : head;
  }
  return { framing: 'json', records: [], ...documentHead(source) };
}

const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const NEWLINE = 0x0a;

/** Neither an object nor a list: what its first bytes say, when they say anything. */
function textHead(source: Source, head: Buffer, first: number): Head {
  const text = head.toString('latin1', 0, 4096);
  const binary = head.subarray(0, first + 4096).includes(0);
  if (binary && !NAMED_BINARIES.some((start) => start.test(text)))
    throw inputError(`${source.path} is a binary file, not a transcript`);
  const lines = binary ? [] : headLines(source, head, first);
  const records = lines.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return { framing: records.some(isLineRecord) ? 'jsonl' : 'json', records, text };
}

function documentHead(source: Source): { document?: unknown } {
  const bytes = source.hold();
  const document = cut(bytes, skipSpace(bytes, markLength(bytes)), DEPTH);
  return document === undefined ? {} : { document };
}

function isLineRecord(record: unknown): boolean {
  return record !== null && typeof record === 'object' && !Array.isArray(record);
}

function isJsonStart(byte: number | undefined): boolean {
  return byte === OPEN_ARRAY || byte === OPEN_OBJECT;
}

/** A document over several lines, some of which happen to be JSON by themselves. */
function isPretty(
  source: Source,
  start: Buffer,
  line: HeadLine | undefined,
  first: number,
): boolean {
  const end = Math.min(line?.end ?? 0, start.length);
  return (
    utf8(start, first, Math.max(first, end)).trim() === '{' && isSingleValue(source, line, first)
  );
}

interface HeadLine {
  readonly end: number;
  /** What it holds; undefined when it is not JSON. */
  readonly value: unknown;
}

function isSingleValue(source: Source, line: HeadLine | undefined, first: number): boolean {
  if (line?.value !== undefined) return isRestBlank(source, line.end);
  const bytes = source.hold();
  return skipSpace(bytes, valueEnd(bytes, first)) >= bytes.length;
}

/** The first lines, about as many bytes as the head has. A line is read whole: images make lines of megabytes. */
function headLines(source: Source, start: Buffer, first: number): HeadLine[] {
  const lines: HeadLine[] = [];
  let found = 0;
  let from = first;
  while (found < SAMPLE && from < source.size && (from < start.length || lines.length < 2)) {
    const inHead = from < start.length ? start.indexOf(NEWLINE, from) : -1;
    const end = inHead < 0 ? lineEnd(source, Math.max(from, start.length)) : inHead;
    const bytes = end <= start.length ? start.subarray(from, end) : longLine(source, from, end);
    const value = bytes.length > HEAD_BYTES ? cutLine(bytes) : parseJson(utf8(bytes));
    lines.push({ end, value });
    if (value !== undefined) found += 1;
    from = end + 1;
  }
  return lines;
}

/** A document on one line is held for its reader anyway. */
function longLine(source: Source, from: number, end: number): Buffer {
  return end - from > source.size / 2 ? source.hold().subarray(from, end) : source.read(from, end);
}

function cutLine(bytes: Buffer): unknown {
  const start = skipSpace(bytes, 0);
  const complete =
    isJsonStart(bytes[start]) && skipSpace(bytes, valueEnd(bytes, start)) >= bytes.length;
  return complete ? cut(bytes, start, DEPTH) : undefined;
}

/** Position of the first line end at or after `from`, or the source's own end. */
function lineEnd(source: Source, from: number): number {
  let at = from;
  for (const chunk of chunks(source, from, source.size)) {
    const newline = chunk.indexOf(NEWLINE);
    if (newline >= 0) return at + newline;
    at += chunk.length;
  }
  return source.size;
}

function isRestBlank(source: Source, from: number): boolean {
  for (const chunk of chunks(source, from, source.size)) {
    if (skipSpace(chunk, 0) < chunk.length) return false;
  }
  return true;
}

/** Parses the value at `start` with every array cut to its first elements, `depth` objects deep. */
function cut(bytes: Buffer, start: number, depth: number): unknown {
  if (bytes[start] === OPEN_ARRAY)
    return elements(bytes, start, SAMPLE).map((span) =>
      parseJson(utf8(bytes, span.start, span.end)),
    );
  if (bytes[start] !== OPEN_OBJECT || depth === 0)
    return parseJson(utf8(bytes, start, valueEnd(bytes, start)));
  return Object.fromEntries(
    members(bytes, start).map((member) => [member.key, cut(bytes, member.start, depth - 1)]),
  );
}
