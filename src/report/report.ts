import type { BlockKind, Finding, Role } from '../model/conversation.ts';

/** The report of one run, schema `ctx.report/1`: the same shape for compact and explain. */
export interface Report {
  readonly schema: 'ctx.report/1';
  readonly command: 'compact' | 'explain';
  readonly format: string;
  readonly input: FileFacts;
  readonly output: FileFacts | null;
  readonly stash: {
    readonly path: string;
    readonly entries: number;
    readonly bytes: number;
  } | null;
  readonly counter: { readonly name: string; readonly exact: boolean };
  readonly window: WindowFacts;
  readonly tokens: TokenTotals;
  readonly bytes: { readonly before: number; readonly after: number };
  readonly strategies: readonly StrategyReport[];
  /** What the change does to a prompt cache; null when nothing that is sent changes. */
  readonly cache: CacheReport | null;
  /** The budget of --target-tokens; null without one. */
  readonly budget: { readonly target: number; readonly met: boolean } | null;
  readonly blocks: readonly BlockRow[];
  readonly warnings: readonly Warning[];
  readonly verify: { readonly ok: boolean; readonly violations: readonly Finding[] } | null;
}

export interface CacheReport {
  readonly firstChangedMessage: number;
  /** Tokens before it, system prompt and tool definitions included: these may still be read from a cache. */
  readonly keptPrefix: number;
  /** Tokens of the cached rest, which has to be sent anew. */
  readonly invalidated: number;
  /** US dollars by the model's list price; null when the list does not know the model. */
  readonly cost: {
    /** With a cache that still holds the session: the next request as it is, the first and a later one after. */
    readonly warm: { readonly before: number; readonly first: number; readonly later: number };
    /** Without one. */
    readonly cold: { readonly before: number; readonly after: number };
    /** Requests until the compaction has paid for itself with a warm cache; null when it never does. */
    readonly turnsToPay: number | null;
  } | null;
}

export interface FileFacts {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WindowFacts {
  readonly tokens: number;
  readonly source: 'flag' | 'model' | 'stash' | 'default';
  readonly model: string | null;
}

/** Live tokens that resuming would send, the overhead (system prompt, tool definitions) included. */
export interface TokenTotals {
  readonly before: number;
  readonly after: number;
  readonly saved: number;
  readonly overhead: number;
  /** The client's own last usage, null when the file holds none. */
  readonly clientUsage: number | null;
  /** What the client is known to send after its own caps, null when it has none. */
  readonly sentEstimate: number | null;
}

/** What a step did beside its decisions. */
export interface StepFacts {
  /** What took the place of summaries that were not made. */
  readonly fallback: 'mask' | 'extractive' | null;
  readonly helper: HelperReport | null;
  /** Transactions that were applied; null for strategies that have none. */
  readonly passes: number | null;
  /** Candidates that were left, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Why nothing was done; null when something was. */
  readonly noop: string | null;
}

/** The summarizer of a step: what was asked, what was sent and what came back. */
export interface HelperReport {
  readonly name: string;
  /** Model that the answers say they came from. */
  readonly model: string | null;
  /** Whether an answer was asked for, from the summarizer or from the cache. */
  readonly invoked: boolean;
  readonly calls: number;
  readonly cached: number;
  readonly failed: number;
  /** Bytes that left this program, and where they went; 0 and null for the built-in one. */
  readonly bytesSent: number;
  readonly destination: string | null;
}

export interface StrategyReport extends StepFacts {
  readonly name: string;
  readonly fired: boolean;
  readonly why: string;
  /** Blocks or messages it acted on. */
  readonly acted: number;
  readonly saved: number;
  /** Bytes saved in copies that no model sees. */
  readonly savedBytes: number;
}

export type Action =
  | 'kept'
  | 'dropped'
  | 'truncated'
  | 'summarized'
  | 'masked'
  | 'removed'
  | 'deduplicated'
  | 'shortened';

export interface BlockRow {
  readonly index: number;
  readonly conversation: string;
  /** Null for what belongs to no message: a copy, a repeated record. */
  readonly message: number | null;
  readonly record: number;
  readonly role: Role;
  /** `copy` for a string that no model sees, which has no tokens. */
  readonly kind: BlockKind | 'copy' | 'record';
  readonly tool: string | null;
  readonly callId: string | null;
  readonly live: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly action: Action;
  readonly strategy: string | null;
  readonly reason: string;
  /** The rule that protected it, as it was written. */
  readonly rule: string | null;
  readonly ref: string | null;
}

export interface Warning {
  readonly code: string;
  readonly text: string;
}
