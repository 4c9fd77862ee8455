import { usageError } from '../errors.ts';
import { safe } from '../report/safe.ts';
import { MODEL_WINDOWS } from './model-windows.ts';

export interface ResolvedWindow {
  /** Context window in tokens. */
  readonly tokens: number;
  readonly source: 'flag' | 'model' | 'stash' | 'default';
  /** The model as the transcript names it, whatever the source. */
  readonly model: string | null;
}

/** Taken when nothing names a window or a known model (offload semantics, section 11). In tokens. */
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
 * `200000`, `200k`, `1m`, `1_000_000` or `1,000,000`, in tokens.
 * @throws CtxError with exit 2.
 */
export function parseWindow(text: string): number {
  // Separators stand between groups of three: "1,5m" would otherwise be fifteen million.
  const match = /^(\d{1,3}(?:[_,]\d{3})+|\d+(?:\.\d+)?)([km])?$/i.exec(text);
  const unit = { k: 1000, m: 1_000_000 }[match?.[2]?.toLowerCase() ?? ''] ?? 1;
  const exact = Number(match?.[1]?.replaceAll(/[_,]/g, '')) * unit;
  // 4.1 times a million is a little less than 4,100,000 in floating point.
  const tokens = Number(exact.toPrecision(15));
  if (Number.isSafeInteger(tokens) && tokens >= 1000) return tokens;
  throw usageError(
    `--window ${safe(text.slice(0, 40))}: not a window of at least 1,000 tokens`,
    'write 200000, 200k or 1m',
  );
}

/** No vendor's ids come near: what is longer is no model, and not worth the search. */
const LONGEST_ID = 200;

async function modelWindow(model: string): Promise<number | undefined> {
  if (model.length > LONGEST_ID) return undefined;
  // "[1m]" is how Claude Code names the long-context variant of a model.
  const long = /\[([1-9]\d?)m\]$/i.exec(model);
  if (long !== null) return Number(long[1]) * 1_000_000;
  const names = modelNames(model);
  return (await listedWindow(names)) ?? tableWindow(names);
}

/** The price list's window. Its data come with the package: only `updatePrices` would fetch, and is never called. */
async function listedWindow(names: readonly string[]): Promise<number | undefined> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  for (const name of names) {
    try {
      const window = calcPrice({ input_tokens: 0 }, name)?.model.context_window;
      if (typeof window === 'number' && window > 0) return window;
    } catch {
      // It throws when it can't make a price; no price is wanted here, and another name may do.
    }
  }
  return undefined;
}

function tableWindow(names: readonly string[]): number | undefined {
  return MODEL_WINDOWS.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
}

/** What stands around a model's own name, in the order in which it is taken off. */
const AROUND: readonly RegExp[] = [
  // A provider's path, or the ARN of a Bedrock profile.
  /^.*\//s,
  /^(?:us-gov|us|eu|ap|global|apac|au|jp)\./,
  /^(?:anthropic|amazon|meta|mistral|openai|google)\./,
  // Bedrock's version, with a throughput variant; OpenRouter's variant.
  /-v\d+(?::\w+)*$/,
  /:[\w-]+$/,
  /[-@]\d{8}$/,
  /-\d{4}-\d{2}-\d{2}$/,
  /-latest$/,
];

/** The id as given, then with less and less around the model's own name. */
export function modelNames(model: string): readonly string[] {
  let name = model.trim().toLowerCase();
  const names = [model, name];
  for (const part of AROUND) {
    name = name.replace(part, '');
    names.push(name);
  }
  return [...new Set(names)].filter((candidate) => candidate !== '');
}
