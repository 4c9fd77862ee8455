import { usageError } from '../errors.ts';
import { safe } from '../report/safe.ts';
import type { Amount } from './spec.ts';

export type Condition = 'blockThreshold' | 'contextUtilization' | 'preserveRecent';

interface Rule {
  readonly unit: string;
  readonly least: number;
  /** Whether "0%" and "100%" are accepted. */
  readonly zero: boolean;
  readonly full: boolean;
}

const RULES: Readonly<Record<Condition, Rule>> = {
  blockThreshold: { unit: 'tokens', least: 1, zero: false, full: false },
  contextUtilization: { unit: 'conversation tokens', least: 1000, zero: false, full: true },
  preserveRecent: { unit: 'messages', least: 0, zero: true, full: false },
};

/**
 * Reads a condition's value: a whole number counts in the condition's unit, "N%" is a share of the whole.
 * @throws CtxError with exit 2 that says what to write.
 */
export function parseAmount(name: Condition, text: string): Amount {
  const rule = RULES[name];
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (percent !== null) return { percent: checkPercent(name, rule, Number(percent[1])) };
  if (/^\d*\.\d+$/.test(text)) throw decimal(name, Number(text));
  if (!/^\d+$/.test(text))
    throw usageError(
      `${name}=${shown(text)} is no amount`,
      `write a whole number of ${rule.unit}, or a share such as 50%`,
    );
  const count = Number(text);
  if (count < rule.least || !Number.isSafeInteger(count)) throw tooSmall(name, rule, count);
  return { count };
}

/** An amount as it is written. */
export function formatAmount(amount: Amount): string {
  return 'count' in amount ? String(amount.count) : `${amount.percent}%`;
}

function checkPercent(name: Condition, rule: Rule, percent: number): number {
  if (percent === 0 && !rule.zero)
    throw usageError(`${name}=0% would mean every size`, 'write a share above 0%');
  if (percent > 100 || (percent === 100 && !rule.full)) {
    const bound = rule.full ? 'up to 100%' : 'below 100%';
    throw usageError(`${name}=${percent}% can never hold`, `write a share ${bound}`);
  }
  return percent;
}

function decimal(name: Condition, value: number): Error {
  const percent = Number((value * 100).toFixed(6));
  return usageError(`${name}=${value}: decimals are not accepted`, `write "${percent}%"`);
}

function tooSmall(name: Condition, rule: Rule, count: number): Error {
  const hint =
    name === 'contextUtilization' && count > 0 && count <= 100
      ? `for a share write "${count}%"`
      : `write at least ${rule.least}`;
  return usageError(
    `${name}=${count} is too ${count < rule.least ? 'small' : 'large'}: it counts ${rule.unit}`,
    hint,
  );
}

function shown(text: string): string {
  return text === '' ? '""' : safe(text.slice(0, 60));
}
