import { usageError } from '../errors.ts';
import { parseAmount } from './amount.ts';
import { plainName } from './names.ts';
import { didYouMean } from './nearest.ts';
import { shown } from './shown.ts';
import type { Method, PreviewMode, StrategySpec } from './spec.ts';

export type Options = Omit<StrategySpec, 'method' | 'target' | 'preset'>;
type OptionName = keyof Options;

const READERS: { readonly [Name in OptionName]-?: (text: string) => NonNullable<Options[Name]> } = {
  blockThreshold: (text) => parseAmount('blockThreshold', text),
  contextUtilization: (text) => parseAmount('contextUtilization', text),
  preserveRecent: (text) => parseAmount('preserveRecent', text),
  previewTokens: (text) => parseTokens('previewTokens', text, 0),
  preview: parseMode,
  summaryTokens: (text) => parseTokens('summaryTokens', text, 1),
};
const CONDITIONS: readonly OptionName[] = [
  'blockThreshold',
  'contextUtilization',
  'preserveRecent',
];
const OWN: Readonly<Record<Method, readonly OptionName[]>> = {
  drop: [],
  truncate: ['previewTokens', 'preview'],
  summarize: ['summaryTokens'],
};
const METHODS: readonly Method[] = ['drop', 'truncate', 'summarize'];
/** Names of the conditions before they were renamed. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['threshold', 'blockThreshold'],
  ['utilization', 'contextUtilization'],
]);
// A Map and no object: `preview=constructor` must find nothing.
const MODES: ReadonlyMap<string, PreviewMode> = new Map([
  ['head', 'head'],
  ['tail', 'tail'],
  ['headtail', 'headTail'],
]);

/**
 * Reads `key=value,...`.
 * @throws CtxError with exit 2: unknown or renamed key, key given twice, value out of range.
 */
export function parseOptions(method: Method, text: string): Options {
  const accepted = [...CONDITIONS, ...OWN[method]];
  const options = new Map<OptionName, Options[OptionName]>();
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const key = equals < 0 ? part : part.slice(0, equals);
    const name = accepted.find((known) => plainName(known) === plainName(key));
    if (name === undefined || equals < 0) throw optionError(method, key, equals < 0, accepted);
    if (options.has(name)) throw usageError(`${name} is given twice`, 'give it once');
    options.set(name, READERS[name](part.slice(equals + 1)));
  }
  return Object.fromEntries(options);
}

/** Whether a word is the name of an option, of any method and in any spelling, or was one. */
export function isOptionName(word: string): boolean {
  const plain = plainName(word);
  return RENAMED.has(plain) || Object.keys(READERS).some((name) => plainName(name) === plain);
}

function optionError(
  method: Method,
  key: string,
  bare: boolean,
  accepted: readonly string[],
): Error {
  const list = `accepted for --${method}: ${accepted.join(', ')}`;
  if (key === '') return usageError('an option has no name', `write NAME=VALUE; ${list}`);
  const renamed = RENAMED.get(plainName(key));
  if (renamed !== undefined)
    return usageError(
      `the option ${shown(key)} is now ${renamed}`,
      `write ${renamed}=VALUE; ${list}`,
    );
  if (bare) return usageError(`${shown(key)} has no value`, `write NAME=VALUE; ${list}`);
  const owner = METHODS.find((other) =>
    OWN[other].some((name) => plainName(name) === plainName(key)),
  );
  if (owner !== undefined)
    return usageError(`${shown(key)} is an option of --${owner}, not of --${method}`, list);
  return usageError(`unknown option ${shown(key)}`, `${didYouMean(key, accepted)}${list}`);
}

function parseTokens(name: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && Number.isSafeInteger(value)) return value;
  throw usageError(
    `${name}=${shown(text)} is no number of tokens`,
    `write a whole number of at least ${least}`,
  );
}

function parseMode(text: string): PreviewMode {
  const mode = MODES.get(plainName(text));
  if (mode !== undefined) return mode;
  throw usageError(`preview=${shown(text)} is unknown`, 'accepted: head, tail, headTail');
}
