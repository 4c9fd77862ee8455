import type { Candidate } from './lines.ts';

export interface Selection {
  readonly maxTokens: number;
  readonly count: (text: string) => number;
  /** The text that a choice of lines makes. */
  readonly join: (chosen: readonly Candidate[]) => string;
}

/** So many lines in a row that do not fit mean that the budget is spent. */
const MISSES = 48;

/**
 * Takes lines from best to worst while they fit. Each line is counted once, by itself; the sum is close to the
 * count of the joined text but not a bound of it, so the text is counted in the end and the worst lines go until
 * it fits. The counting done is in proportion to the budget, not to the input.
 */
export function selectWithin(ranked: readonly Candidate[], selection: Selection): Candidate[] {
  const { count, maxTokens } = selection;
  const chosen: Candidate[] = [];
  const costs: number[] = [];
  let left = maxTokens;
  let misses = 0;
  for (const line of ranked) {
    const cost = Math.max(1, count(`${line.text}\n`));
    if (cost <= left || (chosen.length === 0 && count(line.text) <= maxTokens)) {
      chosen.push(line);
      costs.push(cost);
      left -= cost;
      misses = 0;
    } else {
      misses += 1;
    }
    if (left <= 0 || misses >= MISSES) break;
  }
  return dropUntilItFits(chosen, costs, selection);
}

/** Each round drops at least the excess, and twice as many lines as the round before, so that rounds stay few. */
function dropUntilItFits(chosen: Candidate[], costs: number[], selection: Selection): Candidate[] {
  for (let atLeast = 1; chosen.length > 0; atLeast *= 2) {
    let excess = selection.count(selection.join(chosen)) - selection.maxTokens;
    if (excess <= 0) break;
    for (let dropped = 0; chosen.length > 0 && (dropped < atLeast || excess > 0); dropped += 1) {
      chosen.pop();
      excess -= costs.pop() ?? 0;
    }
  }
  return chosen;
}
