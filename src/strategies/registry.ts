import type { StrategySpec } from '../specs/spec.ts';
import { drop } from './drop.ts';
import type { Strategy } from './strategy.ts';
import { summarize } from './summarize.ts';
import { truncate } from './truncate.ts';

/** Every strategy. A new one is a file and a line here. */
const STRATEGIES: readonly Strategy[] = [drop, truncate, summarize];

export function strategyFor(spec: StrategySpec): Strategy {
  return STRATEGIES.find((strategy) => strategy.method === spec.method) as Strategy;
}
