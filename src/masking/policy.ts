import { blockThresholdTokens } from '../specs/resolve.ts';
import type { Amount, MaskingOptions, StrategySpec } from '../specs/spec.ts';

/** Every option of the masking family with its value. */
export type Policy = Required<Omit<MaskingOptions, 'threshold' | 'repair' | 'timeoutMs'>> & {
  readonly threshold: Amount | undefined;
};

/** The defaults of observation masking and structured summary (masking and summary, sections 3.1, 4.1 and 5). */
const DEFAULTS: Omit<Policy, 'threshold'> = {
  preserveRecentTurns: 2,
  preserveRecentMessages: 4,
  minObservationTokens: 256,
  minTokensSaved: 32,
  maxSourceTokens: 8192,
  passes: 'auto',
  groupMixedEffect: 'allow',
  maskErrors: false,
  strictSignatures: false,
  maxSummaryTokens: 1024,
  fallback: 'mask',
  mergeCapsules: false,
  summarizeInlineText: false,
  toolResultSizeThreshold: 1024,
  maxToolPairs: 10,
};

/** Tokens that are kept free for the reply: the goal of `threshold` is a share of the rest (section 2). */
const RESPONSE_RESERVE = 4096;

export function policyOf(spec: StrategySpec): Policy {
  return { ...DEFAULTS, threshold: undefined, ...spec };
}

/**
 * Tokens to free until `threshold` is met; Infinity without one, 0 or less when it is met already. A share is
 * one of the window less the reserve for the reply, rounded down; a count is the tokens to come down to.
 */
export function tokensToFree(used: number, policy: Policy, window: number): number {
  const { threshold } = policy;
  if (threshold === undefined) return Number.POSITIVE_INFINITY;
  const available = 'count' in threshold ? threshold.count : window - RESPONSE_RESERVE;
  return used - Math.max(0, blockThresholdTokens(threshold, available));
}
