import { looksLikeCode } from './code.ts';
import { entitiesOf } from './entities.ts';
import { errorOf } from './errors.ts';
import { noiseOf } from './noise.ts';
import { type ProseKind, proseOf } from './prose.ts';
import type { Source, SourceKind } from './source.ts';

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
  /** Mostly source code. */
  readonly code: boolean;
  /** Mostly lines of few families. */
  readonly uniform: boolean;
  readonly rows: number;
}

/** What is known of the line's place in its item. */
export interface LinePlace {
  readonly first: boolean;
  readonly last: boolean;
  /** Like no other line of a uniform item. */
  readonly lone: boolean;
  readonly afterTrace: boolean;
  /** Error lines before it. */
  readonly errors: number;
}

const NOTHING: Verdict = { score: 0, half: 1, error: false };

/** The worth of a line that says nothing in particular, by whose it is, and of the sentences that do. */
const PLAIN: Readonly<Record<SourceKind, number>> = {
  user: 78,
  assistant: 24,
  thinking: 10,
  call: 42,
  tool: 8,
  injected: 4,
};

const PROSE: Readonly<Record<SourceKind, Readonly<Record<ProseKind, number>>>> = {
  user: { rule: 110, decision: 95, open: 90, done: 80 },
  assistant: { rule: 24, decision: 76, open: 64, done: 48 },
  thinking: { rule: 10, decision: 40, open: 30, done: 18 },
  call: { rule: 42, decision: 42, open: 42, done: 42 },
  tool: { rule: 10, decision: 20, open: 22, done: 14 },
  injected: { rule: 20, decision: 12, open: 12, done: 6 },
};

const ERRORS: Readonly<Record<'strong' | 'exit' | 'weak' | 'exit-ok', number>> = {
  strong: 82,
  exit: 74,
  weak: 30,
  'exit-ok': 6,
};

const NOISE: Readonly<Record<'listing' | 'progress' | 'info' | 'frame', number>> = {
  listing: 1.6,
  progress: 2,
  info: 5,
  frame: 8,
};

/** Scores one line by its form and its words; the line is cut to what classification may read. */
export function classifyLine(head: string, context: LineContext, place: LinePlace): Verdict {
  const line = head.trim();
  const noise = noiseOf(line);
  if (noise === 'worthless') return NOTHING;
  const { kind, bonus } = context.source;
  if (kind === 'call') return { score: 42 + named(line, 0.3), half: 40, error: false };
  if (kind === 'tool') return toolLine(line, noise, context, place);
  if (looksLikeCode(line)) return { score: kind === 'user' ? 40 : 5, half: 6, error: false };
  const prose = proseOf(line, kind === 'user' || kind === 'injected');
  const base = prose === undefined ? PLAIN[kind] : PROSE[kind][prose];
  const own = kind === 'user' || kind === 'assistant';
  const error = errorOf(line);
  const reported = own && error !== undefined && error !== 'exit-ok' ? ERRORS[error] - 14 : 0;
  const score = Math.max(base, reported) + named(line, own ? 1 : 0.4) + bonus;
  const half = own ? 60 : 15;
  return { score: noise === undefined ? score : score / 2, half, error: false };
}

function toolLine(
  line: string,
  noise: Exclude<ReturnType<typeof noiseOf>, 'worthless'>,
  context: LineContext,
  place: LinePlace,
): Verdict {
  const error = errorOf(line);
  if (place.afterTrace && noise !== 'frame' && error !== undefined) return failure(86, context);
  if (looksLikeCode(line)) {
    return { score: 3 + entitiesOf(line).ids * 8, half: 8, error: false };
  }
  const first = context.source.failed && place.errors === 0 ? 8 : 0;
  if (noise !== 'listing' && (error === 'strong' || error === 'exit')) {
    return failure(ERRORS[error] + first + named(line, 0.2), context);
  }
  if (context.source.failed && place.first) return failure(60, context);
  if (noise !== undefined && noise !== 'info') {
    const extra = noise === 'frame' ? named(line, 0.1) : 0;
    return { score: NOISE[noise] + extra, half: 2, error: false };
  }
  const prose = proseOf(line, false);
  const base = noise === 'info' ? NOISE.info : prose === undefined ? PLAIN.tool : PROSE.tool[prose];
  const weak = error === 'weak' ? ERRORS.weak : 0;
  const standing = (place.lone ? 16 : 0) + (place.last ? 4 : 0) + (context.rows <= 3 ? 10 : 0);
  const score = (Math.max(base, weak) + named(line, 1) + standing) * (context.code ? 0.4 : 1);
  return { score: score + context.source.bonus / 2, half: 12, error: false };
}

function failure(score: number, context: LineContext): Verdict {
  return { score: score * (context.code ? 0.7 : 1) + context.source.bonus, half: 40, error: true };
}

/** What ids, paths and figures add: the first of each kind most. */
function named(line: string, weight: number): number {
  const { ids, paths, figures } = entitiesOf(line);
  const sum = worth(ids, 26) + worth(paths, 22) + worth(figures, 22);
  return sum * weight;
}

function worth(hits: number, first: number): number {
  return hits === 0 ? 0 : first + Math.min(hits - 1, 2) * 4;
}
