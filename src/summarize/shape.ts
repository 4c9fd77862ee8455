/** Any word with a digit in it: counters, times, hashes and ids alike. */
const NUMBERED = /\b\w*\d\w*/g;

/** What is left of a time stamp or a counter at the front once numbers are folded. */
const LEAD = /^[^\p{L}_{[<"/]+/u;

const KIN_WORDS = 3;

/**
 * A line's family: its first words with numbers, ids, times and paths folded, so that the lines of one log
 * statement, one listing or one progress display share it while a line that stands alone does not.
 */
export function kinOf(head: string): string {
  const folded = head.slice(0, 160).replace(NUMBERED, '0').replace(LEAD, '');
  const words = folded.split(/\s+/, KIN_WORDS);
  return words.map((word) => (/[/\\]/.test(word) ? '/' : word.slice(0, 24))).join(' ');
}
