import { commas, plural } from '../marker/marker.ts';
import type { Stats } from '../stats/stats.ts';
import { gauge } from './bar.ts';
import { safe } from './safe.ts';
import type { ChartOptions } from './stats-table.ts';
import { windowSource } from './table.ts';

const GAUGE = 24;

/** The lines over the charts: the file, its window, its tokens and bytes, and what was offloaded. */
export function renderStatsHead(stats: Stats, { style, glyphs }: ChartOptions): string {
  const { counts, tokens, window } = stats;
  const drawn = gauge(tokens.total / window.tokens, GAUGE, glyphs);
  const lines = [
    `${style.bold(safe(stats.input.path))}  ${stats.format}, ${plural(counts.liveMessages, 'message')} that resuming sends, ${plural(counts.blocks, 'block')}`,
    '',
    `window   ${style.cyan(drawn)} ${tokens.percent.toFixed(1)}% of ${commas(window.tokens)} ${windowSource(window)}`,
    ...tokenLines(stats),
    bytesLine(stats),
    ...copyLines(stats),
    ...repeatLines(stats),
    ...offloadLines(stats),
    ...stats.warnings.map(
      ({ text, code }) => `${style.yellow('warning')}  ${safe(text)} (${code})`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function tokenLines({ tokens, counter }: Stats): string[] {
  const kind = counter.exact ? counter.name : `${counter.name}, an estimate for this model`;
  const { total, messages, overhead, dead, clientUsage, sentEstimate } = tokens;
  const parts = `${commas(messages)} in messages, ${commas(overhead)} for the system prompt and tool definitions`;
  return [
    `tokens   ${commas(total)} (${kind}): ${parts}`,
    ...note(dead > 0, `${commas(dead)} more are in the file only`),
    ...note(
      sentEstimate !== null,
      `about ${commas(sentEstimate ?? 0)} are sent: the client cuts long outputs`,
    ),
    ...note(
      clientUsage !== null,
      `the client itself last counted ${commas(clientUsage ?? 0)}, with its own tokenizer`,
    ),
  ];
}

function note(holds: boolean, text: string): string[] {
  return holds ? [`         ${text}`] : [];
}

function bytesLine({ bytes }: Stats): string {
  const parts = [
    ['live', bytes.live],
    ['dead', bytes.dead],
    ['copies', bytes.copies],
    ['repeated records', bytes.repeats],
    ['envelopes and bookkeeping', bytes.other],
  ] as const;
  const shown = parts
    .filter(([, size]) => size !== 0)
    .map(([name, size]) => `${commas(size)} ${name}`);
  return `bytes    ${commas(bytes.file)}: ${shown.join(', ')}`;
}

function copyLines({ copies }: Stats): string[] {
  const names = copies.names.map(
    ({ name, count, bytes }) => `${safe(name)} ${commas(bytes)} bytes (${commas(count)})`,
  );
  return copies.count === 0 ? [] : [`copies   that no model sees: ${names.join(', ')}`];
}

function repeatLines({ duplicates }: Stats): string[] {
  if (duplicates === null || duplicates.rows.length === 0) return [];
  const { rows, rest } = duplicates;
  const cost = rows.reduce((sum, row) => sum + row.tokens, rest.tokens);
  return [
    `repeats  ${plural(rows.length + rest.rows, 'output')} came again: ${plural(cost, 'token')} for what was there before`,
  ];
}

function offloadLines({ placeholders }: Stats): string[] {
  const { count, tokens, originals, methods, stash } = placeholders;
  const how = Object.entries(methods).map(([method, times]) => `${times} ${method}`);
  const damaged = stash !== null && stash.damaged > 0 ? `, ${stash.damaged} damaged` : '';
  return [
    ...(count === 0
      ? []
      : [
          `markers  ${commas(count)} (${how.join(', ')}): ${plural(tokens, 'token')} stand for ${commas(originals)}`,
        ]),
    ...(stash === null
      ? []
      : [
          `stash    ${safe(stash.path)}: ${plural(stash.entries, 'original')}, ${plural(stash.tokens, 'token')}, ${commas(stash.bytes)} bytes${damaged}`,
        ]),
  ];
}
