import { usageError } from '../errors.ts';
import type { Warning } from '../report/report.ts';
import { formatSpec } from './format.ts';
import { DEFAULT_PREVIEW } from './parse.ts';
import { blockThresholdTokens } from './resolve.ts';
import { shown } from './shown.ts';
import type { Amount, Method, StrategySpec } from './spec.ts';

/** No published model reads more; beyond it a count is a slip, not a large window that we don't know. */
const LARGEST_WINDOW = 10_000_000;
/** What a bare strategy does; the masking family has conditions by default. */
const ACTS: Readonly<Partial<Record<Method, string>>> = {
  drop: 'drops',
  truncate: 'cuts to a preview',
  summarize: 'summarizes',
};

export interface WindowSize {
  readonly tokens: number;
  /** The default: nothing named a window or a model. */
  readonly assumed: boolean;
}

/**
 * The combination matrix (offload semantics, section 3.1) and what can only be checked against a window.
 * @throws CtxError with exit 2 for a spec that can't run.
 */
export function checkSpec(spec: StrategySpec, window: WindowSize): { warnings: Warning[] } {
  const recent = isSet(spec.preserveRecent) || (spec.preserveRecentTurns ?? 0) > 0;
  const gated = spec.contextUtilization !== undefined || recent;
  const sized = spec.blockThreshold !== undefined;
  if (spec.target.type === '*' && !gated && !sized) {
    throw usageError(
      `--${spec.method} '${formatSpec(spec)}' would take every message`,
      'set contextUtilization, blockThreshold, or preserveRecent above 0',
    );
  }
  if (spec.target.type === 'media' && !gated) {
    throw usageError(
      `--${spec.method} '${formatSpec(spec)}' would take media that the model has not seen yet`,
      'set contextUtilization, or preserveRecent above 0',
    );
  }
  checkPreview(spec, window);
  const acts = gated || sized ? undefined : ACTS[spec.method];
  const warnings = checkUtilization(spec, window);
  return { warnings: acts === undefined ? warnings : [...warnings, bare(spec, acts)] };
}

function isSet(amount: Amount | undefined): boolean {
  if (amount === undefined) return false;
  return 'count' in amount ? amount.count > 0 : amount.percent > 0;
}

function checkPreview(spec: StrategySpec, window: WindowSize): void {
  if (spec.method !== 'truncate' || spec.blockThreshold === undefined) return;
  const threshold = blockThresholdTokens(spec.blockThreshold, window.tokens);
  const preview = spec.previewTokens ?? DEFAULT_PREVIEW;
  if (threshold > preview) return;
  const source = window.assumed ? ', the assumed window' : '';
  const share =
    'percent' in spec.blockThreshold
      ? ` (${spec.blockThreshold.percent}% of ${window.tokens}${source})`
      : '';
  throw usageError(
    `blockThreshold is ${threshold} tokens${share}, not larger than previewTokens=${preview}`,
    'raise blockThreshold or lower previewTokens',
  );
}

/** Tokens are compared with tokens: the window only tells whether the count can be reached at all. */
function checkUtilization(spec: StrategySpec, window: WindowSize): Warning[] {
  const { contextUtilization } = spec;
  if (contextUtilization === undefined || !('count' in contextUtilization)) return [];
  const { count } = contextUtilization;
  if (count <= window.tokens) return [];
  const text = `contextUtilization=${count} is larger than the window of ${window.tokens} tokens`;
  if (!window.assumed)
    throw usageError(text, 'it could never fire; lower it, or name a larger window with --window');
  const assumed = `${text}, which is assumed; name the window with --window`;
  return count > LARGEST_WINDOW
    ? [
        {
          code: 'never-fires',
          text: `${assumed}; no model reads that much, so it is not going to fire`,
        },
      ]
    : [{ code: 'window-assumed', text: assumed }];
}

function bare(spec: StrategySpec, acts: string): Warning {
  return {
    code: 'bare-strategy',
    text: `--${spec.method} '${shown(formatSpec(spec))}' has no condition: it ${acts} every matching block outside the live end, whatever its size and age`,
  };
}
