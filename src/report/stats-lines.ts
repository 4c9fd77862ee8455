import { commas, plural } from '../marker/marker.ts';
import type { Place } from '../stats/rows.ts';
import type { Section, Sections, Stats } from '../stats/stats.ts';
import type { Keep } from './columns.ts';

/** A row of any section, the way it is printed. Its texts are a transcript's and not yet safe. */
export interface Line {
  readonly name: string;
  readonly keep: Keep;
  /** Null where there is nothing to count. */
  readonly count: number | null;
  readonly tokens: number;
  readonly bytes: number;
  /** Tokens that are in the file only. */
  readonly dead: number;
  readonly note: string;
}

type RowOf<Name extends keyof Sections> =
  NonNullable<Sections[Name]> extends Section<infer Row> ? Row : never;

interface SectionView<Row> {
  readonly title: string;
  /** What its count counts. */
  readonly counted: string;
  readonly line: (row: Row, stats: Stats) => Line;
}

const VIEWS: { readonly [Name in keyof Sections]: SectionView<RowOf<Name>> } = {
  kinds: {
    title: 'by kind',
    counted: 'blocks',
    line: ({ kind, origin, blocks, tokens, bytes, deadBytes, deadTokens }) => ({
      name: origin === null ? kind : `${kind} (${origin})`,
      keep: 'start',
      count: blocks,
      tokens,
      bytes: bytes + deadBytes,
      dead: deadTokens,
      note: '',
    }),
  },
  tools: {
    title: 'by tool',
    counted: 'calls',
    line: ({ tool, calls, errors, tokens, bytes, deadBytes, deadTokens }) => ({
      name: tool ?? '(no call)',
      keep: 'start',
      count: calls,
      tokens,
      bytes: bytes + deadBytes,
      dead: deadTokens,
      note: errors === 0 ? '' : `${commas(errors)} failed`,
    }),
  },
  files: {
    title: 'by file',
    counted: 'calls',
    line: ({ path, calls, tokens, bytes, deadBytes, deadTokens }) => ({
      name: path,
      keep: 'end',
      count: calls,
      tokens,
      bytes: bytes + deadBytes,
      dead: deadTokens,
      note: '',
    }),
  },
  messages: {
    title: 'largest messages',
    counted: 'blocks',
    line: (row, stats) => ({
      ...placed(row, stats, `message ${row.message} ${row.role}`),
      count: row.blocks,
      note: `record ${row.record + 1}`,
    }),
  },
  blocks: {
    title: 'largest blocks',
    counted: 'blocks',
    line: (row, stats) => ({
      ...placed(
        row,
        stats,
        `block ${row.index} ${row.kind}${row.tool === null ? '' : ` ${row.tool}`}`,
      ),
      count: null,
      note: `message ${row.message}`,
    }),
  },
  duplicates: {
    title: 'outputs that came again',
    counted: 'times',
    line: ({ tool, hash, times, each, tokens, bytes, message }) => ({
      name: `${hash}${tool === null ? '' : ` ${tool}`}`,
      keep: 'start',
      count: times,
      tokens,
      bytes,
      dead: 0,
      note: `${plural(each, 'token')} each, first in message ${message}`,
    }),
  },
};

/** A section with its lines; the last one stands for the rows that were cut off. */
export interface SectionLines {
  readonly name: keyof Sections;
  readonly title: string;
  readonly counted: string;
  readonly lines: readonly Line[];
  readonly rest: Section<unknown>['rest'];
}

/** The sections of a document that were asked for and have rows, in their order. */
export function sectionLines(stats: Stats): SectionLines[] {
  return (Object.keys(VIEWS) as (keyof Sections)[]).flatMap((name) => linesOf(name, stats));
}

function linesOf<Name extends keyof Sections>(name: Name, stats: Stats): SectionLines[] {
  const section = stats[name] as Section<RowOf<Name>> | null;
  if (section === null) return [];
  const { title, counted, line } = VIEWS[name] as SectionView<RowOf<Name>>;
  const rows = section.rows.map((row) => line(row, stats));
  const lines = name === 'kinds' ? [...rows, ...overheadLine(stats)] : rows;
  return lines.length === 0 ? [] : [{ name, title, counted, lines, rest: section.rest }];
}

/** With it the kinds add up to the total. */
function overheadLine({ tokens: { overhead } }: Stats): Line[] {
  const name = 'system prompt, tools';
  const line = { name, keep: 'start' as const, count: null, bytes: 0, dead: 0, note: 'overhead' };
  return overhead === 0 ? [] : [{ ...line, tokens: overhead }];
}

/** A dead row's tokens are not sent: they stand in the column of the dead. */
function placed(
  { conversation, live, tokens, bytes }: Place,
  { counts }: Stats,
  name: string,
): Pick<Line, 'name' | 'keep' | 'tokens' | 'dead' | 'bytes'> {
  return {
    name: counts.conversations > 1 ? `${conversation} ${name}` : name,
    keep: 'start',
    tokens: live ? tokens : 0,
    dead: live ? 0 : tokens,
    bytes,
  };
}
