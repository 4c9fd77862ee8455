import type { DocumentFormat, Head } from '../format.ts';
import { isObject, valueAt } from '../value.ts';

/** A session of a client that also fits is the better reading: its own score stands above this much less. */
const BELOW_SESSIONS = 5;

/** The dataset of a document format: JSON Lines, each line what a file of the format would hold. */
export function linesOf(format: DocumentFormat, name: string): DocumentFormat {
  return {
    ...format,
    name,
    title: `${format.title}, one conversation a line`,
    layout: 'dataset',
    detect: (head) => {
      const whole = asOneDocument(head, format);
      if (whole === undefined) return 0;
      return Math.max(0, format.detect(whole) - BELOW_SESSIONS);
    },
  };
}

/** Lines of a dataset are judged together: one that holds text alone says little of its dialect. */
function asOneDocument(
  { framing, records, document }: Head,
  format: DocumentFormat,
): Head | undefined {
  const [first] = records;
  // A file that is one value is a document, not a dataset.
  if (framing !== 'jsonl' || first === undefined || document !== undefined) return undefined;
  const places = records.map((record) => format.messagesAt(record));
  const lists = records.map((record, index) => listAt(record, places[index]));
  if (lists.some((list) => list === undefined)) return undefined;
  const joined = withList(first, tokensOf(places[0] ?? ''), lists.flat());
  return { framing: 'json', records: [], document: joined };
}

/** The messages of a line's document, by the pointer that its format gave. */
export function listAt(document: unknown, pointer: string | undefined): unknown[] | undefined {
  const found = pointer === undefined ? undefined : valueAt(document, ...tokensOf(pointer));
  return Array.isArray(found) ? (found as unknown[]) : undefined;
}

function tokensOf(pointer: string): string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/');
}

function withList(document: unknown, path: readonly string[], list: readonly unknown[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isObject(document)) return list;
  return { ...document, [key]: withList(document[key], rest, list) };
}
