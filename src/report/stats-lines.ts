import { commas, plural } from '../marker/marker.ts';
import type { DuplicateRow, FileRow, KindRow, Place, ToolRow } from '../stats/rows.ts';
import type { Section, Sections, Stats } from '../stats/stats.ts';
import type { Tally } from '../stats/tally.ts';
import type { Keep } from './columns.ts';

/** A row of any section, the way it is printed. Its texts are a transcript's and not yet safe. */
export interface Line {
  readonly name: string;
  readonly keep: Keep;
  /** Null where there is nothing to count. */
  readonly count: number | null;
  /** Live tokens. */
  readonly tokens: number;
  readonly bytes: number;
  /** Tokens that are in the file only. */
  readonly dead: number;
  readonly note: string;
}

interface SectionView {
  readonly title: string;
  /** What its count counts. */
  readonly counted: string;
  readonly lines: (stats: Stats) => readonly Line[] | undefined;
}

const VIEWS: { readonly [Name in keyof Sections]: SectionView } = {
  kinds: {
    title: 'by kind',
    counted: 'blocks',
    // With the overhead the kinds add up to the total.
    lines: (stats) => stats.kinds?.rows.map(kindLine).concat(overheadLine(stats)),
  },
  tools: {
    title: 'by tool',
    counted: 'calls',
    lines: ({ tools }) => tools?.rows.map(toolLine),
  },
  files: {
    title: 'by file',
    counted: 'calls',
    lines: ({ files }) => files?.rows.map(fileLine),
  },
  messages: {
    title: 'largest messages',
    counted: 'blocks',
    lines: (stats) =>
      stats.messages?.rows.map((row) => ({
        ...placeLine(row, stats, `message ${row.message} ${row.role}`),
        count: row.blocks,
        note: `record ${row.record + 1}`,
      })),
  },
  blocks: {
    title: 'largest blocks',
    counted: '',
    lines: (stats) =>
      stats.blocks?.rows.map((row) => ({
        ...placeLine(row, stats, `block ${row.index} ${row.kind} ${row.tool ?? ''}`.trim()),
        count: null,
        note: `message ${row.message}`,
      })),
  },
  duplicates: {
    title: 'outputs that came again',
    counted: 'times',
    lines: ({ duplicates }) => duplicates?.rows.map(duplicateLine),
  },
};

/** A section with its lines, and what the rows that were cut off amount to. */
export interface SectionLines {
  readonly name: keyof Sections;
  readonly title: string;
  readonly counted: string;
  readonly lines: readonly Line[];
  readonly rest: Section<unknown>['rest'];
}

/** The sections of a document that were asked for and have rows, in their order. */
export function sectionLines(stats: Stats): SectionLines[] {
  return (Object.keys(VIEWS) as (keyof Sections)[]).flatMap((name) => {
    const { title, counted, lines: linesOf } = VIEWS[name];
    const lines = linesOf(stats) ?? [];
    const rest = stats[name]?.rest ?? { rows: 0, tokens: 0, dead: 0, bytes: 0 };
    return lines.length === 0 ? [] : [{ name, title, counted, lines, rest }];
  });
}

function kindLine(row: KindRow): Line {
  const name = row.origin === null ? row.kind : `${row.kind} (${row.origin})`;
  return { name, keep: 'start', count: row.blocks, ...amountOf(row), note: '' };
}

function overheadLine({ tokens: { overhead } }: Stats): Line[] {
  const line = { count: null, tokens: overhead, bytes: 0, dead: 0, note: 'overhead' };
  return overhead === 0 ? [] : [{ name: 'system prompt, tools', keep: 'start', ...line }];
}

function toolLine(row: ToolRow): Line {
  const note = row.errors === 0 ? '' : `${commas(row.errors)} failed`;
  const name = row.tool ?? '(no call)';
  return { name, keep: 'start', count: row.calls, ...amountOf(row), note };
}

function fileLine(row: FileRow): Line {
  return { name: row.path, keep: 'end', count: row.calls, ...amountOf(row), note: '' };
}

function duplicateLine(row: DuplicateRow): Line {
  const { tokens, bytes } = row;
  return {
    name: `${row.hash} ${row.tool ?? ''}`.trim(),
    keep: 'start',
    count: row.times,
    tokens,
    bytes,
    dead: 0,
    note: `${plural(row.each, 'token')} each, first in message ${row.message}`,
  };
}

/** A dead row's tokens are not sent: they stand in the column of the dead. */
function placeLine(
  { conversation, live, tokens, bytes }: Place,
  { counts }: Stats,
  name: string,
): Omit<Line, 'count' | 'note'> {
  return {
    name: counts.conversations > 1 ? `${conversation} ${name}` : name,
    keep: 'start',
    tokens: live ? tokens : 0,
    dead: live ? 0 : tokens,
    bytes,
  };
}

function amountOf(row: Tally): Pick<Line, 'tokens' | 'bytes' | 'dead'> {
  return { tokens: row.tokens, bytes: row.bytes + row.deadBytes, dead: row.deadTokens };
}
