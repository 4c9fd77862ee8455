import type { Effect, EffectRules, KnownEffect, ToolCall } from './call.ts';
import { isObserved } from './observe.ts';
import { builtInEffect } from './tools.ts';

/** Who said what a call does; `none` when nobody did. */
type EffectSource = 'user' | 'observed' | 'manifest' | 'built-in' | 'none';

export interface EffectVerdict {
  readonly effect: Effect;
  readonly by: EffectSource;
}

/**
 * What a call does (masking-and-summary.md 10.2): the user's word, then a tool manifest, then the built-in table.
 * A name alone proves nothing, and neither does a result: what nobody claims is unknown.
 */
export function effectOf(call: ToolCall, rules: EffectRules): EffectVerdict {
  const claimed = rules.effects.findLast((rule) => rule.tool === call.tool)?.effect;
  if (claimed !== undefined) return { effect: claimed, by: 'user' };
  if (isObserved(call, rules.observed)) return { effect: 'read', by: 'observed' };
  const listed = inManifest(call.tool, rules.manifest);
  if (listed !== undefined) return { effect: listed, by: 'manifest' };
  const effect = builtInEffect(call);
  return { effect, by: effect === 'unknown' ? 'none' : 'built-in' };
}

/** A server's own manifest knows its tools by their plain name. */
function inManifest(
  tool: string,
  manifest: ReadonlyMap<string, KnownEffect>,
): KnownEffect | undefined {
  const [prefix, server, plain, ...more] = tool.split('__');
  // With another `__` it is not certain where the server's name ends.
  const isMcp = prefix === 'mcp' && server !== '' && plain !== undefined && more.length === 0;
  return manifest.get(tool) ?? (isMcp ? manifest.get(plain) : undefined);
}
