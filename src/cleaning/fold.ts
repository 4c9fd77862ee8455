import { commas } from '../marker/marker.ts';
import type { KeptRange } from '../plan/decision.ts';

/** What stays of a text whose runs of equal lines are folded, and how many lines go. */
export interface Folded {
  readonly keep: readonly KeptRange[];
  readonly lines: number;
}

/**
 * Folds runs of at least `least` equal lines, and runs of lines of white space alone: the first line stays, a line in
 * brackets says how many went. Whole lines only; ranges are UTF-16 units of the text, each with its line end.
 */
export function foldLines(text: string, least: number): Folded {
  const keep: KeptRange[] = [];
  let gone = 0;
  let start = 0;
  let before = '';
  for (let at = 0; at < text.length; ) {
    const first = lineAt(text, at);
    let end = first.end;
    let count = 1;
    for (let next = lineAt(text, end); end < text.length && isSame(first, next); ) {
      end = next.end;
      count += 1;
      next = lineAt(text, end);
    }
    if (count >= least) {
      keep.push({ start, end: first.end, before });
      before = foldLine(count - 1, first.text.trim() === '');
      gone += count - 1;
      start = end;
    }
    at = end;
  }
  keep.push({ start, end: text.length, before });
  return { keep, lines: gone };
}

interface Line {
  readonly text: string;
  /** End with its line end. */
  readonly end: number;
}

function lineAt(text: string, start: number): Line {
  const at = text.indexOf('\n', start);
  const end = at < 0 ? text.length : at + 1;
  return { text: text.slice(start, end).replace(/\r?\n$/, ''), end };
}

function isSame(left: Line, right: Line): boolean {
  return left.text === right.text || (left.text.trim() === '' && right.text.trim() === '');
}

function foldLine(lines: number, blank: boolean): string {
  const noun = lines === 1 ? 'line' : 'lines';
  return `[... ${commas(lines)} more ${blank ? `blank ${noun}` : `${noun} like this`} ...]`;
}
