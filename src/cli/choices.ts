import { commas } from '../marker/marker.ts';
import type { BlockRow, Report } from '../report/report.ts';
import { safe } from '../report/safe.ts';

/** Blocks to choose from, by tool or kind. */
export type Choices = Record<string, { value: number; label: string; hint: string }[]>;

/** Reasons that no choice can change. */
const FINAL: ReadonlySet<string> = new Set([
  'dead',
  'injected',
  'signed',
  'opaque',
  'already-offloaded',
  'already-masked',
  'first-message',
  'last-message',
  'pinned',
  'protected',
  'system-message',
]);

/** What a person may choose: what the plan takes, and what it could take. */
export function choicesOf(report: Report): Choices {
  const choices: Choices = {};
  for (const row of report.blocks.filter(isOpen)) {
    const group = row.tool ?? `${row.role} ${row.kind}`;
    const list = choices[safe(group)] ?? [];
    choices[safe(group)] = list;
    const size = `${commas(row.tokensBefore)} tokens`;
    const plan =
      row.action === 'kept' ? row.reason : `${row.action}, ${commas(row.tokensAfter)} left`;
    list.push({ value: row.index, label: `#${row.index}  ${size}`, hint: plan });
  }
  return choices;
}

function isOpen(row: BlockRow): boolean {
  if (row.kind === 'copy' || row.kind === 'record' || row.reason === 'capsule') return false;
  if (row.action !== 'kept') return true;
  const kind = row.kind === 'toolResult' || row.kind === 'text';
  return kind && row.live && !FINAL.has(row.reason) && row.tokensBefore > 0;
}

/** Numbers of the blocks that the plan takes. */
export function takenBy(report: Report): number[] {
  return report.blocks
    .filter((row) => isOpen(row) && row.action !== 'kept')
    .map(({ index }) => index);
}

/** The rows with a person's choice: what was taken out of the plan stays, what was put in is dropped. */
export function chosenRows(report: Report, chosen: readonly number[]): BlockRow[] {
  const wanted = new Set(chosen);
  return report.blocks.map((row) => {
    if (!isOpen(row)) return row;
    const taken = row.action !== 'kept';
    if (wanted.has(row.index) === taken) return row;
    return { ...row, action: taken ? 'kept' : 'dropped' };
  });
}

/** Tokens that a choice leaves, close to what the plan will measure: a marker is taken for 20 tokens. */
export function tokensLeft(report: Report, chosen: readonly number[]): number {
  const wanted = new Set(chosen);
  const MARKER = 20;
  return report.blocks.filter(isOpen).reduce((left, row) => {
    const taken = row.action !== 'kept';
    if (wanted.has(row.index) === taken) return left;
    return taken
      ? left + row.tokensBefore - row.tokensAfter
      : left - Math.max(0, row.tokensBefore - MARKER);
  }, report.tokens.after);
}
