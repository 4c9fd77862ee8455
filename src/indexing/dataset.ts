import { createHash } from 'node:crypto';
import { append } from '../append.ts';
import { listAt } from '../formats/array/lines.ts';
import type {
  DocumentFormat,
  GapEditor,
  IndexContext,
  Indexed,
  Indexer,
} from '../formats/format.ts';
import { parseJson } from '../json/parse.ts';
import { elements, findPointer } from '../json/scan.ts';
import { eachLine, type Line } from '../load/lines.ts';
import type { Source } from '../load/source.ts';
import type { Conversation, Finding } from '../model/conversation.ts';
import { Records } from '../model/records.ts';
import type { GapEdit } from '../model/splice.ts';
import type { Transcript } from './transcript.ts';

/**
 * Indexes a dataset line by line: each is a document with a conversation of its own, and its records are the elements
 * of its messages array. A line that holds none is kept as it is and reported.
 */
export function indexDataset(
  source: Source,
  format: DocumentFormat,
  context: IndexContext,
  progress: (bytes: number) => void,
): Transcript {
  const hash = createHash('sha256');
  const records = new Records();
  const parts = new Parts();
  let number = 0;
  eachLine(
    source,
    (line) => {
      number += 1;
      const id = `line ${number}`;
      const text = line.bytes.toString('utf8', line.start, line.end);
      if (text.trim() === '') return;
      const document = parseJson(text);
      const place = document === undefined ? undefined : format.messagesAt(document);
      const list = listAt(document, place);
      if (list === undefined || place === undefined) parts.skip(id, document === undefined, format);
      else {
        // What is left is what stands around the messages.
        const messages = list.splice(0);
        const indexer = format.indexer({ ...context, id }, document);
        const first = records.count;
        addMessages(line, place, messages, indexer, records);
        parts.add(id, first, indexer.finish());
      }
    },
    (bytes) => {
      hash.update(bytes);
      progress(bytes.length);
    },
  );
  return { ...parts.indexed(), format, source, records, sha256: hash.digest('hex') };
}

function addMessages(
  line: Line,
  place: string,
  messages: readonly unknown[],
  indexer: Indexer,
  records: Records,
): void {
  const bytes = line.bytes.subarray(line.start, line.end);
  const array = findPointer(bytes, 0, place);
  const spans = array === undefined ? [] : elements(bytes, array.start);
  for (const [index, { start, end }] of spans.entries()) {
    const next = spans[index + 1]?.start ?? end;
    const record = records.add(line.offset + start, line.offset + end, line.offset + next);
    indexer.record(messages[index], record);
  }
}

/** What remains of a line's index beside its conversation. */
interface Part extends Pick<Indexed, 'gaps' | 'blocked'> {
  readonly first: number;
}

/** The lines of a dataset, put together. */
class Parts {
  readonly #conversations: Conversation[] = [];
  readonly #findings: Finding[] = [];
  readonly #parts: Part[] = [];
  readonly #ownRefs = new Set<string>();

  add(id: string, first: number, indexed: Indexed): void {
    append(this.#conversations, indexed.conversations);
    for (const ref of indexed.ownRefs ?? []) this.#ownRefs.add(ref);
    // A marker is the same wherever it stands; anything else is the line's own.
    for (const finding of indexed.findings) {
      const shared = finding.code === 'unresolved-placeholder';
      this.#findings.push(shared ? finding : { ...finding, key: `${id}: ${finding.key}` });
    }
    const { gaps, blocked } = indexed;
    this.#parts.push({
      first,
      ...(gaps === undefined ? {} : { gaps }),
      ...(blocked === undefined ? {} : { blocked }),
    });
  }

  /** A line that is no conversation. */
  skip(id: string, broken: boolean, { title }: DocumentFormat): void {
    const what = broken ? 'is not JSON' : `holds no messages (${title})`;
    this.#findings.push({
      code: broken ? 'broken-record' : 'no-conversation',
      text: `${id} ${what}; it is kept as it is`,
      key: id,
    });
  }

  indexed(): Indexed {
    const removes = this.#parts.some(({ gaps }) => gaps !== undefined);
    return {
      conversations: this.#conversations,
      findings: this.#findings,
      ...(this.#ownRefs.size === 0 ? {} : { ownRefs: this.#ownRefs }),
      ...(removes ? { gaps: this.#gaps } : {}),
      blocked: (messages) => {
        const [record] = messages[0]?.records ?? [];
        return record === undefined ? undefined : this.#partOf(record)?.blocked?.(messages);
      },
    };
  }

  /** Each gap by the editor of its own line. */
  readonly #gaps: GapEditor = (gaps, io) => {
    const byPart = new Map<Part, GapEdit[]>();
    for (const gap of gaps) {
      const part = this.#partOf(gap.records[0] ?? gap.before ?? 0);
      if (part !== undefined) byPart.set(part, [...(byPart.get(part) ?? []), gap]);
    }
    const results = [...byPart].flatMap(([part, own]) => part.gaps?.(own, io) ?? []);
    return {
      splices: results.flatMap(({ splices }) => splices),
      places: results.flatMap(({ places }) => places),
    };
  };

  /** The line that a record is of: the last one that begins at or before it. */
  #partOf(record: number): Part | undefined {
    let low = 0;
    let high = this.#parts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#parts[middle] as Part).first <= record) low = middle + 1;
      else high = middle;
    }
    return this.#parts[low - 1];
  }
}
