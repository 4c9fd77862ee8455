import { usageError } from '../errors.ts';
import type { Warning } from '../report/report.ts';
import { formatSpec } from './format.ts';
import { DEFAULT_PREVIEW } from './parse.ts';
import { blockThresholdTokens } from './resolve.ts';
import type { Amount, StrategySpec } from './spec.ts';

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
  const gated = spec.contextUtilization !== undefined || isSet(spec.preserveRecent);
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
  return { warnings: [...checkUtilization(spec, window), ...(gated || sized ? [] : [bare(spec)])] };
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
  const share =
    'percent' in spec.blockThreshold
      ? ` (${spec.blockThreshold.percent}% of ${window.tokens})`
      : '';
  throw usageError(
    `blockThreshold is ${threshold} tokens${share}, not larger than previewTokens=${preview}`,
    'raise blockThreshold or lower previewTokens',
  );
}

function checkUtilization(spec: StrategySpec, window: WindowSize): Warning[] {
  const { contextUtilization } = spec;
  if (
    contextUtilization === undefined ||
    !('count' in contextUtilization) ||
    contextUtilization.count <= window.tokens
  )
    return [];
  const text = `contextUtilization=${contextUtilization.count} is larger than the window of ${window.tokens} tokens`;
  if (!window.assumed)
    throw usageError(text, 'it could never fire; lower it, or name a larger window with --window');
  return [
    { code: 'never-fires', text: `${text}, which is assumed; name the window with --window` },
  ];
}

function bare(spec: StrategySpec): Warning {
  return {
    code: 'bare-strategy',
    text: `--${spec.method} '${formatSpec(spec)}' has no condition: it acts on every matching block but the live end`,
  };
}
