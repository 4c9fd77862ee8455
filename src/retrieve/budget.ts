import { graphemeEnd } from './grapheme.ts';
import { content, type Row } from './rows.ts';

/** How much of some rows fits a budget of tokens. */
export interface Cut {
  readonly text: string;
  /** Rows that are shown, the one that is cut included. */
  readonly rows: number;
  /** Set when the first row alone is too long: characters of its line that are shown, in UTF-16 units. */
  readonly chars?: number;
}

/** The longest start of the rows within the budget, cut at a line end; only a single too long line is cut itself. */
export function withinTokens(
  rows: readonly Row[],
  budget: number,
  count: (text: string) => number,
): Cut {
  const text = rows.map((row) => row.text).join('');
  const ends = [0];
  for (const row of rows) ends.push((ends.at(-1) as number) + row.text.length);
  const length = (size: number) => ends[size] as number;
  const lines: Steps = { most: rows.length, length, sizeAt: (chars) => lastUpTo(ends, chars) };
  const whole = largestFit(lines, (size) => cost(text, length(size), budget, count), budget);
  const [first] = rows;
  if (whole > 0 || first === undefined) return { text: text.slice(0, length(whole)), rows: whole };
  const shown = lineStart(first, budget, count);
  const chars = Math.max(0, shown - first.ours);
  // With nothing of the line to show, our own characters before it would only mislead.
  return { text: chars === 0 ? '' : first.text.slice(0, shown), rows: 1, chars };
}

/** Tokens of a start of the text; estimated from a part of it where that alone is beyond the budget. */
function cost(text: string, end: number, budget: number, count: (text: string) => number): number {
  // A single line may be megabytes long.
  for (let probe = Math.max(16, 16 * budget); probe < end; probe *= 4) {
    const tokens = count(text.slice(0, probe));
    if (tokens > budget) return (tokens * end) / probe;
  }
  return count(text.slice(0, end));
}

/** How many characters of a too long row fit: up to a grapheme border, its line end left out. */
function lineStart(row: Row, budget: number, count: (text: string) => number): number {
  const text = row.text.slice(0, row.ours + content(row).length);
  const chars: Steps = { most: text.length, length: (size) => size, sizeAt: Math.floor };
  let end = graphemeEnd(
    text,
    largestFit(chars, (size) => count(text.slice(0, size)), budget),
  );
  // A shorter text may have more tokens: half of a word is often two of them.
  while (end > 0 && count(text.slice(0, end)) > budget) end = graphemeEnd(text, end - 1);
  return end;
}

/** Sizes that a text can be cut to, from 0 to the most, and their lengths in characters, ascending. */
interface Steps {
  readonly most: number;
  readonly length: (size: number) => number;
  /** The largest size of at most this length. */
  readonly sizeAt: (chars: number) => number;
}

/** Guesses by the characters of a token before sizes are halved; a count reads all of its text. */
const GUESSES = 6;

/** The largest size within the budget. Texts far beyond it are never counted. */
function largestFit(steps: Steps, tokensOf: (size: number) => number, budget: number): number {
  let low = 0;
  let used = 0;
  let high = steps.most;
  let ratio = 4;
  for (let step = 0; low < high; step += 1) {
    const reach = steps.length(low) + (budget - used) * ratio;
    const twice = steps.sizeAt(2 * steps.length(low) + 4 * budget);
    const size =
      step < GUESSES ? steps.sizeAt(reach) : Math.min(twice, Math.ceil((low + high) / 2));
    const guess = Math.min(high, Math.max(low + 1, size));
    const tokens = tokensOf(guess);
    ratio = steps.length(guess) / Math.max(1, tokens);
    if (tokens > budget) high = guess - 1;
    else {
      low = guess;
      used = tokens;
    }
  }
  return low;
}

/** Index of the last value of at most `limit`; the values ascend from 0. */
function lastUpTo(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((values[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
