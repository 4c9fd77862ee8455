import { usageError } from '../errors.ts';
import { safe } from '../report/safe.ts';
import { type Condition, parseAmount } from './amount.ts';
import { plainName } from './names.ts';
import { nearest } from './nearest.ts';
import type { Method, PreviewMode, StrategySpec } from './spec.ts';
import { parseTarget } from './target.ts';

const CONDITIONS: readonly string[] = ['blockThreshold', 'contextUtilization', 'preserveRecent'];
const OWN: Readonly<Record<Method, readonly string[]>> = {
  drop: [],
  truncate: ['previewTokens', 'preview'],
  summarize: ['summaryTokens'],
};
/** Names of the conditions before they were renamed. */
const RENAMED: Readonly<Record<string, string>> = {
  threshold: 'blockThreshold',
  utilization: 'contextUtilization',
};
const MODES: Readonly<Record<string, PreviewMode>> = {
  head: 'head',
  tail: 'tail',
  headtail: 'headTail',
};
/** The seed's default preview. */
export const DEFAULT_PREVIEW = 1000;

/**
 * Reads a strategy spec of the command line, `target[:key=value,...]`. Options begin at the first `:` that is
 * followed by `identifier=`.
 * @throws CtxError with exit 2 that names the text and what to write.
 */
export function parseSpec(method: Method, text: string): StrategySpec {
  const at = optionsStart(text);
  const target = parseTarget(at < 0 ? text : text.slice(0, at));
  const options = at < 0 ? new Map<string, string>() : parseOptions(method, text.slice(at + 1));
  const amount = (name: Condition) => {
    const value = options.get(name);
    return value === undefined ? {} : { [name]: parseAmount(name, value) };
  };
  const spec: StrategySpec = {
    method,
    target,
    ...amount('blockThreshold'),
    ...amount('contextUtilization'),
    ...amount('preserveRecent'),
    ...count(options, 'previewTokens', 0),
    ...mode(options.get('preview')),
    ...count(options, 'summaryTokens', 1),
  };
  checkPreview(spec);
  return spec;
}

/** A truncate threshold must be larger than its preview, or it selects what it can't shorten. */
function checkPreview(spec: StrategySpec): void {
  const { blockThreshold, previewTokens = DEFAULT_PREVIEW } = spec;
  if (spec.method !== 'truncate' || blockThreshold === undefined || !('count' in blockThreshold))
    return;
  if (blockThreshold.count > previewTokens) return;
  throw usageError(
    `blockThreshold=${blockThreshold.count} is not larger than previewTokens=${previewTokens}`,
    'raise blockThreshold or lower previewTokens',
  );
}

function optionsStart(text: string): number {
  let quote = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && quote) at += 1;
    else if (text[at] === '"') quote = !quote;
    else if (text[at] === ':' && !quote && /^[A-Za-z][\w-]*=/.test(text.slice(at + 1, at + 64)))
      return at;
  }
  return -1;
}

function parseOptions(method: Method, text: string): Map<string, string> {
  const accepted = [...CONDITIONS, ...OWN[method]];
  const options = new Map<string, string>();
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const key = equals < 0 ? part : part.slice(0, equals);
    const name = accepted.find((known) => plainName(known) === plainName(key));
    if (name === undefined || equals < 0) throw unknownOption(method, key, equals < 0, accepted);
    if (options.has(name)) throw usageError(`${name} is given twice`, 'give it once');
    options.set(name, part.slice(equals + 1));
  }
  return options;
}

function unknownOption(
  method: Method,
  key: string,
  bare: boolean,
  accepted: readonly string[],
): Error {
  const shown = safe(key.slice(0, 60));
  const renamed = RENAMED[key];
  if (renamed !== undefined)
    return usageError(
      `${shown} is now ${renamed}`,
      `write ${renamed}=…; accepted for ${method}: ${accepted.join(', ')}`,
    );
  const near = nearest(key, accepted);
  const guess = near === undefined ? '' : `did you mean ${near}? `;
  const what = bare
    ? `${shown === '' ? 'an empty option' : shown} has no value`
    : `unknown option ${shown}`;
  return usageError(what, `${guess}accepted for ${method}: ${accepted.join(', ')}`);
}

function count(
  options: ReadonlyMap<string, string>,
  name: 'previewTokens' | 'summaryTokens',
  least: number,
): Record<string, number> {
  const text = options.get(name);
  if (text === undefined) return {};
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && Number.isSafeInteger(value)) return { [name]: value };
  throw usageError(
    `${name}=${safe(text.slice(0, 60))} is no number of tokens`,
    `write a whole number of at least ${least}`,
  );
}

function mode(text: string | undefined): { preview?: PreviewMode } {
  if (text === undefined) return {};
  const preview = MODES[plainName(text)];
  if (preview === undefined)
    throw usageError(
      `preview=${safe(text.slice(0, 60))} is unknown`,
      'accepted: head, tail, headTail',
    );
  return { preview };
}
