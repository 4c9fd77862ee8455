/** Any word with a digit in it: counters, times, hashes and ids alike. */
const NUMBERED = /\b\w*\d\w*/g;

/** What is left of a time stamp or a counter at the front once numbers are folded. */
const LEAD = /^[^\p{L}_{[<"/]+/u;

/** Paths under one folder are one family. */
const ROOT = /^[^/\\]{0,24}[/\\][^/\\]{0,24}/;

const LETTERS = /[\p{L}_]+/gu;

const KIN_WORDS = 3;

const FORM_WORDS = 4;

/**
 * A line's family: its first words with numbers, ids, times and paths folded, so that the lines of one log
 * statement, one listing or one progress display share it while a line that stands alone does not.
 */
export function kinOf(head: string): string {
  const folded = head.slice(0, 160).replace(NUMBERED, '0').replace(LEAD, '');
  const words = folded.split(/\s+/, KIN_WORDS);
  return words.map((word) => (ROOT.exec(word)?.[0] ?? word).slice(0, 24)).join(' ');
}

/**
 * A line's layout: its first words with letters and numbers folded and the punctuation kept. The rows of a table,
 * a listing or a settings file share it though each starts with another word.
 */
export function formOf(head: string): string {
  const folded = head.slice(0, 120).trim().replace(NUMBERED, '0').replace(LETTERS, 'a');
  const words = folded.split(/\s+/, FORM_WORDS);
  return words.map((word) => (/[/\\]\S*[/\\]/.test(word) ? '/' : word.slice(0, 24))).join(' ');
}
