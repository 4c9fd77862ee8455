import { inputError } from '../errors.ts';
import type { DocumentFormat, IndexContext, Indexed } from '../formats/format.ts';
import { sha256Hex } from '../hash/hash.ts';
import { elements, members, type Span, skipSpace, utf8 } from '../json/scan.ts';
import { markLength } from '../load/lines.ts';
import { memorySource, type Source } from '../load/source.ts';
import { Records } from '../model/records.ts';

interface IndexedParts extends Indexed {
  readonly source: Source;
  readonly records: Records;
  readonly sha256: string;
}

interface Part extends Span {
  readonly pointer: string;
}

/**
 * Indexes a document whose records are the values at several pointer patterns, in file order. What holds another
 * part is none itself, so that records never overlap.
 * @throws CtxError with exit 3 when it is not valid JSON or has no part.
 */
export function indexParts(
  source: Source,
  format: DocumentFormat,
  patterns: readonly string[],
  context: IndexContext,
): IndexedParts {
  const bytes = Buffer.from(source.read(0, source.size));
  const start = skipSpace(bytes, markLength(bytes));
  const parts = partsOf(bytes, start, patterns);
  const document = parsed(around(bytes, start, parts), source.path);
  if (parts.length === 0) throw inputError(`${source.path} holds no messages of ${format.title}`);
  const pointers = parts.map(({ pointer }) => pointer);
  const indexer = format.indexer(context, { pointers, document });
  const records = new Records();
  for (const part of parts) {
    const record = records.add(part.start, part.end, part.end);
    indexer.record(parsed(utf8(bytes, part.start, part.end), source.path), record);
  }
  const memory = memorySource(bytes, source.path);
  return { ...indexer.finish(), source: memory, records, sha256: sha256Hex(bytes) };
}

function partsOf(bytes: Buffer, start: number, patterns: readonly string[]): Part[] {
  const found = patterns
    .flatMap((pattern) => expand(bytes, start, pattern.slice(1).split('/'), ''))
    .toSorted((left, right) => left.start - right.start || right.end - left.end);
  return found.filter((part, index) => {
    const next = found[index + 1];
    return next === undefined || next.start >= part.end;
  });
}

/** The values that the rest of a pattern names inside the value at `start`. */
function expand(
  bytes: Buffer,
  start: number,
  [token, ...rest]: readonly string[],
  pointer: string,
): Part[] {
  const children =
    token === '*'
      ? elements(bytes, start).map((span, index) => ({ ...span, pointer: `${pointer}/${index}` }))
      : members(bytes, start)
          .filter(({ key }) => key === token)
          // Of duplicate keys the last wins, as in JSON.parse.
          .slice(-1)
          .map((member) => ({
            start: member.start,
            end: member.end,
            pointer: `${pointer}/${token}`,
          }));
  return rest.length === 0
    ? children
    : children.flatMap((child) => expand(bytes, child.start, rest, child.pointer));
}

/** The document with null for each part: this also proves that what is around them is valid JSON. */
function around(bytes: Buffer, start: number, parts: readonly Part[]): string {
  const texts = parts.map((part, index) =>
    utf8(bytes, index === 0 ? start : (parts[index - 1] as Part).end, part.start),
  );
  return [...texts, utf8(bytes, parts.at(-1)?.end ?? start)].join('null');
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw inputError(`${path} is not valid JSON`, {
      hint: 'a torn document is not repaired; get a complete copy',
    });
  }
}
