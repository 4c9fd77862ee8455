import type { Stats } from '../stats/stats.ts';
import { safe } from './safe.ts';
import { sectionLines } from './stats-lines.ts';

const HEAD = ['section', 'name', 'count', 'tokens', 'dead', 'bytes'];

/** Tab-separated rows with a header line: for scripts. The totals first, then the sections. */
export function renderStatsPlain(stats: Stats): string {
  const rows = [HEAD, ...totals(stats), ...sections(stats)];
  return rows.map((row) => `${row.map((cell) => safe(String(cell))).join('\t')}\n`).join('');
}

type Row = readonly (string | number)[];

function totals({ input, counts, tokens, bytes, window, copies, placeholders }: Stats): Row[] {
  const { stash } = placeholders;
  return [
    ['total', input.path, counts.liveBlocks, tokens.total, tokens.dead, bytes.file],
    ['total', 'window', 0, window.tokens, 0, 0],
    ['total', 'overhead', 0, tokens.overhead, 0, 0],
    ['total', 'copies', copies.count, 0, 0, copies.bytes],
    ['total', 'markers', placeholders.count, placeholders.tokens, 0, 0],
    ['total', 'stash', stash?.entries ?? 0, stash?.tokens ?? 0, 0, stash?.bytes ?? 0],
  ];
}

function sections(stats: Stats): Row[] {
  return sectionLines(stats).flatMap(({ name: section, lines, rest }) => [
    ...lines.map(({ name, count, tokens, dead, bytes }) => [
      section,
      name,
      count ?? 0,
      tokens,
      dead,
      bytes,
    ]),
    ...(rest.rows === 0
      ? []
      : [[section, `(${rest.rows} more)`, rest.rows, rest.tokens, rest.dead, rest.bytes]]),
  ]);
}
