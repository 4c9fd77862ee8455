import { createRequire } from 'node:module';
import { usageError } from '../errors.ts';
import { safe } from '../report/safe.ts';

/** In UTF-16 units (offload semantics, section 9). */
const LONGEST = 200;
const require = createRequire(import.meta.url);

/** A test for lines, in linear time whatever the pattern. */
export interface LineTest {
  readonly test: (line: string) => boolean;
  /** Set when the pattern is no regular expression and is searched as it is written. */
  readonly literal: boolean;
}

/**
 * Compiles a pattern of RE2 syntax; what is no regular expression is searched literally. Case-sensitive.
 * @throws CtxError with exit 2 for a pattern that is too long.
 */
export function lineTest(pattern: string): LineTest {
  if (pattern.length > LONGEST) {
    throw usageError(
      `the pattern ${safe(pattern.slice(0, 40))}… is longer than ${LONGEST} characters`,
      'search for a part of it',
    );
  }
  // Loaded here: most originals are fetched whole, and the library costs more than the rest of the command.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  try {
    const compiled = RE2JS.compile(pattern);
    return { literal: false, test: (line) => compiled.test(line) };
  } catch {
    return { literal: true, test: (line) => line.includes(pattern) };
  }
}
