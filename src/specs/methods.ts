import type { OptionName } from './option-table.ts';
import type { Method } from './spec.ts';

/** What the command line has to know of a method before its code is loaded. */
export interface MethodFacts {
  /** Offload methods take a target; masking ones and cleaners have their own, and may have no options at all. */
  readonly family: 'offload' | 'masking' | 'cleaner';
  readonly accepts: readonly OptionName[];
  readonly help: string;
  /** Its `keep` is a number; without this it is an end. */
  readonly counted?: true;
}

const CONDITIONS = [
  'blockThreshold',
  'contextUtilization',
  'preserveRecent',
  'preserveRecentTurns',
] as const;
const MASKING = [
  'contextUtilization',
  'threshold',
  'preserveRecentTurns',
  'preserveRecentMessages',
  'minObservationTokens',
  'minTokensSaved',
  'maxSourceTokens',
  'passes',
  'groupMixedEffect',
  'maskErrors',
  'strictSignatures',
] as const;
const CAPSULES = ['maxSummaryTokens', 'fallback', 'repair', 'timeoutMs'] as const;

/** Every method, in the order of the help. */
export const METHODS: Readonly<Record<Method, MethodFacts>> = {
  drop: {
    family: 'offload',
    accepts: CONDITIONS,
    help: "replace by a marker: 'target[:blockThreshold=…,contextUtilization=…,preserveRecent=…]'",
  },
  truncate: {
    family: 'offload',
    accepts: [...CONDITIONS, 'previewTokens', 'preview'],
    help: 'leave a preview; also previewTokens=N, preview=head|tail|headTail',
  },
  summarize: {
    family: 'offload',
    accepts: [...CONDITIONS, 'summaryTokens'],
    help: 'leave a summary; also summaryTokens=N',
  },
  dedupe: {
    family: 'cleaner',
    accepts: ['contextUtilization', 'keep'],
    help: 'of equal outputs, injected texts and records keep one; keep=newest|oldest',
  },
  'superseded-reads': {
    family: 'cleaner',
    accepts: ['contextUtilization'],
    help: 'drop reads of files that were written or read again later',
  },
  'error-inputs': {
    family: 'cleaner',
    accepts: ['contextUtilization'],
    help: 'drop bulky inputs of calls that failed and then succeeded',
  },
  thinking: {
    family: 'cleaner',
    accepts: ['contextUtilization', 'keep'],
    help: 'take whole thoughts of finished turns out; keep=N turns',
    counted: true,
  },
  media: {
    family: 'cleaner',
    accepts: ['contextUtilization', 'keep'],
    help: 'keep the newest pictures and documents; keep=N',
    counted: true,
  },
  'ui-copies': {
    family: 'cleaner',
    accepts: ['minBytes'],
    help: 'shorten copies that no model sees; minBytes=N',
  },
  'whitespace-lines': {
    family: 'cleaner',
    accepts: ['contextUtilization', 'minLines'],
    help: 'fold runs of blank or repeated lines; minLines=N',
  },
  mask: {
    family: 'masking',
    accepts: MASKING,
    help: 'replace what older reads brought back by one line',
  },
  'structured-summary': {
    family: 'masking',
    accepts: [...MASKING, ...CAPSULES, 'mergeCapsules', 'summarizeInlineText'],
    help: 'mask, take older narration out, and add a capsule of seven sections',
  },
  algorithmic: {
    family: 'masking',
    accepts: ['contextUtilization', 'threshold', 'toolResultSizeThreshold', 'maxToolPairs'],
    help: 'results over 1024 bytes to one line, older small pairs to an index',
  },
  'native-history': {
    family: 'masking',
    accepts: [
      'contextUtilization',
      'threshold',
      'preserveRecentTurns',
      'preserveRecentMessages',
      'minTokensSaved',
      'maxSourceTokens',
      ...CAPSULES,
    ],
    help: 'older messages to a capsule, user text and writes too',
  },
};

/** The methods of a family, in order. */
export function methodsOf(family: MethodFacts['family']): Method[] {
  return (Object.keys(METHODS) as Method[]).filter((method) => METHODS[method].family === family);
}
