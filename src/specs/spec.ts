/** Strategy specs as data: what the command line, a preset or the library hands to the planner. */

export type Method =
  | 'drop'
  | 'truncate'
  | 'summarize'
  | 'mask'
  | 'structured-summary'
  | 'algorithmic'
  | 'native-history'
  | 'dedupe'
  | 'superseded-reads'
  | 'error-inputs'
  | 'thinking'
  | 'media'
  | 'ui-copies'
  | 'whitespace-lines';

/** A count in the condition's own unit, or a share of the whole (`percent`, 85 for "85%"). */
export type Amount = { readonly count: number } | { readonly percent: number };

export type NamedTarget =
  | '*'
  | 'toolResults'
  | 'toolResultErrors'
  | 'assistantText'
  | 'userText'
  | 'media'
  | 'observations';

export type Target =
  | { readonly type: NamedTarget }
  | {
      readonly type: 'tools';
      readonly include: readonly string[];
      readonly exclude: readonly string[];
    };

export type PreviewMode = 'head' | 'tail' | 'headTail';

export interface StrategySpec extends MaskingOptions, CleaningOptions {
  readonly method: Method;
  readonly target: Target;
  readonly blockThreshold?: Amount;
  readonly contextUtilization?: Amount;
  readonly preserveRecent?: Amount;
  /** truncate only; default 1000. */
  readonly previewTokens?: number;
  /** truncate only; default headTail. */
  readonly preview?: PreviewMode;
  /** summarize only: most tokens of one summary. */
  readonly summaryTokens?: number;
  /** Name of the preset it is a step of: a step that the format does not offer is skipped there, not refused. */
  readonly preset?: string;
}

/** Options of the cleaners. */
interface CleaningOptions {
  /** dedupe: which of equal blocks stays; thinking: newest turns, media: newest pieces that stay. */
  readonly keep?: number | 'newest' | 'oldest';
  /** ui-copies: least bytes of a string. */
  readonly minBytes?: number;
  /** whitespace-lines: least lines of a run that is folded. */
  readonly minLines?: number;
}

/** Options of mask, structured-summary, algorithmic and native-history; defaults in `masking/defaults.ts`. */
export interface MaskingOptions {
  /** Stop once the tokens are down to this share of the window, or this count; all that is eligible when absent. */
  readonly threshold?: Amount;
  /** Everything from the Nth last real user message on is exact. */
  readonly preserveRecentTurns?: number;
  /** The last N messages are exact. */
  readonly preserveRecentMessages?: number;
  /** Least saving of one body, in tokens. */
  readonly minObservationTokens?: number;
  /** Least saving of one pass, in tokens, net of everything it adds. */
  readonly minTokensSaved?: number;
  /** Most tokens of the complete groups that one pass may change. */
  readonly maxSourceTokens?: number | 'none';
  readonly passes?: number | 'auto';
  /** Whether a read next to a write in one batch may be masked. */
  readonly groupMixedEffect?: 'allow' | 'protect';
  /** Failed reads are exact unless this is set. */
  readonly maskErrors?: boolean;
  /** A signed thought protects its whole group. */
  readonly strictSignatures?: boolean;
  /** Most tokens of one capsule's sections. */
  readonly maxSummaryTokens?: number;
  /** What a failed summary falls back to. */
  readonly fallback?: 'mask' | 'error';
  /** Further attempts at an answer that breaks the schema: 0 or 1. */
  readonly repair?: number;
  /** Deadline of one summary, in milliseconds. */
  readonly timeoutMs?: number;
  /** Earlier capsules join the packet and are replaced. */
  readonly mergeCapsules?: boolean;
  /** Also the narration that shares a message with a call. */
  readonly summarizeInlineText?: boolean;
  /** algorithmic: results whose JSON is larger than this many bytes leave. */
  readonly toolResultSizeThreshold?: number;
  /** algorithmic: so many of the newest other pairs stay. */
  readonly maxToolPairs?: number;
}
