import { commentOf, worthOfComment } from './comments.ts';
import type { Before } from './context.ts';
import { entitiesOf } from './entities.ts';
import { errorOf } from './errors.ts';
import type { Standing } from './family.ts';
import { type Noise, noiseOf } from './noise.ts';
import { isDecided, proseOf } from './prose.ts';
import type { ItemTraits, Row } from './rows.ts';
import type { Source } from './source.ts';
import { DECIDED, ERRORS, NOISE, named, PLAIN, PROSE } from './worth.ts';

/** What a line is worth. */
export interface Verdict {
  readonly score: number;
  /** How many lines of the same family halve the score. */
  readonly half: number;
  readonly error: boolean;
}

/** What is known of the item a line stands in. */
export interface LineContext {
  readonly source: Source;
  readonly traits: Pick<ItemTraits, 'code'>;
  readonly rows: number;
}

/** What is known of the line's place in its item. */
export interface LinePlace extends Before {
  readonly first: boolean;
  readonly last: boolean;
  readonly standing: Standing;
  /** Without a line number among numbered lines: not of the file that was read. */
  readonly foreign: boolean;
}

/** What classification reads of a line. */
export type ClassifiedRow = Pick<Row, 'head' | 'code'>;

const LIKE_OTHERS: ReadonlySet<Standing> = new Set(['typical', 'shared']);

const NOTHING: Verdict = { score: 0, half: 1, error: false };

/** Scores one line by its form and its words. */
export function classifyLine(row: ClassifiedRow, context: LineContext, place: LinePlace): Verdict {
  const line = row.head.trim();
  const noise = noiseOf(line);
  if (noise === 'worthless') return NOTHING;
  const { kind, bonus } = context.source;
  if (kind === 'call') return { score: 42 + named(line, 0.3), half: 40, error: false };
  if (kind === 'tool') return toolLine(row, noise, context, place);
  const prose = proseOf(line, kind === 'user' || kind === 'injected');
  // Sentences end like code now and then; one that rules or decides is never taken for it.
  if (row.code && prose === undefined) {
    return { score: kind === 'user' ? 40 : 5, half: 6, error: false };
  }
  const base = prose === undefined ? PLAIN[kind] : PROSE[kind][prose];
  const own = kind === 'user' || kind === 'assistant';
  const error = errorOf(line);
  const reported = own && error !== undefined && error !== 'exit-ok' ? ERRORS[error] - 14 : 0;
  const decided = prose !== undefined && isDecided(line) ? DECIDED[kind] : 0;
  const score = Math.max(base + decided, reported) + named(line, own ? 1 : 0.4) + bonus;
  const half = own ? 60 : 15;
  return { score: noise === undefined ? score : score / 2, half, error: false };
}

function toolLine(
  row: ClassifiedRow,
  noise: Exclude<Noise, 'worthless'> | undefined,
  context: LineContext,
  place: LinePlace,
): Verdict {
  const { head } = row;
  const line = head.trim();
  const error = errorOf(line);
  if (place.afterTrace && !/^\s/.test(head) && noise === undefined) return failure(86, context);
  const told = row.code || context.traits.code ? commentWorth(head, place) : 0;
  if (row.code || told > 0) {
    return { score: Math.max(3 + entitiesOf(line).ids * 8, told), half: 8, error: false };
  }
  // What most lines say is a column or a field by that name, or known after the first of them.
  const news = place.standing === 'typical' ? 0.5 : 1;
  const first = context.source.failed && place.errors === 0 ? 8 : 0;
  if (noise !== 'listing' && (error === 'strong' || error === 'exit')) {
    return failure(ERRORS[error] * news + first + named(line, 0.2), context);
  }
  if (context.source.failed && place.first) return failure(60, context);
  if (place.detail && noise === undefined) {
    return { ...failure(62 + named(line, 0.2), context), error: false };
  }
  if (noise !== undefined && noise !== 'info') {
    const extra = noise === 'frame' ? named(line, 0.1) : 0;
    return { score: NOISE[noise] + extra, half: 2, error: false };
  }
  const prose = proseOf(line, false);
  const base = noise === 'info' ? NOISE.info : prose === undefined ? PLAIN.tool : PROSE.tool[prose];
  const weak = error === 'weak' ? ERRORS.weak : 0;
  const lone = place.standing === 'lone';
  const standing = (lone ? 16 : 0) + (place.last ? 4 : 0) + (context.rows <= 3 ? 10 : 0);
  const decided = prose === 'decision' && isDecided(line) ? DECIDED.tool : 0;
  // A log names something in each line; what a line that stands alone names is told by no other.
  const weight = noise === 'info' && !lone ? 0.5 : 1;
  const said = Math.max(base + decided, weak) + named(line, weight) + standing;
  const score =
    said * news * inCode(head, context, place) * brevity(line) + context.source.bonus / 2;
  return { score, half: 12, error: false };
}

/** Comments that are all made alike are a habit of the file. */
function commentWorth(head: string, place: LinePlace): number {
  const comment = LIKE_OTHERS.has(place.standing) ? undefined : commentOf(head);
  return comment === undefined ? 0 : worthOfComment(comment);
}

/** What a line of a source file is worth of what it seems to say: comments and strings seem to say a lot. */
function inCode(head: string, context: LineContext, place: LinePlace): number {
  if (!context.traits.code || place.foreign) return 1;
  return /^(?:\s|#|\*|\/)/.test(head) ? 0.3 : 0.7;
}

/** A long line costs more than it says. */
function brevity(line: string): number {
  return line.length <= 120 ? 1 : Math.sqrt(120 / line.length);
}

function failure(score: number, context: LineContext): Verdict {
  return {
    score: score * (context.traits.code ? 0.7 : 1) + context.source.bonus,
    half: 40,
    error: true,
  };
}
