import { usageError } from '../errors.ts';
import { shown } from './shown.ts';
import type { Amount } from './spec.ts';

export type Condition = 'blockThreshold' | 'contextUtilization' | 'preserveRecent' | 'threshold';

interface Rule {
  /** What a count counts. */
  readonly unit: string;
  readonly least: number;
  /** Why "0%" and "100%" are refused; absent where they are accepted. */
  readonly zero?: string;
  readonly full?: string;
}

const RULES: Readonly<Record<Condition, Rule>> = {
  blockThreshold: {
    unit: 'tokens',
    least: 1,
    zero: 'would select every size',
    full: 'could never select anything',
  },
  contextUtilization: { unit: 'conversation tokens', least: 1000, zero: 'would always hold' },
  preserveRecent: { unit: 'messages', least: 0, full: 'would protect everything' },
  threshold: { unit: 'conversation tokens', least: 1, zero: 'could never be reached' },
};

// Six decimals are written back without an exponent, and are exact in the shares of resolve.ts.
const PERCENT = /^(\d+(?:\.\d{1,6})?)%$/;
const DECIMAL = /^\d*\.\d+$/;
const WHOLE = /^\d+$/;

/**
 * Reads a condition's value: a whole number counts in the condition's unit, "N%" is a share of the whole.
 * @throws CtxError with exit 2 that says what to write.
 */
export function parseAmount(name: Condition, text: string): Amount {
  const rule = RULES[name];
  const percent = PERCENT.exec(text)?.[1];
  if (percent !== undefined) return parsePercent(name, rule, text, Number(percent));
  if (WHOLE.test(text)) return parseCount(name, rule, text);
  if (DECIMAL.test(text)) {
    throw usageError(
      `${name}=${shown(text)}: decimals are not accepted`,
      decimalHint(rule, Number(text)),
    );
  }
  throw usageError(`${name}=${shown(text)} is no amount`, anyHint(rule));
}

/** An amount as it is written. */
export function formatAmount(amount: Amount): string {
  return 'count' in amount ? String(amount.count) : `${amount.percent}%`;
}

function parsePercent(name: Condition, rule: Rule, text: string, percent: number): Amount {
  const why = refusal(rule, percent);
  if (why === undefined) return { percent };
  const bound = rule.full === undefined ? 'up to 100%' : 'below 100%';
  const above = rule.zero === undefined ? 'from 0%' : 'above 0%';
  throw usageError(
    `${name}=${shown(text)} ${why}`,
    `write a share ${above} and ${bound}, or a whole number of ${rule.unit}`,
  );
}

function parseCount(name: Condition, rule: Rule, text: string): Amount {
  const count = Number(text);
  if (count < rule.least)
    throw usageError(
      `${name}=${shown(text)} is too small: a number counts ${rule.unit}`,
      smallHint(name, rule, count),
    );
  if (!Number.isSafeInteger(count))
    throw usageError(`${name}=${shown(text)} is too large`, anyHint(rule));
  return { count };
}

/** Why a share is refused, or undefined. */
function refusal(rule: Rule, percent: number): string | undefined {
  if (percent === 0) return rule.zero;
  if (percent === 100) return rule.full;
  return percent > 100 ? 'is more than the whole' : undefined;
}

/** A small count of the utilization was meant as a share, and 1 is the whole in the old spelling. */
function smallHint(name: Condition, rule: Rule, count: number): string {
  if (name !== 'contextUtilization' || count === 0 || count > 100)
    return `write at least ${rule.least}`;
  const whole = count === 1 ? ', for the whole window "100%"' : '';
  return `for a share write "${count}%"${whole}; a number counts ${rule.unit}, at least ${rule.least}`;
}

/** What a decimal was meant as: a fraction, a count with a needless point, or a percent without its sign. */
function decimalHint(rule: Rule, value: number): string {
  const percent = Number((value * 100).toFixed(6));
  if (refusal(rule, percent) === undefined) return `write "${percent}%"`;
  if (Number.isSafeInteger(value) && value >= rule.least) return `write ${value}`;
  const share = Number(value.toFixed(6));
  return share > 1 && refusal(rule, share) === undefined
    ? `for a share write "${share}%"`
    : anyHint(rule);
}

function anyHint(rule: Rule): string {
  return `write a whole number of ${rule.unit}, or a share such as "50%"`;
}
