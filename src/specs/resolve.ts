import type { Amount } from './spec.ts';

/**
 * An amount in the unit of the whole: a count as it is, a share unrounded but free of the dust of binary
 * fractions (70% of 10 is 7, not 7.000000000000001).
 */
export function resolveAmount(amount: Amount, whole: number): number {
  if ('count' in amount) return amount.count;
  // A percent has six decimals at most, so this product is a whole number and the one division is exact.
  return (Math.round(amount.percent * 1e6) * whole) / 1e8;
}

/** blockThreshold in tokens: a count as it is, a share of the window rounded down. */
export function blockThresholdTokens(amount: Amount, windowTokens: number): number {
  return Math.floor(resolveAmount(amount, windowTokens));
}

/** Whether the used tokens reach the condition; equality fires. */
export function utilizationReached(
  amount: Amount,
  usedTokens: number,
  windowTokens: number,
): boolean {
  return usedTokens >= resolveAmount(amount, windowTokens);
}

/** How many of the matching messages preserveRecent protects: a share is rounded up. */
export function protectedCount(amount: Amount, matching: number): number {
  return Math.min(matching, Math.ceil(resolveAmount(amount, matching)));
}
