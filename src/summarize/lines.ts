import { classifyLine, type LinePlace } from './classify.ts';
import { type Before, Context } from './context.ts';
import { type ItemTraits, type Row, readRows, traitsOf } from './rows.ts';
import { type Source, sourceOf } from './source.ts';
import type { SummaryItem } from './summarizer.ts';

/** A line that may go into the summary. */
export interface Candidate {
  readonly text: string;
  readonly score: number;
  /** How many lines of the same family or layout halve the score. */
  readonly half: number;
  /** Family, over the whole session. */
  readonly kin: string;
  /** Layout within the item; empty where only the words count. */
  readonly form: string;
  readonly item: number;
  /** Place in the whole session. */
  readonly order: number;
}

/** What matters in itself is not worth less for being laid out like its neighbours. */
const LAID_OUT = 15;

/** Every distinct line worth anything, in order; of equal lines the one that scores best. */
export function collectLines(items: readonly SummaryItem[]): Candidate[] {
  const best = new Map<string, Candidate>();
  let order = 0;
  for (const [index, item] of items.entries()) {
    const source = sourceOf(item, index, items.length);
    if (source === undefined) continue;
    const rows = readRows(item.text, source);
    for (const line of classifyRows(rows, source, { item: index, order })) keepBetter(best, line);
    order += rows.length;
  }
  return [...best.values()].toSorted((a, b) => a.order - b.order);
}

function classifyRows(
  rows: readonly Row[],
  source: Source,
  from: { readonly item: number; readonly order: number },
): Candidate[] {
  const traits = traitsOf(rows, source);
  const lines: Candidate[] = [];
  const context = new Context();
  for (const [at, row] of rows.entries()) {
    const { text, kin, form } = row;
    const place = { ...placeOf(rows, at, traits), ...context.of(row) };
    const { score, half, error } = classifyLine(row, { source, traits, rows: rows.length }, place);
    context.add(row, error);
    if (score <= 0) continue;
    const lone = place.standing === 'lone';
    lines.push({
      text,
      score,
      half,
      // It looks like its neighbours at the front, but is none of them.
      kin: lone ? `lone ${kin}` : kin,
      form: lone || half > LAID_OUT ? '' : form,
      item: from.item,
      order: from.order + at,
    });
  }
  return lines;
}

function placeOf(
  rows: readonly Row[],
  at: number,
  traits: ItemTraits,
): Omit<LinePlace, keyof Before> {
  const row = rows[at];
  return {
    first: at === 0,
    last: at === rows.length - 1,
    standing: traits.standings[at] ?? 'single',
    foreign: traits.numbered && row?.numbered === false,
  };
}

function keepBetter(best: Map<string, Candidate>, line: Candidate): void {
  const key = line.text.trim();
  const known = best.get(key);
  if (known === undefined || known.score < line.score) best.set(key, line);
}
