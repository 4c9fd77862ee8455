import { usageError } from '../errors.ts';
import { commas } from '../marker/marker.ts';
import type { Report } from '../report/report.ts';
import { safe } from '../report/safe.ts';
import type { Amount } from '../specs/spec.ts';

export type Limit = { readonly tokens: number } | { readonly percent: number };

/** `150000`, `150k` or `80%` (of the window). @throws CtxError with exit 2. */
export function parseLimit(text: string): Limit {
  const amount = parseTokens('--fail-if-over', text, 'of the window');
  return 'count' in amount ? { tokens: amount.count } : amount;
}

/** A number of tokens or a share. @throws CtxError with exit 2. */
export function parseTokens(flag: string, text: string, whole = 'of the message tokens'): Amount {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (percent !== null) return { percent: Number(percent[1]) };
  const count = countOf(text);
  if (count !== undefined) return { count };
  throw usageError(
    `${flag} ${safe(text.slice(0, 40))}: not a number of tokens`,
    `write 150000, 150k or 80% (${whole})`,
  );
}

/** A number of tokens. @throws CtxError with exit 2. */
export function parseCount(flag: string, text: string): number {
  const count = countOf(text);
  if (count !== undefined) return count;
  throw usageError(
    `${flag} ${safe(text.slice(0, 40))}: not a number of tokens`,
    'write 5000 or 5k',
  );
}

function countOf(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)([km])?$/.exec(text.replaceAll(/[,_]/g, '').toLowerCase());
  const unit = { k: 1000, m: 1_000_000 }[found?.[2] ?? ''] ?? 1;
  return found === null ? undefined : Math.round(Number(found[1]) * unit);
}

/** The line that says by how much a report is over the limit; undefined when it is not. */
export function overLimit(report: Report, limit: Limit): string | undefined {
  const most =
    'tokens' in limit ? limit.tokens : Math.floor((limit.percent / 100) * report.window.tokens);
  if (report.tokens.after <= most) return undefined;
  const share = 'percent' in limit ? ` (${limit.percent}% of ${commas(report.window.tokens)})` : '';
  return `${report.input.path}: ${commas(report.tokens.after)} tokens are over the limit of ${commas(most)}${share}`;
}
