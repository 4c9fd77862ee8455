import { usageError } from '../errors.ts';
import { commas, plural } from '../marker/marker.ts';
import { safe } from '../report/safe.ts';
import { withinTokens } from './budget.ts';
import { lineTest } from './pattern.ts';

export interface LineRange {
  /** First line, 1-based. */
  readonly from: number;
  /** Last line, inclusive; may be Infinity. */
  readonly to: number;
}

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

interface Part {
  readonly text: string;
  /** 1-based line of the content; 0 for lines of our own. */
  readonly line: number;
}

const DEFAULT_CONTEXT = 5;

/**
 * The selection of a text that `retrieve` prints. Without options the text itself, byte for byte. Lines end at
 * `\n` only.
 * @throws CtxError with exit 2 for a range outside of the content.
 */
export function viewText(
  text: string,
  options: ViewOptions,
  count: (text: string) => number,
): View {
  if (Object.keys(options).length === 0) return { text, notes: [] };
  if (text === '') return { text, notes: ['Content is empty (0 lines).'] };
  const all = text.split('\n').map((line, index): Part => ({ text: line, line: index + 1 }));
  // A final newline ends the last line, it does not begin another.
  if (all.length > 1 && all.at(-1)?.text === '') all.pop();
  const notes: string[] = [];
  const ranged = cutRange(all, options, notes);
  const ended = cutEnds(ranged, options);
  const parts =
    options.pattern === undefined ? ended : search(ended, options.pattern, options, notes);
  const whole = parts.length === all.length && options.pattern === undefined;
  const shown = whole ? text : parts.map((part) => `${part.text}\n`).join('');
  if (options.maxTokens === undefined) return { text: shown, notes };
  return fitBudget(parts, shown, options.maxTokens, count, notes);
}

/**
 * `10-20`, `10-`, `-20` or `10`.
 * @throws CtxError with exit 2.
 */
export function parseLines(text: string): LineRange {
  const match = /^(\d*)(-?)(\d*)$/.exec(text);
  const [, from = '', dash = '', to = ''] = match ?? [];
  if (match === null || (from === '' && to === '')) {
    throw usageError(
      `--lines ${safe(text.slice(0, 40))}: not a range of lines`,
      'write 10-20, 10-, -20 or 10',
    );
  }
  const first = from === '' ? 1 : Number(from);
  const last = dash === '' ? first : to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (first < 1 || last < first) {
    throw usageError(
      `--lines ${safe(text.slice(0, 40))}: the range is empty`,
      'lines count from 1, the first before the last',
    );
  }
  return { from: first, to: last };
}

function cutRange(all: readonly Part[], { lines }: ViewOptions, notes: string[]): readonly Part[] {
  if (lines === undefined) return all;
  if (lines.from > all.length) {
    throw usageError(
      `line ${lines.from} is beyond the content of ${plural(all.length, 'line')}`,
      `name lines from 1 to ${all.length}`,
    );
  }
  const to = Math.min(lines.to, all.length);
  notes.push(`[Lines ${lines.from}-${to} of ${all.length}]`);
  return all.slice(lines.from - 1, to);
}

function cutEnds(parts: readonly Part[], { head, tail }: ViewOptions): readonly Part[] {
  if (head === undefined && tail === undefined) return parts;
  if ((head ?? 0) + (tail ?? 0) >= parts.length) return parts;
  const first = parts.slice(0, head ?? 0);
  const last = tail === undefined ? [] : parts.slice(-tail);
  if (head === undefined || tail === undefined) return [...first, ...last];
  const from = (parts[head] as Part).line;
  const to = (parts[parts.length - tail - 1] as Part).line;
  return [...first, { text: `[... lines ${from}-${to} elided ...]`, line: 0 }, ...last];
}

function search(
  parts: readonly Part[],
  pattern: string,
  options: ViewOptions,
  notes: string[],
): Part[] {
  const { test, literal } = lineTest(pattern);
  const hits = new Set(
    parts.flatMap((part, index) => (part.line > 0 && test(part.text) ? [index] : [])),
  );
  const shown = safe(pattern);
  if (literal) notes.push(`'${shown}' is no regular expression; searched as it is written`);
  if (hits.size === 0) {
    notes.push(
      `No matches found for pattern '${shown}' (searched ${plural(parts.length, 'line')}).`,
    );
    return [];
  }
  const { lines } = options;
  const where =
    lines === undefined
      ? ''
      : ` in lines ${lines.from}-${Math.min(lines.to, parts.at(-1)?.line ?? lines.to)}`;
  notes.push(
    `[${commas(hits.size)} ${hits.size === 1 ? 'match' : 'matches'} for /${shown}/${where}]`,
  );
  return numbered(parts, hits, options.context ?? DEFAULT_CONTEXT);
}

/** Matches and the lines around them, numbered, with `---` between gaps. */
function numbered(parts: readonly Part[], hits: ReadonlySet<number>, context: number): Part[] {
  const near = new Set<number>();
  for (const hit of hits) {
    for (
      let at = Math.max(0, hit - context);
      at <= Math.min(parts.length - 1, hit + context);
      at += 1
    )
      near.add(at);
  }
  const indexes = [...near].toSorted((left, right) => left - right);
  const width = String((parts[indexes.at(-1) ?? 0] as Part).line).length;
  return indexes.flatMap((index, place) => {
    const part = parts[index] as Part;
    const mark = hits.has(index) ? '>' : ' ';
    const line = {
      text: `${mark} ${String(part.line).padStart(width)}| ${part.text}`,
      line: part.line,
    };
    const gap = place > 0 && (indexes[place - 1] as number) < index - 1;
    return gap ? [{ text: '---', line: 0 }, line] : [line];
  });
}

function fitBudget(
  parts: readonly Part[],
  shown: string,
  most: number,
  count: (text: string) => number,
  notes: string[],
): View {
  const cut = withinTokens(
    parts.map((part) => part.text),
    shown,
    most,
    count,
  );
  if (cut.lines === parts.length && cut.chars === undefined) return { text: shown, notes };
  const line = parts.slice(cut.lines).find((part) => part.line > 0)?.line;
  if (cut.chars !== undefined)
    notes.push(`[line ${line} was cut at character ${commas(cut.chars)}]`);
  const rest = cut.chars === undefined ? line : (line ?? 0) + 1;
  if (rest === undefined) return { text: `${cut.text}\n`, notes };
  notes.push(`[cut to ${commas(most)} tokens] next: --lines ${rest}-`);
  return { text: `${cut.text}\n`, notes, next: { line: rest } };
}
