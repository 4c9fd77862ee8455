import { usageError } from '../errors.ts';
import { safe } from '../report/safe.ts';
import { MODEL_WINDOWS } from './model-windows.ts';

export interface ResolvedWindow {
  /** Context window in tokens. */
  readonly tokens: number;
  readonly source: 'flag' | 'model' | 'stash' | 'default';
  readonly model: string | null;
}

/** Taken when nothing names a window or a known model. */
export const DEFAULT_WINDOW = 200_000;

/** The window: a flag, else the last run's, else the model's, else the default. */
export async function resolveWindow(input: {
  readonly flag?: number;
  readonly model?: string;
  readonly stash?: number;
}): Promise<ResolvedWindow> {
  const model = input.model ?? null;
  if (input.flag !== undefined) return { tokens: input.flag, source: 'flag', model };
  if (input.stash !== undefined) return { tokens: input.stash, source: 'stash', model };
  const known = model === null ? undefined : await modelWindow(model);
  if (known !== undefined) return { tokens: known, source: 'model', model };
  return { tokens: DEFAULT_WINDOW, source: 'default', model };
}

/**
 * `200000`, `200k`, `1m`, `1_000_000` or `1,000,000`.
 * @throws CtxError with exit 2.
 */
export function parseWindow(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([km])?$/i.exec(text.replaceAll(/[_,]/g, ''));
  const unit = { k: 1000, m: 1_000_000 }[match?.[2]?.toLowerCase() ?? ''] ?? 1;
  const tokens = Number(match?.[1]) * unit;
  if (match !== null && Number.isSafeInteger(tokens) && tokens >= 1000) return tokens;
  throw usageError(
    `--window ${safe(text.slice(0, 40))}: not a window of at least 1,000 tokens`,
    'write 200000, 200k or 1m',
  );
}

async function modelWindow(model: string): Promise<number | undefined> {
  // "[1m]" is how Claude Code names the long-context variant of a model.
  const long = /\[(\d+)m\]$/i.exec(model);
  if (long !== null) return Number(long[1]) * 1_000_000;
  const names = [...new Set([model, modelName(model)])];
  const { calcPrice } = await import('@pydantic/genai-prices');
  for (const name of names) {
    const window = calcPrice({ input_tokens: 0 }, name)?.model.context_window;
    if (typeof window === 'number' && window > 0) return window;
  }
  const listed = MODEL_WINDOWS.find(([pattern]) => names.some((name) => pattern.test(name)));
  return listed?.[1];
}

/** A model's own name: without Bedrock's region and vendor, a provider path, a version and a date. */
function modelName(model: string): string {
  return model
    .replace(/^(?:us-gov|us|eu|ap|global|apac|au|jp)\./, '')
    .replace(/^(?:anthropic|amazon|meta|mistral|openai|google)\./, '')
    .replace(/^.*\//, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/[-@]\d{8}$/, '')
    .replace(/-\d{4}-\d{2}-\d{2}$/, '');
}
