import { readFileSync } from 'node:fs';
import { type EffectRules, NO_RULES } from '../effects/call.ts';
import { readManifest } from '../effects/manifest.ts';
import { parseEffectFlag, parseObserve } from '../effects/rules.ts';
import { inputError, usageError } from '../errors.ts';
import type { PrepareOptions, SummaryTerms } from '../prepare.ts';
import { METHODS } from '../specs/methods.ts';
import type { MaskingOptions, StrategySpec } from '../specs/spec.ts';
import type { HelperEvent } from '../summarize/helper.ts';
import type { Io } from './io.ts';

export interface MaskingFlags {
  readonly preserveTurns?: number;
  readonly preserveMessages?: number;
  readonly maskErrors?: boolean;
  readonly strictSignatures?: boolean;
  readonly mergeCapsules?: boolean;
  readonly summarizeInlineText?: boolean;
  readonly fallback?: 'mask' | 'error';
  readonly repair?: number;
  readonly effect?: readonly string[];
  readonly observe?: readonly string[];
  readonly tools?: string;
}

export interface SummarizerFlags {
  readonly summarizer?: string;
  readonly summarizerInput?: 'json' | 'text';
  readonly summarizerTimeout?: number;
  readonly summarizerConcurrency?: number;
  readonly allowTransfer?: boolean;
}

/** Flags that stand for an option of every step that takes it. */
const OVERRIDES: readonly (readonly [
  flag: keyof MaskingFlags,
  option: keyof MaskingOptions,
  name: string,
])[] = [
  ['preserveTurns', 'preserveRecentTurns', '--preserve-turns'],
  ['preserveMessages', 'preserveRecentMessages', '--preserve-messages'],
  ['maskErrors', 'maskErrors', '--mask-errors'],
  ['strictSignatures', 'strictSignatures', '--strict-signatures'],
  ['mergeCapsules', 'mergeCapsules', '--merge-capsules'],
  ['summarizeInlineText', 'summarizeInlineText', '--summarize-inline-text'],
  ['fallback', 'fallback', '--fallback'],
  ['repair', 'repair', '--repair'],
];

/**
 * Puts flags into the steps that they are for.
 * @throws CtxError with exit 2 when no step takes one of them.
 */
export function overrideSpecs(
  specs: readonly StrategySpec[],
  flags: MaskingFlags,
): readonly StrategySpec[] {
  let overridden = specs;
  if (flags.repair !== undefined && flags.repair > 1)
    throw usageError('--repair takes 0 or 1', 'a further repair would not read the source again');
  for (const [flag, option, name] of OVERRIDES) {
    if (flags[flag] === undefined) continue;
    if (!overridden.some(({ method }) => METHODS[method].accepts.includes(option)))
      throw usageError(
        `no step takes ${name}`,
        'it belongs to --mask, --structured-summary and --native-history, or to their presets',
      );
    overridden = overridden.map((spec) =>
      METHODS[spec.method].accepts.includes(option) ? { ...spec, [option]: flags[flag] } : spec,
    );
  }
  return overridden;
}

/** What the flags say of tools. @throws CtxError: 2 for a malformed flag or manifest, 3 for a file that can't be read. */
export function effectRules(flags: MaskingFlags): EffectRules {
  const { effect = [], observe = [], tools } = flags;
  return {
    effects: effect.map(parseEffectFlag),
    observed: observe.map(parseObserve),
    manifest: tools === undefined ? NO_RULES.manifest : readManifest(readJson(tools)),
  };
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw inputError(`the tool manifest ${path} can't be read`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(`the tool manifest ${path} is not JSON`, 'give the result of MCP tools/list');
  }
}

/** The summarizer that the flags name; it is loaded only when it is another than the built-in one. */
export async function chosenSummarizer(
  flags: SummarizerFlags,
  io: Io,
): Promise<Pick<PrepareOptions, 'summarizer'>> {
  const { summarizer = 'extractive', summarizerInput, summarizerTimeout } = flags;
  if (summarizer === 'extractive') return {};
  const { chooseSummarizer } = await import('../summarizers/choose.ts');
  return {
    summarizer: chooseSummarizer(
      summarizer,
      {
        ...(summarizerInput === undefined ? {} : { input: summarizerInput }),
        ...(summarizerTimeout === undefined ? {} : { timeoutMs: summarizerTimeout * 1000 }),
      },
      io.env,
    ),
  };
}

/** On which terms it is asked; a plan that is only shown asks nobody. */
export function summaryTerms(
  flags: SummarizerFlags & { readonly dryRun?: boolean },
  io: Io,
  onEvent: (event: HelperEvent) => void,
): SummaryTerms {
  const external = flags.summarizer !== undefined && flags.summarizer !== 'extractive';
  return {
    allowTransfer: flags.allowTransfer ?? false,
    preview: flags.dryRun ?? false,
    onEvent,
    ...(flags.summarizerConcurrency === undefined
      ? {}
      : { concurrency: flags.summarizerConcurrency }),
    ...(external && flags.dryRun !== true ? { signal: io.interrupt } : {}),
  };
}
