import { usageError } from '../errors.ts';
import { METHODS } from './methods.ts';
import { plainName } from './names.ts';
import { didYouMean } from './nearest.ts';
import { type OptionName, type Options, READERS } from './option-table.ts';
import { shown } from './shown.ts';
import type { Method } from './spec.ts';

/** Names of the conditions before they were renamed. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['threshold', 'blockThreshold'],
  ['utilization', 'contextUtilization'],
]);

/**
 * Reads `key=value,...`.
 * @throws CtxError with exit 2: unknown or renamed key, key given twice, value out of range.
 */
export function parseOptions(method: Method, text: string): Options {
  const accepted = METHODS[method].accepts;
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
  const owners = (Object.keys(METHODS) as Method[]).filter((other) =>
    METHODS[other].accepts.some((name) => plainName(name) === plainName(key)),
  );
  if (owners.length > 0)
    return usageError(
      `${shown(key)} is an option of ${owners.map((owner) => `--${owner}`).join(', ')}, not of --${method}`,
      list,
    );
  return usageError(`unknown option ${shown(key)}`, `${didYouMean(key, accepted)}${list}`);
}
