import { usageError } from '../errors.ts';
import { commas } from '../marker/marker.ts';
import { type Report, tokensInWindow } from '../report/report.ts';

export type Limit = { readonly tokens: number } | { readonly percent: number };

/** `150000`, `150k` or `80%` (of the window). */
export function parseLimit(text: string): Limit {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (percent !== null) return { percent: Number(percent[1]) };
  const plain = text.replaceAll(/[,_]/g, '').toLowerCase();
  const count = /^(\d+(?:\.\d+)?)([km])?$/.exec(plain);
  if (count === null)
    throw usageError(
      `--fail-if-over ${text}: not a number of tokens`,
      'write 150000, 150k or 80% (of the window)',
    );
  const unit = { k: 1000, m: 1_000_000 }[count[2] ?? ''] ?? 1;
  return { tokens: Math.round(Number(count[1]) * unit) };
}

/** The line that says by how much a report is over the limit; undefined when it is not. */
export function overLimit(report: Report, limit: Limit): string | undefined {
  const most =
    'tokens' in limit ? limit.tokens : Math.floor((limit.percent / 100) * report.window.tokens);
  const { after } = tokensInWindow(report.tokens);
  if (after <= most) return undefined;
  const { fullest } = report.tokens;
  const where = fullest === undefined ? '' : `, ${fullest.conversation}`;
  const share = 'percent' in limit ? ` (${limit.percent}% of ${commas(report.window.tokens)})` : '';
  return `${report.input.path}${where}: ${commas(after)} tokens are over the limit of ${commas(most)}${share}`;
}
