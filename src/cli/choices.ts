import { commas } from '../marker/marker.ts';
import type { ManualPlan } from '../plan/manual.ts';
import { manualKey } from '../plan/manual-key.ts';
import type { BlockRow, Report } from '../report/report.ts';
import { safe } from '../report/safe.ts';

/** Blocks to choose from, by tool or kind; the value names a block over all conversations. */
export type Choices = Record<string, { value: string; label: string; hint: string }[]>;

/** Tokens that each block leaves when it is dropped, of those that may be; by the keys of `keyOf`. */
export type Droppable = ReadonlyMap<string, number>;

export function keyOf({ conversation, index }: BlockRow): string {
  return manualKey(conversation, index);
}

/** Blocks that the plan keeps and a person might want to drop; whether they may, another plan has to say. */
export function candidates(report: Report): string[] {
  return report.blocks
    .filter(({ action, kind, live }) => action === 'kept' && !NEVER.includes(kind) && live)
    .map(keyOf);
}

const NEVER: readonly BlockRow['kind'][] = ['toolCall', 'thinking', 'opaque', 'copy', 'record'];

/** What a plan that drops every candidate drops in fact: every rule of the steps holds for it. */
export function droppable({ blocks }: Report): Droppable {
  const dropped = blocks.filter(({ strategy, action }) => strategy === 'plan' && action !== 'kept');
  return new Map(dropped.map((row) => [keyOf(row), row.tokensAfter]));
}

/** What a person may choose: what the plan takes, and what it could take. */
export function choicesOf(report: Report, could: Droppable): Choices {
  const choices: Choices = {};
  for (const row of report.blocks.filter((one) => isOpen(one, could))) {
    const group = safe(row.tool ?? `${row.role} ${row.kind}`);
    const list = choices[group] ?? [];
    choices[group] = list;
    const where = /^main\b/.test(row.conversation) ? '' : `${safe(row.conversation)}  `;
    const plan =
      row.action === 'kept' ? row.reason : `${row.action}, ${commas(row.tokensAfter)} left`;
    const label = `${where}#${row.index}  ${commas(row.tokensBefore)} tokens`;
    list.push({ value: keyOf(row), label, hint: plan });
  }
  return choices;
}

function isOpen(row: BlockRow, could: Droppable): boolean {
  if (row.kind === 'copy' || row.kind === 'record' || row.reason === 'capsule') return false;
  return row.action !== 'kept' || could.has(keyOf(row));
}

/** The blocks that the plan takes. */
export function takenBy(report: Report): string[] {
  return report.blocks
    .filter((row) => row.action !== 'kept' && isOpen(row, NOTHING))
    .map((row) => keyOf(row));
}

const NOTHING: Droppable = new Map();

/** A person's choice as edits of the plan: what was taken out of it stays, what was put in is dropped. */
export function choiceOf(report: Report, could: Droppable, chosen: readonly string[]): ManualPlan {
  const wanted = new Set(chosen);
  const edited = report.blocks.filter(
    (row) => isOpen(row, could) && wanted.has(keyOf(row)) !== (row.action !== 'kept'),
  );
  const dropped = edited.filter(({ action }) => action === 'kept').map(keyOf);
  return {
    kept: new Set(edited.map(keyOf)),
    actions: new Map(dropped.map((key) => [key, 'dropped'])),
  };
}

/** Tokens that a choice leaves. */
export function tokensLeft(report: Report, could: Droppable, chosen: readonly string[]): number {
  const wanted = new Set(chosen);
  return report.blocks.reduce((left, row) => {
    const taken = row.action !== 'kept';
    if (!isOpen(row, could) || wanted.has(keyOf(row)) === taken) return left;
    const after = taken ? row.tokensAfter : (could.get(keyOf(row)) ?? row.tokensBefore);
    return left + (taken ? row.tokensBefore - after : after - row.tokensBefore);
  }, report.tokens.after);
}
