import { safe } from '../report/safe.ts';

const MOST = 60;

/** Text of the command line as an error may name it: one line, nothing that a terminal obeys, at most 60 characters. */
export function shown(text: string): string {
  if (text === '') return '""';
  // Two units make a character at most: what the slice may cut in half lies behind the limit.
  const escaped = safe(text.slice(0, 4 * MOST)).replace(BREAKS, escapeUnit);
  const points = Array.from(escaped);
  return points.length <= MOST ? escaped : `${points.slice(0, MOST - 1).join('')}…`;
}

// Line separators that are no control characters, and halves of a pair, which are no text in UTF-8.
const BREAKS = /[\u2028\u2029]|\p{Cs}/gu;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16)}`;
}
