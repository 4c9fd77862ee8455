import type { BlockRow, Report } from './report.ts';
import { safe } from './safe.ts';

const COLUMNS: readonly (readonly [string, (row: BlockRow) => string | number])[] = [
  ['index', (row) => row.index],
  ['role', (row) => row.role],
  ['kind', (row) => row.kind],
  ['tool', (row) => row.tool ?? ''],
  ['before', (row) => row.tokensBefore],
  ['after', (row) => row.tokensAfter],
  ['action', (row) => row.action],
  ['strategy', (row) => row.strategy ?? ''],
  ['reason', (row) => row.reason],
  ['ref', (row) => row.ref ?? ''],
  ['conversation', (row) => row.conversation],
];

/** Tab-separated rows with a header line: for scripts. */
export function renderPlain(report: Report, all: boolean): string {
  const rows = report.blocks.filter((row) => all || row.action !== 'kept');
  const lines = rows.map((row) => COLUMNS.map(([, cell]) => safe(String(cell(row)))).join('\t'));
  return `${[COLUMNS.map(([name]) => name).join('\t'), ...lines].join('\n')}\n`;
}
