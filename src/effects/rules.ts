import { usageError } from '../errors.ts';
import { shown } from '../specs/shown.ts';
import type { EffectRule, KnownEffect, ObserveRule } from './call.ts';

/**
 * Reads the value of `--effect`: `NAME=read` or `NAME=write`, with the tool's full name.
 * @throws CtxError with exit 2 for anything else.
 */
export function parseEffectFlag(text: string): EffectRule {
  // A tool's name may hold a sign, an effect never does.
  const at = text.lastIndexOf('=');
  const tool = text.slice(0, Math.max(at, 0)).trim();
  const effect = text.slice(at + 1).trim();
  if (at < 0 || tool === '')
    throw usageError(`--effect ${shown(text)} names no tool`, 'write NAME=read or NAME=write');
  if (!isKnownEffect(effect))
    throw usageError(
      `--effect ${shown(text)}: ${shown(effect)} is no effect`,
      `write ${shown(tool)}=read or ${shown(tool)}=write`,
    );
  return { tool, effect };
}

/**
 * Reads the value of `--observe`: `TOOL` for all its calls, or `TOOL:PATTERN` with `*` and `?`.
 * @throws CtxError with exit 2 when the tool or the pattern is empty.
 */
export function parseObserve(text: string): ObserveRule {
  const at = text.indexOf(':');
  const tool = (at < 0 ? text : text.slice(0, at)).trim();
  const pattern = at < 0 ? undefined : text.slice(at + 1).trim();
  const hint = 'write TOOL for all its calls, or TOOL:PATTERN such as "Bash:npm test*"';
  if (tool === '') throw usageError(`--observe ${shown(text)} names no tool`, hint);
  if (pattern === '') throw usageError(`--observe ${shown(text)} has an empty pattern`, hint);
  return pattern === undefined ? { tool } : { tool, pattern };
}

/** Whether a value is an effect that a person may claim. */
export function isKnownEffect(value: unknown): value is KnownEffect {
  return value === 'read' || value === 'write';
}
