import type { Amount } from './spec.ts';

/** blockThreshold in tokens: a count as it is, a share of the window rounded down. */
export function blockThresholdTokens(amount: Amount, windowTokens: number): number {
  return 'count' in amount ? amount.count : Math.floor(shareOf(amount.percent, windowTokens));
}

/** Whether the used tokens reach the condition; equality fires. */
export function utilizationReached(
  amount: Amount,
  usedTokens: number,
  windowTokens: number,
): boolean {
  return usedTokens >= ('count' in amount ? amount.count : shareOf(amount.percent, windowTokens));
}

/** How many of the matching messages preserveRecent protects: a share is rounded up. */
export function protectedCount(amount: Amount, matching: number): number {
  return 'count' in amount ? amount.count : Math.ceil(shareOf(amount.percent, matching));
}

/** Percent times whole, without the dust of binary fractions (70% of 10 is 7, not 7.000000000000001). */
function shareOf(percent: number, whole: number): number {
  return Number(((percent * whole) / 100).toFixed(6));
}
