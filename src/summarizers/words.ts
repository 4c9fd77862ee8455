import { usageError } from '../errors.ts';

/**
 * The words of a command line: split at white space; `'…'` takes everything as it stands, `"…"` all but `\"` and
 * `\\`, and a backslash outside of quotes takes the next character as it stands. Nothing is expanded.
 * Throws a usage error for a quote that is not closed and for a backslash at the end.
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let rest = line;
  while (rest !== '') {
    const piece = pieceOf(rest, line);
    rest = rest.slice(piece.length);
    if (piece.text !== undefined) {
      word = (word ?? '') + piece.text;
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

interface Piece {
  /** Undefined for white space. */
  readonly text: string | undefined;
  readonly length: number;
}

const FORMS: readonly {
  readonly form: RegExp;
  readonly text: (found: string) => string | undefined;
}[] = [
  { form: /^\s+/u, text: () => undefined },
  { form: /^'[^']*'/u, text: (found) => found.slice(1, -1) },
  {
    form: /^"(?:[^"\\]|\\[\s\S])*"/u,
    text: (found) => found.slice(1, -1).replaceAll(/\\(["\\])/g, '$1'),
  },
  { form: /^\\[\s\S]/u, text: (found) => found.slice(1) },
  { form: /^[^\s'"\\]+/u, text: (found) => found },
];

function pieceOf(rest: string, line: string): Piece {
  for (const { form, text } of FORMS) {
    const found = form.exec(rest)?.[0];
    if (found !== undefined) return { text: text(found), length: found.length };
  }
  const what = rest.startsWith('\\') ? 'a backslash at the end' : `a ${rest[0]} that is not closed`;
  throw usageError(
    `--summarizer: ${what} in the command line, at character ${line.length - rest.length + 1}`,
    'quote as in a shell; put a backslash itself into single quotes',
  );
}
