import type { ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import { commas, plural } from '../marker/marker.ts';
import { type BlockRow, type Report, tokensInWindow } from './report.ts';
import { safe } from './safe.ts';

export interface TableOptions {
  readonly style: ChalkInstance;
  /** Columns of the terminal; undefined for a pipe, where nothing is cut. */
  readonly width: number | undefined;
  /** All blocks, not only those that change. */
  readonly all: boolean;
}

interface Column {
  readonly name: string;
  readonly right?: boolean;
  /** Widest that the column may be on a terminal; a ref is never cut. */
  readonly most?: number;
  /** Narrowest terminal that shows it. */
  readonly from?: number;
  /** Shown only where there are several conversations. */
  readonly several?: boolean;
  readonly cell: (row: BlockRow, step: string) => string;
}

const COLUMNS: readonly Column[] = [
  { name: '#', right: true, cell: (row) => String(row.index) },
  { name: 'conversation', several: true, cell: (row) => row.conversation },
  { name: 'msg', right: true, from: 100, cell: (row) => String(row.message ?? '') },
  { name: 'role', from: 72, cell: (row) => row.role },
  { name: 'kind', most: 10, cell: (row) => row.kind },
  { name: 'tool', most: 16, from: 64, cell: (row) => row.tool ?? '' },
  { name: 'before', right: true, cell: (row) => commas(row.tokensBefore) },
  { name: 'after', right: true, cell: (row) => commas(row.tokensAfter) },
  { name: 'action', cell: (row) => row.action },
  { name: 'step', right: true, from: 90, cell: (_row, step) => step },
  { name: 'reason', most: 23, from: 110, cell: (row) => row.reason },
  { name: 'ref', cell: (row) => row.ref ?? '' },
];

/** The table of blocks: one row per block that changes, cells cut to the terminal, refs whole. */
export function renderTable(report: Report, options: TableOptions): string {
  const { style, width, all } = options;
  const rows = report.blocks.filter((row) => all || (row.action !== 'kept' && row.kind !== 'copy'));
  if (rows.length === 0) return '';
  const steps = new Map(report.strategies.map((step, index) => [step.name, String(index + 1)]));
  const several = report.tokens.fullest !== undefined;
  const columns = COLUMNS.filter(
    ({ from, several: only }) =>
      (width === undefined || from === undefined || width >= from) && (only !== true || several),
  );
  // Where there is no room for a reason column, a kept block says its reason in the place of a ref.
  const folded = !columns.some(({ name }) => name === 'reason');
  const table = new Table({
    head: columns.map(({ name }) => style.dim(name)),
    colAligns: columns.map(({ right }) => (right === true ? 'right' : 'left')),
    chars: BORDERLESS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  for (const row of rows) {
    const step = row.strategy === null ? '' : (steps.get(row.strategy) ?? '');
    table.push(
      columns.map((column) => {
        const text =
          column.name === 'ref' && folded && row.ref === null ? row.reason : column.cell(row, step);
        const cell = cut(safe(text), width === undefined ? undefined : column.most);
        return paint(column.name, cell, row, style);
      }),
    );
  }
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const;

function cut(text: string, most: number | undefined): string {
  return most === undefined || text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function paint(column: string, cell: string, row: BlockRow, style: ChalkInstance): string {
  if (row.action === 'kept') return style.dim(cell);
  if (column === 'action') return style.yellow(cell);
  return column === 'ref' ? style.cyan(cell) : cell;
}

/** The lines under the table: totals, window, steps, warnings. */
export function renderSummary(report: Report, style: ChalkInstance): string {
  const { tokens, bytes, counter, window } = report;
  const kind = counter.exact ? counter.name : `${counter.name}, an estimate for this model`;
  const inWindow = tokensInWindow(tokens);
  const share = (value: number) => `${((value / window.tokens) * 100).toFixed(1)}%`;
  const lines = [
    `tokens   ${change(tokens.before, tokens.after)}  (${kind})`,
    ...(tokens.overhead > 0
      ? [`         of these ${commas(tokens.overhead)} for the system prompt and tool definitions`]
      : []),
    ...(tokens.clientUsage === null
      ? []
      : [
          `         the client itself last counted ${commas(tokens.clientUsage)}, with its own tokenizer`,
        ]),
    `bytes    ${change(bytes.before, bytes.after)}`,
    ...archiveLine(report),
    `window   ${commas(window.tokens)} ${windowSource(window)}: ${fullestText(report)}${share(inWindow.before)} full before, ${share(inWindow.after)} after`,
    ...cacheLines(report),
    ...report.strategies.map((step, index) => stepLine(index + 1, step, style)),
    ...report.warnings.map(
      (warning) => `${style.yellow('warning')}  ${safe(warning.text)} (${warning.code})`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function archiveLine({ input, output }: Report): string[] {
  if (input.archive === undefined) return [];
  const { method, bytes } = input.archive;
  const after = output?.archive;
  return [
    `file     ${method}, ${after === undefined ? commas(bytes) : change(bytes, after.bytes)}`,
  ];
}

/** What the change costs a prompt cache, and when it has paid for itself. */
function cacheLines({ cache }: Report): string[] {
  if (cache === null) return [];
  const { firstChangedMessage, invalidated, cost } = cache;
  const line = `cache    changes from message ${firstChangedMessage} on: ${commas(invalidated)} tokens of a cached prefix are sent anew`;
  if (cost === null) return [line];
  const { warm, cold, turnsToPay } = cost;
  const pays =
    turnsToPay === null
      ? 'it never pays for itself'
      : `paid for after ${plural(turnsToPay, 'request')}`;
  return [
    line,
    `cost     cached: ${money(warm.before)} a request -> ${money(warm.first)} once, then ${money(warm.later)}; ${pays}; not cached: ${money(cold.before)} -> ${money(cold.after)}`,
  ];
}

function money(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}

function change(before: number, after: number): string {
  if (before === after) return `${commas(before)}, unchanged`;
  const difference = Math.abs(before - after);
  const percent = before === 0 ? 0 : (difference / before) * 100;
  const verb = after < before ? 'saves' : 'adds';
  return `${commas(before)} -> ${commas(after)}, ${verb} ${commas(difference)} (${percent.toFixed(1)}%)`;
}

function fullestText({ tokens: { fullest } }: Report): string {
  return fullest === undefined
    ? ''
    : `of ${plural(fullest.of, 'conversation')} the fullest, ${safe(fullest.conversation)}, is `;
}

/** Where a window is from, in words. */
export function windowSource(window: Report['window']): string {
  const model = window.model === null ? '' : ` ${safe(window.model)}`;
  const sources = {
    flag: '(--window)',
    model: `(model${model})`,
    stash: '(of the last run)',
    default: '(assumed; name it with --window)',
  };
  return sources[window.source];
}

function stepLine(
  number: number,
  step: Report['strategies'][number],
  style: ChalkInstance,
): string {
  const done =
    step.acted > 0 && step.savedBytes === 0 ? `, saves ${plural(step.saved, 'token')}` : '';
  const state = step.fired ? '' : 'did not fire: ';
  return `step ${number}   ${style.bold(safe(step.name))}: ${state}${safe(step.why)}${done}`;
}
