import { entitiesOf } from './entities.ts';
import type { ErrorKind } from './errors.ts';
import type { Noise } from './noise.ts';
import type { ProseKind } from './prose.ts';
import type { SourceKind } from './source.ts';

/** The worth of a line that says nothing in particular, by whose it is, and of the sentences that do. */
export const PLAIN: Readonly<Record<SourceKind, number>> = {
  user: 78,
  assistant: 24,
  thinking: 10,
  call: 42,
  tool: 8,
  injected: 4,
};

export const PROSE: Readonly<Record<SourceKind, Readonly<Record<ProseKind, number>>>> = {
  user: { rule: 110, decision: 95, open: 90, done: 80 },
  assistant: { rule: 24, decision: 76, open: 64, done: 48 },
  thinking: { rule: 10, decision: 40, open: 30, done: 18 },
  call: { rule: 42, decision: 42, open: 42, done: 42 },
  tool: { rule: 10, decision: 20, open: 22, done: 14 },
  injected: { rule: 20, decision: 12, open: 12, done: 6 },
};

/** What a sentence that says outright that something is settled is worth more. */
export const DECIDED: Readonly<Record<SourceKind, number>> = {
  user: 0,
  assistant: 14,
  thinking: 8,
  call: 0,
  tool: 16,
  injected: 6,
};

export const ERRORS: Readonly<Record<ErrorKind, number>> = {
  strong: 82,
  exit: 74,
  weak: 30,
  'exit-ok': 6,
};

export const NOISE: Readonly<Record<Exclude<Noise, 'worthless'>, number>> = {
  listing: 1.6,
  progress: 2,
  info: 5,
  frame: 8,
};

/** What ids, paths and figures add: the first of each kind most. */
export function named(line: string, weight: number): number {
  const { ids, paths, figures } = entitiesOf(line);
  const each = [worth(ids, 26), worth(paths, 22), worth(figures, 22)];
  const most = Math.max(...each);
  const all = each.reduce((sum, one) => sum + one, 0);
  return (most + (all - most) * 0.3) * weight;
}

function worth(hits: number, first: number): number {
  return hits === 0 ? 0 : first + Math.min(hits - 1, 2) * 4;
}
