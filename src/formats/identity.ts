import type { OffloadMethod } from '../model/conversation.ts';
import type { Identity } from '../model/splice.ts';

/** One entry of a record's `ctx` key: where the marker is, and what it stands for. */
export interface IdentityEntry {
  readonly at: string;
  readonly ref: string;
  readonly method: string;
  readonly tokens: number;
  readonly kind: string;
}

/** One entry of a record's `ctx` key. */
export function identityEntry(at: string, identity: Identity): IdentityEntry {
  return {
    at,
    ref: identity.ref,
    method: identity.method,
    tokens: identity.tokens,
    kind: identity.kind,
  };
}

/** The SDK knows three methods; the marker's text says the finer one. */
const SDK_METHODS: Readonly<Record<OffloadMethod, string>> = {
  drop: 'drop',
  truncate: 'truncate',
  summarize: 'summarize',
  mask: 'drop',
  capsule: 'summarize',
  dedupe: 'drop',
};

/** The member that a Strands TypeScript block carries: `metadata.offloaded` of the seed, with `tokens` added. */
export function offloadedMetadata(identity: Identity, preview: string): Record<string, unknown> {
  return {
    method: SDK_METHODS[identity.method],
    preview,
    ref: identity.ref,
    ...(identity.messages === undefined ? {} : { removedMessages: identity.messages }),
    tokens: identity.tokens,
  };
}
