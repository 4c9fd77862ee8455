import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockThresholdTokens,
  protectedCount,
  resolveAmount,
  utilizationReached,
} from '../../src/specs/resolve.ts';

describe('resolveAmount', () => {
  it.each([
    [{ count: 2500 }, 200_000, 2500],
    [{ percent: 5 }, 200_000, 10_000],
    [{ percent: 12.5 }, 1000, 125],
    [{ percent: 70 }, 10, 7],
    [{ percent: 0.000001 }, 200_000, 0.002],
    [{ percent: 33.3 }, 1000, 333],
    [{ percent: 100 }, 1_048_576, 1_048_576],
    [{ percent: 0 }, 7, 0],
  ])('%j of %d is %d', (amount, whole, value) => {
    expect(resolveAmount(amount, whole)).toBe(value);
  });
});

describe('blockThresholdTokens', () => {
  it('rounds a share down, so that "larger than" means larger than the share', () => {
    expect(blockThresholdTokens({ percent: 0.5001 }, 200_000)).toBe(1000);
    expect(blockThresholdTokens({ percent: 5 }, 199_999)).toBe(9999);
    expect(blockThresholdTokens({ count: 2500 }, 1000)).toBe(2500);
  });
});

describe('utilizationReached', () => {
  it.each([
    [{ percent: 85 }, 169_999, false],
    [{ percent: 85 }, 170_000, true],
    [{ percent: 100 }, 199_999, false],
    [{ percent: 100 }, 200_000, true],
    [{ percent: 33.3 }, 66_600, true],
    [{ count: 1000 }, 999, false],
    [{ count: 1000 }, 1000, true],
    [{ count: 300_000 }, 250_000, false],
    [{ count: 300_000 }, 300_000, true],
  ])('%j with %d used of 200,000 is %s: equality fires', (amount, used, reached) => {
    expect(utilizationReached(amount, used, 200_000)).toBe(reached);
  });

  it('F10: a count is compared with tokens, whatever the window', () => {
    for (const window of [1, 8192, 1_000_000])
      expect(utilizationReached({ count: 5000 }, 5000, window)).toBe(true);
  });
});

describe('protectedCount', () => {
  it.each([
    [{ percent: 70 }, 10, 7],
    [{ percent: 70 }, 11, 8],
    [{ percent: 1 }, 1, 1],
    [{ percent: 0.000001 }, 10, 1],
    [{ percent: 29 }, 100, 29],
    [{ percent: 58 }, 50, 29],
    [{ percent: 0 }, 10, 0],
    [{ percent: 99 }, 3, 3],
    [{ percent: 50 }, 0, 0],
    [{ count: 0 }, 10, 0],
    [{ count: 4 }, 10, 4],
    [{ count: 4 }, 3, 3],
  ])('%j of %d messages is %d', (amount, matching, count) => {
    expect(protectedCount(amount, matching)).toBe(count);
  });

  it('is the exact ceiling of every share', () => {
    const millionths = fc.integer({ min: 0, max: 99_999_999 });
    const property = fc.property(millionths, fc.nat(100_000), (share, matching) => {
      const exact = (BigInt(share) * BigInt(matching) + 99_999_999n) / 100_000_000n;
      expect(protectedCount({ percent: share / 1e6 }, matching)).toBe(Number(exact));
    });
    fc.assert(property, { numRuns: 2000 });
  });
});
