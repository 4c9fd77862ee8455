import type { GapPlace } from '../formats/format.ts';
import { identityEntry, offloadedMetadata } from '../formats/identity.ts';
import { isOwnKey } from '../formats/typed.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { type JsonStyle, jsonLiteral, styleOf } from '../json/literal.ts';
import { elements, findPointer, members, utf8 } from '../json/scan.ts';
import { markerHash } from '../marker/hash.ts';
import { withoutRef } from '../marker/marker.ts';
import {
  type Block,
  type Conversation,
  type Message,
  type Slot,
  slotOf,
} from '../model/conversation.ts';
import type { Identity, PieceSpan, Splice } from '../model/splice.ts';
import {
  type BlockDecision,
  type CapsuleDecision,
  type Decision,
  type GapDecision,
  renderRecipe,
} from '../plan/decision.ts';
import { recordsOf } from '../plan/plan.ts';
import { readContent } from './content.ts';
import { editBlock } from './edit.ts';

/** An original that leaves the transcript: its pieces as absolute spans, and what it was. */
export interface Original {
  readonly ref: string;
  readonly pieces: readonly PieceSpan[];
  readonly decision: Decision;
  readonly block?: Block;
  /** A copy for the stash: its bytes stay where they are. */
  readonly stays: boolean;
  /** Identifies the text of the marker that stands in its place. */
  readonly textHash: string;
  readonly identity: Identity;
}

/** Splices of a plan over a transcript, made record by record so that memory does not grow with the edits. */
export interface Application {
  /** Sorted, disjoint. Each call makes them anew. */
  splices(): Generator<Splice>;
  /** What leaves, in file order of first pieces within gaps and edits. Each call reads it anew. */
  originals(): Generator<Original>;
  readonly places: readonly GapPlace[];
}

/** Turns decisions into splices. The core of `apply`: nothing is written here. */
export function applyDecisions(indexed: Transcript, decisions: readonly Decision[]): Application {
  // In the order of the conversation: markers that share a place stand in it.
  const gaps = decisions
    .filter((decision) => decision.type !== 'block')
    .toSorted((a, b) => a.conversation - b.conversation || first(a) - first(b));
  const { fixed, places } = gapSplices(indexed, gaps);
  const transcript = withoutGaps(indexed);
  const jobs = blockJobs(transcript, decisions);
  return {
    places,
    *splices() {
      let at = 0;
      for (const job of jobs) {
        const own = jobSplices(transcript, job);
        const until = transcript.records.end(job.record);
        const before: Splice[] = [];
        while (at < fixed.length && (fixed[at] as Splice).start < until)
          before.push(fixed[at++] as Splice);
        yield* [...before, ...own].toSorted(bySpan);
      }
      yield* fixed.slice(at);
    },
    *originals() {
      for (const gap of gaps) yield gapOriginal(transcript, gap);
      for (const job of jobs) yield* jobOriginals(transcript, job);
    },
  };
}

/** The transcript without its gap editor, which holds on to every link between records. */
export function withoutGaps(transcript: Transcript): Transcript {
  const { gaps: _gaps, ...rest } = transcript;
  return rest;
}

/** What stands as a marker of its own: messages that left, or a capsule that was added. */
type MarkerDecision = GapDecision | CapsuleDecision;

function first(marker: MarkerDecision): number {
  return (marker.type === 'gap' ? marker.messages[0] : marker.before) ?? 0;
}

interface Job {
  readonly record: number;
  readonly edits: readonly { readonly decision: BlockDecision; readonly block: Block }[];
}

function blockJobs(transcript: Transcript, decisions: readonly Decision[]): Job[] {
  const byRecord = new Map<number, { decision: BlockDecision; block: Block }[]>();
  for (const decision of decisions) {
    if (decision.type !== 'block') continue;
    const block = transcript.conversations[decision.conversation]?.blocks[decision.block] as Block;
    byRecord.set(block.record, [...(byRecord.get(block.record) ?? []), { decision, block }]);
  }
  return [...byRecord]
    .toSorted(([left], [right]) => left - right)
    .map(([record, edits]) => ({
      record,
      edits: edits.toSorted((left, right) => left.block.index - right.block.index),
    }));
}

function jobSplices(transcript: Transcript, job: Job): Splice[] {
  const { format, source, records } = transcript;
  const start = records.start(job.record);
  const bytes = Buffer.from(source.read(start, records.end(job.record)));
  const style = styleOf(bytes);
  const entries: Record<string, unknown>[] = [];
  const splices = job.edits.flatMap(({ decision, block }) => {
    const slot = slotOf(block) as Slot;
    const content = readContent(bytes, slot, format.dialect, decision.scope);
    const text = renderRecipe(decision.recipe, content.text);
    const identity = identityOf(decision, block);
    // Only a literal in place can be recognised by its pointer: an element became a text item.
    const piece = content.pieces[0] as PieceSpan;
    const at =
      slot.shape === 'element' || (slot.shape === 'items' && !piece.pointer.endsWith('/text'))
        ? `${piece.pointer}/text`
        : piece.pointer;
    entries.push(identityEntry(at, identity));
    const member =
      format.identity === 'block-metadata' ? metadata(identity, text, style) : undefined;
    return editBlock(bytes, slot, content, text, {
      dialect: format.dialect,
      style,
      ...(member === undefined ? {} : { member }),
    });
  });
  if (format.identity === 'record-key') splices.push(...keySplices(bytes, entries, style));
  return splices.map((splice) => ({
    start: start + splice.start,
    end: start + splice.end,
    data: splice.data,
  }));
}

function metadata(identity: Identity, marker: string, style: JsonStyle): string {
  const value = { offloaded: offloadedMetadata(identity, withoutRef(marker)) };
  return `"metadata"${style.colon}${jsonLiteral(value, style)}`;
}

/** Adds entries to the record's own `ctx` key, or the key itself; a foreign `ctx` key is left alone. */
function keySplices(
  bytes: Buffer,
  entries: readonly Record<string, unknown>[],
  style: JsonStyle,
): Splice[] {
  const found = members(bytes, 0);
  const last = found.at(-1);
  const own = found.findLast(({ key }) => key === 'ctx');
  const literals = entries.map((entry) => jsonLiteral(entry, style)).join(style.comma);
  if (last === undefined) return [];
  if (own === undefined) {
    const value = `{${jsonLiteral('v')}${style.colon}1${style.comma}${jsonLiteral('offloaded')}${style.colon}[${literals}]}`;
    return [
      {
        start: last.end,
        end: last.end,
        data: `${style.comma}${jsonLiteral('ctx')}${style.colon}${value}`,
      },
    ];
  }
  if (!isOwnKey(JSON.parse(utf8(bytes, own.start, own.end)))) return [];
  const list = findPointer(bytes, own.start, '/offloaded');
  const end = list === undefined ? undefined : elements(bytes, list.start).at(-1)?.end;
  const at = end ?? (list as { start: number }).start + 1;
  return [{ start: at, end: at, data: end === undefined ? literals : `${style.comma}${literals}` }];
}

function gapSplices(
  transcript: Transcript,
  gaps: readonly MarkerDecision[],
): { fixed: readonly Splice[]; places: readonly GapPlace[] } {
  if (gaps.length === 0) return { fixed: [], places: [] };
  if (transcript.gaps === undefined)
    throw new Error(`${transcript.format.name} removes no messages`);
  const edits = gaps.map((gap) => {
    const conversation = transcript.conversations[gap.conversation];
    const before = gap.type === 'gap' ? undefined : conversation?.messages[gap.before]?.records[0];
    const host = gap.host === undefined ? undefined : conversation?.messages[gap.host.message];
    return {
      records: recordsOf(
        messagesAt(transcript, gap, gap.type === 'gap' ? gap.messages : gap.merged),
      ),
      marker: renderRecipe(gap.recipe),
      identity: gapIdentity(gap),
      ...(before === undefined ? {} : { before }),
      ...(host === undefined || gap.host === undefined
        ? {}
        : { host: { record: host.records.at(-1) as number, end: gap.host.end } }),
    };
  });
  const read = (start: number, end: number) => transcript.source.read(start, end);
  const { splices, places } = transcript.gaps(edits, { records: transcript.records, read });
  return { fixed: splices.toSorted(bySpan), places };
}

function messagesAt(
  { conversations }: Transcript,
  { conversation }: MarkerDecision,
  indexes: readonly number[],
): Message[] {
  const { messages } = conversations[conversation] as Conversation;
  return indexes.map((index) => messages[index] as Message);
}

function gapOriginal(transcript: Transcript, gap: MarkerDecision): Original {
  const { records } = transcript;
  const messages = messagesAt(transcript, gap, gap.type === 'gap' ? gap.messages : gap.source);
  const pieces = recordsOf(messages).map((record) => ({
    record,
    pointer: '',
    start: records.start(record),
    end: records.end(record),
  }));
  return {
    ref: gap.ref,
    pieces,
    decision: gap,
    stays: gap.type === 'capsule',
    textHash: markerHash(renderRecipe(gap.recipe)),
    identity: gapIdentity(gap),
  };
}

function* jobOriginals({ records }: Transcript, job: Job): Generator<Original> {
  const start = records.start(job.record);
  for (const { decision, block } of job.edits) {
    yield {
      ref: decision.ref,
      pieces: decision.pieces.map((piece) => ({
        ...piece,
        start: start + piece.start,
        end: start + piece.end,
      })),
      decision,
      block,
      stays: false,
      textHash: decision.textHash,
      identity: identityOf(decision, block),
    };
  }
}

function identityOf(decision: BlockDecision, block: Block): Identity {
  return {
    ref: decision.ref,
    method: decision.method,
    tokens: decision.tokensBefore,
    kind: block.kind,
  };
}

function gapIdentity(gap: MarkerDecision): Identity {
  const { ref, method, tokensBefore: tokens } = gap;
  return gap.type === 'gap'
    ? { ref, method, tokens, kind: 'messages', messages: gap.messages.length }
    : { ref, method, tokens, kind: 'source' };
}

function bySpan(left: Splice, right: Splice): number {
  return left.start - right.start || left.end - right.end;
}
