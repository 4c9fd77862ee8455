import { entitiesOf } from './entities.ts';
import { isDecided, proseOf } from './prose.ts';
import { named } from './worth.ts';

/** What may stand before a comment: the place of a search hit, the sign of a diff, a statement that ends. */
const LEADING =
  /^(?:[\w./@+-]{1,200}[:-]\d{1,7}[:-])?\s{0,80}[+-]?\s{0,80}(?:\/\/[/!]?|#|--|;;|\/\*\*?|\*|<!--|%)\s{1,8}(?=\S)/;

const TRAILING = /[;,{})]\s{1,40}(?:\/\/|#)\s{1,4}(?=\S)/;

/** Licence and tool directives are the same in every file. */
const ROUTINE =
  /\b(?:copyright|licen[sc]ed?|spdx|all rights reserved|eslint|prettier|noqa|pylint|nolint|@(?:param|returns?|throws|type|example))\b/i;

/** Says where something is, where it comes from, or how one knows. */
const ORIGIN =
  /\b(?:see|source of|sources?:|c(?:omes?|ame) from|taken from|copied from|ported from|based on|derived from|generated (?:from|by|with)|lives? (?:in|at|under)|defined (?:in|by)|kept (?:in|at|under)|stored (?:in|at|under)|documented (?:in|at)|mirrors?|measured|observed|benchmark\w*|as of|since|until|workaround|ticket|incident|tracked|reported|owned by|owners?|contact|spec(?:ified)?|according to|peaks?|takes|took)\b/i;

/** The text of a comment in source code, without what makes it one. */
export function commentOf(head: string): string | undefined {
  const found = LEADING.exec(head) ?? TRAILING.exec(head);
  return found === null ? undefined : head.slice(found.index + found[0].length);
}

/**
 * What a comment is worth of what it says; 0 when it names nothing and decides nothing, as most of them: they
 * explain the code beside them, and are read with it.
 */
export function worthOfComment(text: string): number {
  if (ROUTINE.test(text)) return 0;
  const { ids, paths, figures } = entitiesOf(text);
  const decided = isDecided(text);
  if (!decided && ids + paths + figures === 0) return 0;
  const prose = proseOf(text, false);
  const said = ORIGIN.test(text) || prose === 'decision' || prose === 'open';
  return (decided ? 30 : said ? 14 : 4) + named(text, 0.7);
}
