import { Chalk, type ChalkInstance } from 'chalk';
import type { Io, Output } from './io.ts';

export type ColorMode = 'auto' | 'always' | 'never';

/** Colours for one stream, resolved once from --color, NO_COLOR, FORCE_COLOR, TERM and the stream. */
export function styleFor(output: Output, env: Io['env'], mode: ColorMode = 'auto'): ChalkInstance {
  return new Chalk({ level: wantsColor(output, env, mode) ? 1 : 0 });
}

function wantsColor(output: Output, env: Io['env'], mode: ColorMode): boolean {
  if (mode !== 'auto') return mode === 'always';
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return output.isTTY && env['TERM'] !== 'dumb';
}
