import { usageError } from '../errors.ts';
import { parseAmount } from './amount.ts';
import { plainName } from './names.ts';
import { shown } from './shown.ts';
import type { PreviewMode, StrategySpec } from './spec.ts';

export type Options = Omit<StrategySpec, 'method' | 'target' | 'preset'>;
export type OptionName = keyof Options;

/** How the value of each option is read. */
export const READERS: {
  readonly [Name in OptionName]-?: (text: string) => NonNullable<Options[Name]>;
} = {
  previewTokens: (text) => parseCount('previewTokens', text, 0, 'tokens'),
  preview: (text) => parseChoice('preview', text, MODES),
  summaryTokens: (text) => parseCount('summaryTokens', text, 1, 'tokens'),
  blockThreshold: (text) => parseAmount('blockThreshold', text),
  contextUtilization: (text) => parseAmount('contextUtilization', text),
  preserveRecent: (text) => parseAmount('preserveRecent', text),
  threshold: (text) => parseAmount('threshold', text),
  preserveRecentTurns: (text) => parseCount('preserveRecentTurns', text, 0, 'turns'),
  preserveRecentMessages: (text) => parseCount('preserveRecentMessages', text, 0, 'messages'),
  minObservationTokens: (text) => parseCount('minObservationTokens', text, 0, 'tokens'),
  minTokensSaved: (text) => parseCount('minTokensSaved', text, 0, 'tokens'),
  maxSourceTokens: (text) =>
    plainName(text) === 'none' ? 'none' : parseCount('maxSourceTokens', text, 1, 'tokens, or none'),
  passes: (text) =>
    plainName(text) === 'auto' ? 'auto' : parseCount('passes', text, 1, 'passes, or auto'),
  groupMixedEffect: (text) =>
    parseChoice('groupMixedEffect', text, choices(['allow', 'protect'] as const)),
  maskErrors: (text) => parseSwitch('maskErrors', text),
  strictSignatures: (text) => parseSwitch('strictSignatures', text),
  maxSummaryTokens: (text) => parseCount('maxSummaryTokens', text, 1, 'tokens'),
  fallback: (text) => parseChoice('fallback', text, choices(['mask', 'error'] as const)),
  repair: (text) => parseCount('repair', text, 0, 'repairs, 0 or 1', 1),
  timeoutMs: (text) => parseCount('timeoutMs', text, 1, 'milliseconds'),
  mergeCapsules: (text) => parseSwitch('mergeCapsules', text),
  summarizeInlineText: (text) => parseSwitch('summarizeInlineText', text),
  toolResultSizeThreshold: (text) => parseCount('toolResultSizeThreshold', text, 0, 'bytes'),
  maxToolPairs: (text) => parseCount('maxToolPairs', text, 0, 'pairs'),
  keep: (text) =>
    /^\d/.test(text)
      ? parseCount('keep', text, 0, 'turns or pieces')
      : parseChoice('keep', text, ENDS),
  minBytes: (text) => parseCount('minBytes', text, 1, 'bytes'),
  minLines: (text) => parseCount('minLines', text, 2, 'lines'),
};

const ENDS = choices(['newest', 'oldest'] as const);

// A Map and no object: `preview=constructor` must find nothing.
const MODES: ReadonlyMap<string, PreviewMode> = new Map([
  ['head', 'head'],
  ['tail', 'tail'],
  ['headtail', 'headTail'],
]);

function choices<T extends string>(values: readonly T[]): ReadonlyMap<string, T> {
  return new Map(values.map((value) => [plainName(value), value]));
}

function parseChoice<T extends string>(
  name: string,
  text: string,
  known: ReadonlyMap<string, T>,
): T {
  const value = known.get(plainName(text));
  if (value !== undefined) return value;
  throw usageError(
    `${name}=${shown(text)} is unknown`,
    `accepted: ${[...known.values()].join(', ')}`,
  );
}

function parseSwitch(name: string, text: string): boolean {
  return parseChoice(name, text, choices(['true', 'false'] as const)) === 'true';
}

function parseCount(
  name: string,
  text: string,
  least: number,
  unit: string,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw usageError(
    `${name}=${shown(text)} is no number of ${unit}`,
    `write a whole number of at least ${least}`,
  );
}
