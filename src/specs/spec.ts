/** Strategy specs as data: what the command line, a preset or the library hands to the planner. */

export type Method = 'drop' | 'truncate' | 'summarize';

/** A count in the condition's own unit, or a share of the whole (`percent`, 85 for "85%"). */
export type Amount = { readonly count: number } | { readonly percent: number };

export type NamedTarget =
  | '*'
  | 'toolResults'
  | 'toolResultErrors'
  | 'assistantText'
  | 'userText'
  | 'media';

export type Target =
  | { readonly type: NamedTarget }
  | {
      readonly type: 'tools';
      readonly include: readonly string[];
      readonly exclude: readonly string[];
    };

export type PreviewMode = 'head' | 'tail' | 'headTail';

export interface StrategySpec {
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
  /** True for a step of a preset: a step that the format does not offer is skipped, not refused. */
  readonly preset?: string;
}
