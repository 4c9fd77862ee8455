import { usageError } from '../errors.ts';
import { METHODS } from './methods.ts';
import { isOptionName, parseOptions } from './options.ts';
import { shown } from './shown.ts';
import type { Method, StrategySpec } from './spec.ts';
import { parseTarget } from './target.ts';

/** The seed's default preview. */
export const DEFAULT_PREVIEW = 1000;

/**
 * Reads a strategy spec of the command line, `target[:key=value,...]`. Options begin at the first `:` that is
 * followed by `identifier=`.
 * @throws CtxError with exit 2 that names the text and what to write.
 */
export function parseSpec(method: Method, text: string): StrategySpec {
  if (METHODS[method].family !== 'offload') return parseOwnTarget(method, text);
  const at = optionsStart(text);
  if (at < 0) refuseValueless(text);
  const target = parseTarget(at < 0 ? text : text.slice(0, at));
  const spec = { method, target, ...(at < 0 ? {} : parseOptions(method, text.slice(at + 1))) };
  checkPreview(spec);
  return spec;
}

/** The target of these methods is given; their options may stand alone. */
function parseOwnTarget(method: Method, text: string): StrategySpec {
  const target = { type: 'observations' } as const;
  const options = text.replace(/^observations(?::|$)/, '');
  if (options === '') return { method, target };
  if (/^[A-Za-z]\w*=/.test(options)) {
    const read = parseOptions(method, options);
    const counted = METHODS[method].counted === true;
    if (read.keep !== undefined && (typeof read.keep === 'number') !== counted)
      throw usageError(
        `keep=${read.keep} is not for --${method}`,
        counted ? 'write a number, keep=2' : 'write keep=newest or keep=oldest',
      );
    return { method, target, ...read };
  }
  throw usageError(
    `--${method} takes no target ${shown(options)}`,
    `write --${method} 'NAME=VALUE,...' or leave it out; accepted: ${METHODS[method].accepts.join(', ')}`,
  );
}

function optionsStart(text: string): number {
  const option = /[A-Za-z_][\w-]*=/y;
  let quote = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && quote) at += 1;
    else if (text[at] === '"') quote = !quote;
    else if (text[at] === ':' && !quote) {
      option.lastIndex = at + 1;
      if (option.test(text)) return at;
    }
  }
  return -1;
}

/** `tool::Bash:preserveRecent` would otherwise be a tool of that name, which matches nothing. */
function refuseValueless(text: string): void {
  const word = /(?<!:):([\w-]*)$/.exec(text)?.[1];
  if (word === undefined || (word !== '' && !isOptionName(word))) return;
  throw usageError(
    word === ''
      ? `${shown(text)} ends before its options`
      : `the option ${shown(word)} has no value`,
    'write target:NAME=VALUE; a tool whose name ends so is written in quotes, tool::"NAME"',
  );
}

/** A truncate threshold must be larger than its preview, or it selects what it can't shorten. */
function checkPreview({ method, blockThreshold, previewTokens }: StrategySpec): void {
  if (method !== 'truncate' || blockThreshold === undefined || !('count' in blockThreshold)) return;
  const preview = previewTokens ?? DEFAULT_PREVIEW;
  if (blockThreshold.count > preview) return;
  const origin = previewTokens === undefined ? ' (the default)' : '';
  throw usageError(
    `blockThreshold=${blockThreshold.count} is not larger than previewTokens=${preview}${origin}`,
    'raise blockThreshold or lower previewTokens',
  );
}
