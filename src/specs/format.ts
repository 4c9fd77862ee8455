import { formatAmount } from './amount.ts';
import { METHODS } from './methods.ts';
import { type OptionName, READERS } from './option-table.ts';
import type { StrategySpec } from './spec.ts';
import { formatTarget } from './target.ts';

/** A spec as it can be pasted back: `toolResults:previewTokens=1000,blockThreshold=2500`. */
export function formatSpec(spec: StrategySpec): string {
  const names = Object.keys(READERS) as OptionName[];
  const written = names.flatMap((name) => {
    const value = spec[name];
    if (value === undefined) return [];
    return [`${name}=${typeof value === 'object' ? formatAmount(value) : value}`];
  });
  // What a cleaner takes is in its name.
  if (METHODS[spec.method].family === 'cleaner') return written.join(',');
  const target = formatTarget(spec.target);
  return written.length === 0 ? target : `${target}:${written.join(',')}`;
}

/** The spec as a flag, quoted for a shell: `--drop 'toolResults:preserveRecent=5'`. */
export function formatFlag(spec: StrategySpec): string {
  if (formatSpec(spec) === '') return `--${spec.method}`;
  return `--${spec.method} '${formatSpec(spec).replaceAll("'", `'\\''`)}'`;
}
