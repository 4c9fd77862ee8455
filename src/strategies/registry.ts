import type { StrategySpec } from '../specs/spec.ts';
import { algorithmic } from './algorithmic.ts';
import { drop } from './drop.ts';
import { mask } from './mask.ts';
import { nativeHistory } from './native-history.ts';
import type { Strategy } from './strategy.ts';
import { structuredSummary } from './structured-summary.ts';
import { summarize } from './summarize.ts';
import { truncate } from './truncate.ts';

/** Every strategy. A new one is a file and a line here. */
const STRATEGIES: readonly Strategy[] = [
  drop,
  truncate,
  summarize,
  mask,
  structuredSummary,
  algorithmic,
  nativeHistory,
];

export function strategyFor(spec: StrategySpec): Strategy {
  return STRATEGIES.find((strategy) => strategy.method === spec.method) as Strategy;
}
