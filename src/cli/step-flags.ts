import { methodsOf } from '../specs/methods.ts';

/** Flags whose value may be left out: such a step has all its options by default. */
const BARE_STEPS: readonly string[] = [...methodsOf('cleaner'), ...methodsOf('masking')].map(
  (method) => `--${method}`,
);

/** What can only be the options of such a flag, and not the file after it. */
const OPTIONS = /^(?:observations(?::|$)|[A-Za-z]\w*=)/;

/**
 * Ties each such flag to its value, or to none: `--mask session.jsonl` names a file, `--mask 'passes=1'` an option.
 * Commander alone would take whatever follows.
 */
export function bindStepFlags(argv: readonly string[]): string[] {
  const bound: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    if (word === '--') return [...bound, ...argv.slice(at)];
    if (!BARE_STEPS.includes(word)) {
      bound.push(word);
      continue;
    }
    const next = argv[at + 1];
    const taken = next !== undefined && OPTIONS.test(next);
    bound.push(`${word}=${taken ? next : ''}`);
    if (taken) at += 1;
  }
  return bound;
}
