import { createHash } from 'node:crypto';
import { inputError } from '../errors.ts';
import type { Format, IndexContext, Indexed } from '../formats/format.ts';
import { isDocumentFormat } from '../formats/registry.ts';
import { elements, findPointer, members, skipSpace, utf8, valueEnd } from '../json/scan.ts';
import { sourceHash } from '../load/hash.ts';
import { eachLine, markLength } from '../load/lines.ts';
import { memorySource, type Source } from '../load/source.ts';
import type { Finding } from '../model/conversation.ts';
import { Records } from '../model/records.ts';
import { indexParts } from './parts.ts';

/** A transcript that was read once: where everything is, how large it is, and nothing of its text. */
export interface Transcript extends Indexed {
  readonly format: Format;
  /** Where to read from; a document is held in memory. */
  readonly source: Source;
  readonly records: Records;
  /** sha256 of the file; of a folder, of its sorted list of paths and hashes. */
  readonly sha256: string;
}

/** Called now and then with the bytes read so far. */
export type Progress = (bytes: number) => void;

/**
 * The index pass: reads the source once and hands each record to the format.
 * @throws CtxError with exit 3 when a document is not valid JSON.
 */
export function indexTranscript(
  source: Source,
  format: Format,
  context: IndexContext,
  progress: Progress = () => {},
): Transcript {
  if (format.layout === 'folder') return indexFolder(source, format, context);
  if (isDocumentFormat(format) && format.parts !== undefined)
    return { ...indexParts(source, format, format.parts, context), format };
  return format.layout === 'json'
    ? indexDocument(source, format, context)
    : indexLines(source, format, context, progress);
}

function indexLines(
  source: Source,
  format: Format,
  context: IndexContext,
  progress: Progress,
): Transcript {
  const records = new Records();
  const broken: Finding[] = [];
  const hash = createHash('sha256');
  const indexer = format.indexer(context);
  eachLine(
    source,
    (line) => {
      const record = records.add(line.offset, line.offset + line.end - line.start, line.next);
      const text = line.bytes.toString('utf8', line.start, line.end);
      const value = parse(text);
      if (value === undefined && text.trim() !== '') broken.push(brokenLine(record, broken.length));
      indexer.record(value, record);
    },
    (bytes) => {
      hash.update(bytes);
      progress(bytes.length);
    },
  );
  const indexed = indexer.finish();
  const findings = [...broken, ...indexed.findings];
  return { ...indexed, findings, format, source, records, sha256: hash.digest('hex') };
}

/** Keyed by count: a line's number shifts when messages before it leave. */
function brokenLine(record: number, count: number): Finding {
  return {
    code: 'broken-record',
    text: `line ${record + 1} is not JSON; it is kept as it is`,
    key: `broken ${count}`,
    record,
  };
}

function indexDocument(source: Source, format: Format, context: IndexContext): Transcript {
  const bytes = Buffer.from(source.read(0, source.size));
  const start = skipSpace(bytes, markLength(bytes));
  const root = isDocumentFormat(format)
    ? messagesPlace(bytes, start, format.messagesAt)
    : undefined;
  if (root === undefined || !isDocumentFormat(format))
    throw inputError(`${source.path} holds no messages of ${format.title}`);
  const records = new Records();
  const spans = elements(bytes, root.start);
  const indexer = format.indexer(context, restOf(bytes, start, root, source.path));
  for (const span of spans) {
    const record = records.add(span.start, span.end, span.end);
    const value = parse(utf8(bytes, span.start, span.end));
    if (value === undefined)
      throw inputError(`${source.path} is not valid JSON (message ${record + 1})`);
    indexer.record(value, record);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const memory = memorySource(bytes, source.path);
  return { ...indexer.finish(), format, source: memory, records, sha256 };
}

/** The messages array, found from the document without its long parts. */
function messagesPlace(
  bytes: Buffer,
  start: number,
  messagesAt: (document: unknown) => string | undefined,
): { start: number; end: number } | undefined {
  if (bytes[start] === 0x5b) return { start, end: valueEnd(bytes, start) };
  const pointer = messagesAt(skeleton(bytes, start, 3));
  return pointer === undefined ? undefined : findPointer(bytes, start, pointer);
}

/** Nested objects with arrays emptied: enough to see where the messages are. */
function skeleton(bytes: Buffer, start: number, depth: number): unknown {
  if (bytes[start] === 0x5b) return [];
  if (bytes[start] !== 0x7b || depth === 0) return null;
  return Object.fromEntries(
    members(bytes, start).map(({ key, start: at }) => [key, skeleton(bytes, at, depth - 1)]),
  );
}

/** The document parsed with an empty messages array. This also proves that what is around it is valid JSON. */
function restOf(
  bytes: Buffer,
  start: number,
  root: { start: number; end: number },
  path: string,
): unknown {
  const text = `${utf8(bytes, start, root.start)}[]${utf8(bytes, root.end)}`;
  const value = parse(text);
  // The array itself must close: a torn document is refused, nothing of it is guessed.
  if (value === undefined || bytes[root.end - 1] !== 0x5d || !separated(bytes, root)) {
    throw inputError(`${path} is not valid JSON`, {
      hint: 'a torn document is not repaired; get a complete copy',
    });
  }
  return value;
}

/** Elements are separated by exactly one comma and white space. */
function separated(bytes: Buffer, root: { start: number; end: number }): boolean {
  const spans = elements(bytes, root.start);
  const between = spans.map((span, index) =>
    utf8(bytes, index === 0 ? root.start + 1 : (spans[index - 1]?.end ?? 0), span.start),
  );
  const tail = utf8(bytes, spans.at(-1)?.end ?? root.start + 1, root.end - 1);
  return (
    between.every((text, index) => text.trim() === (index === 0 ? '' : ',')) && tail.trim() === ''
  );
}

function indexFolder(source: Source, format: Format, context: IndexContext): Transcript {
  const files = source.files ?? [];
  const records = new Records();
  const findings: Finding[] = [];
  const paths = files.map((file) => file.path);
  const indexer = isDocumentFormat(format)
    ? format.indexer(context, paths)
    : format.indexer(context);
  for (const file of files) {
    const bytes = source.read(file.start, file.end);
    const record = records.add(file.start + markLength(bytes), file.end, file.end);
    const value = file.path.endsWith('.json') ? parse(utf8(bytes, markLength(bytes))) : undefined;
    if (value === undefined)
      findings.push({
        code: 'broken-record',
        text: `${file.path} is not JSON`,
        key: `broken:${file.path}`,
        record,
      });
    indexer.record(value, record);
  }
  const indexed = indexer.finish();
  return {
    ...indexed,
    findings: [...findings, ...indexed.findings],
    format,
    source,
    records,
    sha256: sourceHash(source),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
