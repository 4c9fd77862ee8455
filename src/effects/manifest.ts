import { type CtxError, usageError } from '../errors.ts';
import { shown } from '../specs/shown.ts';
import { argument, type KnownEffect } from './call.ts';
import { isKnownEffect } from './rules.ts';

/**
 * What a tool manifest (`--tools`) says of its tools. Accepts the result of an MCP `tools/list`, the array in it,
 * or an object of `{"name": "read"|"write"}`. A tool without `readOnlyHint` is not in the answer.
 * @throws CtxError with exit 2 for any other value.
 */
export function readManifest(value: unknown): Map<string, KnownEffect> {
  if (Array.isArray(value)) return fromTools(value);
  const tools = argument(value, 'tools');
  if (Array.isArray(tools)) return fromTools(tools);
  if (typeof value !== 'object' || value === null) throw refused('it is no object and no array');
  return new Map(Object.entries(value).map(readEntry));
}

function readEntry([tool, effect]: readonly [string, unknown]): readonly [string, KnownEffect] {
  if (!isKnownEffect(effect)) throw refused(`${shown(tool)} is neither "read" nor "write"`);
  return [tool, effect];
}

function fromTools(tools: readonly unknown[]): Map<string, KnownEffect> {
  const found = new Map<string, KnownEffect>();
  for (const [index, tool] of tools.entries()) {
    const name = argument(tool, 'name');
    if (typeof name !== 'string' || name === '') throw refused(`tool ${index + 1} has no name`);
    const hint = argument(argument(tool, 'annotations'), 'readOnlyHint');
    if (hint === undefined) continue;
    if (typeof hint !== 'boolean')
      throw refused(`readOnlyHint of ${shown(name)} is neither true nor false`);
    // Of two tools with one name, the one that writes counts.
    found.set(name, hint && found.get(name) !== 'write' ? 'read' : 'write');
  }
  return found;
}

function refused(why: string): CtxError {
  return usageError(
    `--tools: not a tool manifest: ${why}`,
    'give the result of an MCP tools/list ({"tools": [...]}), the array in it, or {"name": "read"|"write"}',
  );
}
