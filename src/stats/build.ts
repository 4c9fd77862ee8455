import type { Transcript } from '../indexing/transcript.ts';
import type { Block } from '../model/conversation.ts';
import type { WindowFacts } from '../report/report.ts';
import { Groups } from './groups.ts';
import { copyStats, placeholderStats } from './offloaded.ts';
import type { Sections, StashStats, Stats, StatsBytes, StatsCounts, StatsTokens } from './stats.ts';
import type { Tally } from './tally.ts';
import { walk } from './walk.ts';

export interface StatsRequest {
  readonly counter: Stats['counter'];
  readonly window: WindowFacts;
  readonly stash: StashStats | null;
  readonly warnings: Stats['warnings'];
  /** Rows that a section shows. */
  readonly top: number;
  readonly sections: ReadonlySet<keyof Sections>;
}

/** Statistics of a transcript that was measured: reads its records once more, one by one. */
export function buildStats(transcript: Transcript, request: StatsRequest): Stats {
  const { counter, window, stash, warnings, top, sections } = request;
  const { conversations, source, sha256 } = transcript;
  const groups = new Groups(top);
  for (const seen of walk(transcript)) groups.add(seen);
  const sum = groups.total();
  const copies = copyStats(conversations);
  return {
    schema: 'ctx.stats/1',
    format: transcript.format.name,
    input: { path: source.path, bytes: source.size, sha256 },
    counter,
    window,
    tokens: tokensOf(transcript, sum, window.tokens),
    bytes: bytesOf(transcript, sum, copies.bytes),
    counts: countsOf(transcript),
    copies,
    placeholders: placeholderStats(conversations, stash),
    ...groups.sections(sections),
    warnings,
  };
}

function tokensOf(transcript: Transcript, sum: Tally, window: number): StatsTokens {
  const { conversations, sent } = transcript;
  const overhead = conversations.reduce((all, own) => all + own.overhead, 0);
  const total = sum.tokens + overhead;
  const estimate = sent?.((block: Block) => block.tokens) ?? null;
  return {
    total,
    messages: sum.tokens,
    overhead,
    dead: sum.deadTokens,
    percent: Math.round((total / window) * 1000) / 10,
    clientUsage: conversations.at(-1)?.usage ?? null,
    // As in a report: only where the client's own caps make a difference.
    sentEstimate: estimate !== null && estimate < total ? estimate : null,
  };
}

function bytesOf(
  { conversations, records, source }: Transcript,
  sum: Tally,
  copies: number,
): StatsBytes {
  const repeats = conversations
    .flatMap((conversation) => conversation.repeats ?? [])
    .reduce((all, { record }) => all + records.next(record) - records.start(record), 0);
  const { bytes: live, deadBytes: dead } = sum;
  const other = source.size - live - dead - copies - repeats;
  return { file: source.size, live, dead, copies, repeats, other };
}

function countsOf({ conversations, records }: Transcript): StatsCounts {
  const counts = { messages: 0, liveMessages: 0, blocks: 0, liveBlocks: 0 };
  for (const { messages } of conversations) {
    for (const { live, blocks } of messages) {
      counts.messages += 1;
      counts.blocks += blocks.length;
      if (!live) continue;
      counts.liveMessages += 1;
      counts.liveBlocks += blocks.length;
    }
  }
  return { conversations: conversations.length, records: records.count, ...counts };
}
