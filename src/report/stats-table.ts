import type { ChalkInstance } from 'chalk';
import { commas } from '../marker/marker.ts';
import type { Stats } from '../stats/stats.ts';
import { bar, type Glyphs } from './bar.ts';
import { columnsOf, cutTo, pad } from './columns.ts';
import { safe } from './safe.ts';
import { type Line, type SectionLines, sectionLines } from './stats-lines.ts';

export interface ChartOptions {
  readonly style: ChalkInstance;
  readonly glyphs: Glyphs;
  /** Columns of the terminal; undefined for a pipe, where nothing is cut. */
  readonly width: number | undefined;
}

interface Column {
  readonly head: (section: SectionLines) => string;
  readonly cell: (line: Line, total: number) => string;
  /** Narrowest terminal that shows it. */
  readonly from: number;
  /** Left out where no row has a figure. */
  readonly optional?: (line: Line) => number;
}

const FIGURES: readonly Column[] = [
  {
    head: ({ counted }) => counted,
    cell: ({ count }) => (count === null ? '' : commas(count)),
    from: 50,
    optional: ({ count }) => count ?? 0,
  },
  { head: () => 'tokens', cell: ({ tokens }) => commas(tokens), from: 0 },
  { head: () => 'share', cell: ({ tokens }, total) => percent(tokens, total), from: 40 },
  {
    head: () => 'dead',
    cell: ({ dead }) => commas(dead),
    from: 70,
    optional: ({ dead }) => dead,
  },
  { head: () => 'bytes', cell: ({ bytes }) => commas(bytes), from: 60 },
];

const GAP = '  ';
const BAR = { most: 24, least: 6 } as const;
const NAME = { most: 60, least: 8 } as const;
const NOTE_FROM = 100;

/** The sections as charts: a name, its figures and a bar, cut to the terminal. */
export function renderCharts(stats: Stats, options: ChartOptions): string {
  return sectionLines(stats)
    .map((section) => chart(section, stats.tokens.total, options))
    .join('\n');
}

function chart(section: SectionLines, total: number, options: ChartOptions): string {
  const { style, glyphs, width } = options;
  const lines = [...section.lines, ...restLine(section, glyphs)];
  const columns = FIGURES.filter(
    ({ from, optional }) =>
      (width === undefined || width >= from) &&
      (optional === undefined || lines.some((line) => optional(line) > 0)),
  );
  const figures = columns.map((column) => {
    const cells = [column.head(section), ...lines.map((line) => column.cell(line, total))];
    const widest = Math.max(...cells.map(columnsOf));
    return cells.map((cell) => pad(cell, widest, true));
  });
  const used = figures.reduce((sum, cells) => sum + GAP.length + columnsOf(cells[0] ?? ''), 0);
  const names = lines.map(({ name, keep }) => ({ text: safe(name), keep }));
  const room = nameWidth(
    names.map(({ text }) => text),
    section.title,
    used,
    width,
  );
  const left = width === undefined ? BAR.most : width - room - used - GAP.length;
  const drawn = left < BAR.least ? 0 : Math.min(BAR.most, left);
  const most = Math.max(1, ...section.lines.map(({ tokens }) => tokens));
  const head = [
    style.bold(pad(cutTo(section.title, room, glyphs.cut), room, false)),
    ...figures.map(([cell]) => style.dim(cell)),
  ];
  const rows = lines.map((line, index) => {
    const { text, keep } = names[index] as (typeof names)[number];
    const isRest = index >= section.lines.length;
    const filled = isRest ? '' : bar(line.tokens / most, drawn, glyphs);
    const note = width === undefined || width >= NOTE_FROM ? safe(line.note) : '';
    const fits = width === undefined || columnsOf(note) <= left - drawn - GAP.length;
    return [
      pad(cutTo(text, room, glyphs.cut, keep), room, false),
      ...figures.map((cells) => cells[index + 1] ?? ''),
      drawn === 0 ? '' : style.cyan(fits && note !== '' ? pad(filled, drawn, false) : filled),
      fits ? style.dim(note) : '',
    ];
  });
  return [head, ...rows].map((cells) => `${cells.join(GAP).trimEnd()}\n`).join('');
}

/** What the names may take: all they need on a pipe, what the figures leave on a terminal. */
function nameWidth(
  names: readonly string[],
  title: string,
  used: number,
  width: number | undefined,
): number {
  const longest = Math.max(columnsOf(title), ...names.map(columnsOf));
  if (width === undefined) return longest;
  const room = Math.max(NAME.least, width - used - GAP.length - BAR.least);
  return Math.min(longest, room, Math.max(NAME.most, Math.floor(width / 2)));
}

function restLine({ rest }: SectionLines, { cut }: Glyphs): Line[] {
  const name = `${cut} ${commas(rest.rows)} more`;
  const { rows, ...amount } = rest;
  return rows === 0 ? [] : [{ name, keep: 'start', count: null, note: '', ...amount }];
}

/** A share with one decimal. */
function percent(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (part / whole) * 100).toFixed(1)}%`;
}
