import { usageError } from '../errors.ts';
import { plainName } from '../specs/names.ts';
import { didYouMean } from '../specs/nearest.ts';
import { parseSpec } from '../specs/parse.ts';
import { shown } from '../specs/shown.ts';
import type { Method, StrategySpec } from '../specs/spec.ts';

export interface Preset {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  readonly specs: readonly StrategySpec[];
  /** Ends with the emergency cut. */
  readonly emergency: boolean;
}

/** The seed's presets (offload semantics, section 6). Names are stable, what they expand to may change. */
export const PRESETS: readonly Preset[] = [
  preset(
    'auto',
    'large tool results to previews; from 85% of the window a summary of older messages',
    true,
    [
      ['truncate', 'toolResults:previewTokens=750,blockThreshold=1500'],
      ['summarize', '*:contextUtilization=85%,preserveRecent=4'],
    ],
  ),
  preset(
    'agentic',
    'only very large tool results to previews; a summary when the window is full',
    true,
    [
      ['truncate', 'toolResults:previewTokens=750,blockThreshold=8000'],
      ['summarize', '*:contextUtilization=100%,preserveRecent=4'],
    ],
  ),
  preset(
    'proactiveSummarization',
    'from 70% of the window a summary of the older 30% of the messages',
    false,
    [['summarize', '*:contextUtilization=70%,preserveRecent=70%']],
  ),
  preset('largeToolOffloading', 'tool results over 2,500 tokens to previews of 1,000', false, [
    ['truncate', 'toolResults:previewTokens=1000,blockThreshold=2500'],
  ]),
  preset(
    'overflowProtection',
    'when the window is full, drop all but the newest 4 messages',
    true,
    [['drop', '*:contextUtilization=100%,preserveRecent=4']],
  ),
  preset(
    'staleToolCleanup',
    'drop tool results but those of the newest 5 messages that have any',
    false,
    [['drop', 'toolResults:preserveRecent=5']],
  ),
];

/**
 * A preset by name; kebab-case and snake_case are accepted.
 * @throws CtxError with exit 2 that lists the names.
 */
export function findPreset(name: string): Preset {
  const found = PRESETS.find((candidate) => plainName(candidate.name) === plainName(name));
  if (found !== undefined) return found;
  const names = PRESETS.map((candidate) => candidate.name);
  throw usageError(
    `no preset is named ${shown(name)}`,
    `${didYouMean(name, names)}presets: ${names.join(', ')}`,
  );
}

function preset(
  name: string,
  summary: string,
  emergency: boolean,
  steps: readonly (readonly [Method, string])[],
): Preset {
  const specs = steps.map(([method, text]) => ({ ...parseSpec(method, text), preset: name }));
  return { name, summary, emergency, specs };
}
