/** How much of some lines fits a budget of tokens. */
export interface Cut {
  readonly text: string;
  /** Whole lines that fit. */
  readonly lines: number;
  /** Set when the first line alone is too long: characters of it that fit. */
  readonly chars?: number;
}

/** The longest start of the lines within the budget, cut at a line end; only a single too long line is cut itself. */
export function withinTokens(
  lines: readonly string[],
  joined: string,
  most: number,
  count: (text: string) => number,
): Cut {
  // A token is at most 128 bytes in every encoding, so that longer texts need no count.
  if (joined.length <= most || count(joined.slice(0, most * 128)) <= most) {
    if (joined.length <= most * 128) return { text: joined, lines: lines.length };
  }
  const fits = largest(0, lines.length - 1, (size) => tokens(lines, size, most, count) <= most);
  if (fits > 0) return { text: lines.slice(0, fits).join('\n'), lines: fits };
  const [first = ''] = lines;
  const chars = graphemeEnd(
    first,
    largest(0, Math.min(first.length, most * 128), (size) => count(first.slice(0, size)) <= most),
  );
  return { text: first.slice(0, chars), lines: 0, chars };
}

function tokens(
  lines: readonly string[],
  size: number,
  most: number,
  count: (text: string) => number,
): number {
  const text = lines.slice(0, size).join('\n');
  return text.length > most * 128 ? Number.POSITIVE_INFINITY : count(text);
}

/** Largest size that passes, for a test that holds up to some size and not beyond. */
function largest(low: number, high: number, passes: (size: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (passes(middle)) from = middle;
    else to = middle - 1;
  }
  return from;
}

function graphemeEnd(text: string, end: number): number {
  const from = Math.max(0, end - 64);
  let border = from;
  for (const { index } of new Intl.Segmenter('en').segment(text.slice(from, end + 64))) {
    if (from + index > end) break;
    border = from + index;
  }
  return border > 0 ? border : end;
}
