import type { OffloadMethod } from '../model/conversation.ts';
import type { TypedIdentity } from './format.ts';
import { arrayAt, isObject, stringAt, valueAt } from './value.ts';

const METHODS: readonly string[] = ['drop', 'truncate', 'summarize', 'mask', 'capsule', 'dedupe'];

/**
 * Identities under a record's top-level `ctx` key, by pointer. A foreign `ctx` key, of
 * another shape or version, gives none.
 */
export function recordIdentities(record: unknown): ReadonlyMap<string, TypedIdentity> | undefined {
  const key = valueAt(record, 'ctx');
  if (!isOwnKey(key)) return undefined;
  const found = new Map<string, TypedIdentity>();
  for (const entry of arrayAt(key, 'offloaded') ?? []) {
    const at = stringAt(entry, 'at');
    const identity = readIdentity(entry);
    if (at !== undefined && identity !== undefined) found.set(at, identity);
  }
  return found;
}

/** Whether a top-level `ctx` value is ours: version 1 with a list of offloaded blocks, which is never empty. */
export function isOwnKey(key: unknown): boolean {
  return isObject(key) && key['v'] === 1 && (arrayAt(key, 'offloaded') ?? []).length > 0;
}

/** One identity object: `metadata.offloaded` of the seed, or an entry of our own key. */
export function readIdentity(value: unknown): TypedIdentity | undefined {
  const method = stringAt(value, 'method');
  if (method === undefined || !METHODS.includes(method)) return undefined;
  const ref = stringAt(value, 'ref');
  const tokens = valueAt(value, 'tokens');
  const kind = stringAt(value, 'kind');
  const messages = valueAt(value, 'removedMessages');
  return {
    method: method as OffloadMethod,
    ...(ref === undefined ? {} : { ref }),
    ...(typeof tokens === 'number' ? { tokens } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(typeof messages === 'number' ? { messages } : {}),
  };
}
