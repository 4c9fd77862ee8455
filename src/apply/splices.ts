import type { GapPlace } from '../formats/format.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { markerHash } from '../marker/hash.ts';
import type { Conversation, Message } from '../model/conversation.ts';
import type { Identity, PieceSpan, Splice } from '../model/splice.ts';
import {
  type CapsuleDecision,
  type Decision,
  type GapDecision,
  renderRecipe,
} from '../plan/decision.ts';
import { recordsOf } from '../plan/records.ts';
import { blockJobs, cutOriginal, jobOriginals, jobSplices } from './jobs.ts';
import type { Original } from './original.ts';

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
    .filter((decision) => decision.type === 'gap' || decision.type === 'capsule')
    .toSorted((a, b) => a.conversation - b.conversation || first(a) - first(b));
  const cuts = decisions.filter((decision) => decision.type === 'cut');
  const records = cuts.flatMap((cut) => cut.records).toSorted((a, b) => a - b);
  const { fixed, places } = gapSplices(indexed, gaps, records);
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
      for (const cut of cuts)
        if (cut.element === undefined)
          yield cutOriginal(transcript, cut, recordSpans(transcript, cut.records));
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

function gapSplices(
  transcript: Transcript,
  gaps: readonly MarkerDecision[],
  cuts: readonly number[],
): { fixed: readonly Splice[]; places: readonly GapPlace[] } {
  if (gaps.length + cuts.length === 0) return { fixed: [], places: [] };
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
  const { splices, places } = transcript.gaps(edits, { records: transcript.records, read }, cuts);
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
  const messages = messagesAt(transcript, gap, gap.type === 'gap' ? gap.messages : gap.source);
  const pieces = recordSpans(transcript, recordsOf(messages));
  return {
    ref: gap.ref,
    pieces,
    copies: [],
    decision: gap,
    stays: gap.type === 'capsule',
    textHash: markerHash(renderRecipe(gap.recipe)),
    identity: gapIdentity(gap),
  };
}

function recordSpans({ records }: Transcript, indexes: readonly number[]): PieceSpan[] {
  return indexes.map((record) => ({
    record,
    pointer: '',
    start: records.start(record),
    end: records.end(record),
  }));
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
