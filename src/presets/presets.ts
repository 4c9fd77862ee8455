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

/** Steps that take out what is there twice or outdated: nothing that a model would miss. */
const LOSSLESS = [
  ['superseded-reads', ''],
  ['dedupe', 'keep=newest'],
  ['ui-copies', ''],
] as const;

/** The presets of the seeds (offload semantics, section 6; masking and summary, section 10.6). Names are stable, what they expand to may change. */
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
  preset(
    'observation-masking',
    'what older reads brought back to one line each; the newest 2 turns and 4 messages stay exact',
    false,
    [['mask', maskingNumbers(2, 4, '8192')]],
  ),
  preset(
    'observation-masking-agentic',
    'the same for sessions of one long turn: only the newest 8 messages stay exact',
    false,
    [['mask', maskingNumbers(0, 8, 'none')]],
  ),
  preset(
    'structured-summary',
    'older reads and narration to capsules of seven sections; user text, calls and writes stay exact',
    false,
    [['structured-summary', `${maskingNumbers(2, 4, '8192')},maxSummaryTokens=1024,fallback=mask`]],
  ),
  preset(
    'algorithmic',
    'results over 1,024 bytes to one line each, all but the newest 10 pairs of smaller ones to an index',
    false,
    [['algorithmic', 'toolResultSizeThreshold=1024,maxToolPairs=10']],
  ),
  preset(
    'native-history',
    'everything older to capsules of seven sections: user text and settled writes leave the prompt too',
    false,
    [
      [
        'native-history',
        'preserveRecentTurns=2,preserveRecentMessages=4,minTokensSaved=32,maxSourceTokens=8192,maxSummaryTokens=1024,fallback=mask',
      ],
    ],
  ),
  preset(
    'lossless',
    'repeats, outdated reads and copies that no model sees; costs nothing that a model would miss',
    false,
    LOSSLESS,
  ),
  preset(
    'lean',
    'lossless, all pictures but the newest, results older than 10 messages; costs old outputs',
    false,
    [...LOSSLESS, ['media', 'keep=1'], ['drop', 'toolResults:preserveRecent=10']],
  ),
  preset(
    'archive',
    'all but user text and the last turn; costs replies, outputs, thoughts: to keep, not to go on',
    false,
    [
      ['thinking', 'keep=0'],
      ['media', 'keep=0'],
      ['drop', 'toolResults:preserveRecentTurns=1'],
      ['drop', 'toolResultErrors:preserveRecentTurns=1'],
      ['drop', 'assistantText:preserveRecentTurns=1'],
      ['ui-copies', ''],
    ],
  ),
];

/** The numbers of observation masking (masking and summary, section 10.6). */
function maskingNumbers(turns: number, messages: number, source: string): string {
  return `preserveRecentTurns=${turns},preserveRecentMessages=${messages},minObservationTokens=256,minTokensSaved=32,maxSourceTokens=${source},passes=auto`;
}

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
