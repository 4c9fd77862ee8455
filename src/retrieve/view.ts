import { usageError } from '../errors.ts';
import { commas, plural } from '../marker/marker.ts';
import { safe } from '../report/safe.ts';
import { withinTokens } from './budget.ts';
import { lineTest } from './pattern.ts';
import { endRows, type LineRange, rangeRows } from './range.ts';
import { content, type Row, splitRows } from './rows.ts';
import { searchRows } from './search.ts';

export { parseLines } from './range.ts';

/** What is selected, in this order: lines, head and tail, pattern, maxTokens. */
export interface ViewOptions {
  readonly pattern?: string;
  readonly lines?: LineRange;
  /** Lines around a match; 5 when absent. */
  readonly context?: number;
  readonly head?: number;
  readonly tail?: number;
  readonly maxTokens?: number;
}

export interface View {
  readonly text: string;
  /** For the person, never for standard output. */
  readonly notes: readonly string[];
  /** Where to go on when the text was cut. */
  readonly next?: { readonly line: number };
}

/** Offload semantics, section 9. */
const DEFAULT_CONTEXT = 5;

/**
 * The selection of a text that `retrieve` prints. Without options the text itself, byte for byte. Lines end at
 * `\n` only. A content without text (media) is given as undefined. Linear in the text.
 * @throws CtxError with exit 2 for a range outside of the content, and for content that has no text.
 */
export function viewText(
  text: string | undefined,
  options: ViewOptions,
  count: (text: string) => number,
): View {
  if (text === undefined)
    throw usageError('cannot search non-text content', 'write it to a file with -o FILE');
  if (text === '') return { text, notes: ['Content is empty (0 lines).'] };
  if (Object.keys(options).length === 0) return { text, notes: [] };
  const notes: string[] = [];
  const all = splitRows(text);
  const ranged = options.lines === undefined ? all : rangeRows(all, options.lines);
  const ended = endRows(ranged, options.head, options.tail);
  const range = options.lines && `${ranged[0]?.line}-${ranged.at(-1)?.line}`;
  if (range !== undefined) notes.push(`[Lines ${range} of ${all.length}]`);
  const rows =
    options.pattern === undefined ? ended : search(ended, options.pattern, options, range, notes);
  if (options.maxTokens === undefined) return { text: joined(rows), notes };
  const last = ended.at(-1)?.line;
  return fitBudget(rows, options.maxTokens, last === all.length ? '' : `${last}`, count, notes);
}

function search(
  rows: readonly Row[],
  pattern: string,
  options: ViewOptions,
  range: string | undefined,
  notes: string[],
): readonly Row[] {
  const compiled = lineTest(pattern);
  const found = searchRows(rows, compiled, options.context ?? DEFAULT_CONTEXT);
  const shown = safe(pattern);
  if (compiled.literal)
    notes.push(`'${shown}' is no regular expression; searched as it is written`);
  const searched = plural(rows.length, 'line');
  const matches = `${commas(found.matches)} ${found.matches === 1 ? 'match' : 'matches'}`;
  notes.push(
    found.matches === 0
      ? `No matches found for pattern '${shown}' (searched ${searched}).`
      : `[${matches} for /${shown}/${range === undefined ? '' : ` in lines ${range}`}]`,
  );
  return found.rows;
}

/** Cuts to the budget and says how to go on: with the same options and other lines, up to `last` or the end. */
function fitBudget(
  rows: readonly Row[],
  most: number,
  last: string,
  count: (text: string) => number,
  notes: string[],
): View {
  const cut = withinTokens(rows, most, count);
  const [first] = rows;
  if (cut.chars !== undefined && first !== undefined && cut.chars < content(first).length) {
    const size = commas(content(first).length);
    notes.push(`[line ${first.line} was cut at character ${commas(cut.chars)} of ${size}]`);
  }
  const next = rows[cut.rows];
  if (next === undefined) return { text: cut.text, notes };
  notes.push(`[cut to ${plural(most, 'token')}] next: --lines ${next.line}-${last}`);
  return { text: cut.text, notes, next: { line: next.line } };
}

function joined(rows: readonly Row[]): string {
  return rows.map((row) => row.text).join('');
}
