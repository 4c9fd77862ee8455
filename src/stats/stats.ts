import type { OffloadMethod } from '../model/conversation.ts';
import type { FileFacts, TokenTotals, Warning, WindowFacts } from '../report/report.ts';
import type { DuplicateRow, FileRow, KindRow, LargestRow, MessageRow, ToolRow } from './rows.ts';

/** Where the tokens and bytes of a transcript went, schema `ctx.stats/1`. A section that was not asked for is null. */
export interface Stats extends Sections {
  readonly schema: 'ctx.stats/1';
  readonly format: string;
  readonly input: FileFacts;
  readonly counter: { readonly name: string; readonly exact: boolean };
  readonly window: WindowFacts;
  readonly tokens: StatsTokens;
  readonly bytes: StatsBytes;
  readonly counts: StatsCounts;
  readonly copies: CopyStats;
  readonly placeholders: PlaceholderStats;
  readonly warnings: readonly Warning[];
}

/** The parts that `--by` chooses. */
export interface Sections {
  /** Every kind of block: the one section that is never cut. */
  readonly kinds: Section<KindRow> | null;
  readonly tools: Section<ToolRow> | null;
  readonly files: Section<FileRow> | null;
  readonly messages: Section<MessageRow> | null;
  readonly blocks: Section<LargestRow> | null;
  readonly duplicates: Section<DuplicateRow> | null;
}

/** The first rows of a list, and what the rows that were cut off amount to. */
export interface Section<Row> {
  readonly rows: readonly Row[];
  readonly rest: {
    readonly rows: number;
    readonly tokens: number;
    readonly dead: number;
    readonly bytes: number;
  };
}

export interface StatsTokens
  extends Pick<TokenTotals, 'overhead' | 'clientUsage' | 'sentEstimate'> {
  /** What resuming would send: `messages` and `overhead`. The total that explain prints. */
  readonly total: number;
  /** Live messages. */
  readonly messages: number;
  /** Messages that are in the file only. */
  readonly dead: number;
  /** The total as a share of the window, in percent with one decimal. */
  readonly percent: number;
}

/** Every byte of the file once: `live`, `dead`, `copies`, `repeats` and `other` add up to `file`. */
export interface StatsBytes {
  readonly file: number;
  readonly live: number;
  readonly dead: number;
  readonly copies: number;
  /** Records that repeat an earlier one, and are not read. */
  readonly repeats: number;
  /** Envelopes of records, bookkeeping, line ends. */
  readonly other: number;
}

export interface StatsCounts {
  readonly conversations: number;
  readonly records: number;
  readonly messages: number;
  readonly liveMessages: number;
  readonly blocks: number;
  readonly liveBlocks: number;
}

export interface CopyStats {
  readonly count: number;
  readonly bytes: number;
  readonly names: readonly {
    readonly name: string;
    readonly count: number;
    readonly bytes: number;
  }[];
}

/** What earlier runs offloaded: what the transcript says of it, and what its stash holds. */
export interface PlaceholderStats {
  readonly count: number;
  /** Tokens of the markers that are live. */
  readonly tokens: number;
  /** Tokens of what those markers stand for. */
  readonly originals: number;
  readonly methods: Readonly<Partial<Record<OffloadMethod, number>>>;
  readonly stash: StashStats | null;
}

export interface StashStats {
  readonly path: string;
  readonly entries: number;
  /** Bytes of the entries; the file itself also holds runs and tables. */
  readonly bytes: number;
  readonly tokens: number;
  /** Entries that can't be read. */
  readonly damaged: number;
}
