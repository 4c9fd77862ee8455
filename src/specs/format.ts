import { formatAmount } from './amount.ts';
import type { StrategySpec } from './spec.ts';
import { formatTarget } from './target.ts';

/** A spec as it can be pasted back: `toolResults:previewTokens=1000,blockThreshold=2500`. */
export function formatSpec(spec: StrategySpec): string {
  const options = [
    ['previewTokens', spec.previewTokens],
    ['preview', spec.preview],
    ['summaryTokens', spec.summaryTokens],
    ['blockThreshold', spec.blockThreshold],
    ['contextUtilization', spec.contextUtilization],
    ['preserveRecent', spec.preserveRecent],
  ] as const;
  const written = options.flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`${name}=${typeof value === 'object' ? formatAmount(value) : value}`];
  });
  const target = formatTarget(spec.target);
  return written.length === 0 ? target : `${target}:${written.join(',')}`;
}

/** The spec as a flag, quoted for a shell: `--drop 'toolResults:preserveRecent=5'`. */
export function formatFlag(spec: StrategySpec): string {
  return `--${spec.method} '${formatSpec(spec).replaceAll("'", `'\\''`)}'`;
}
