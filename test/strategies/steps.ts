import type { Step } from '../../src/index.ts';

/** Every strategy that knows more than sizes, alone and in random combinations, over sessions with repeats. */
export const STEPS: readonly Step[] = [
  ['dedupe', 'keep=newest'],
  ['dedupe', 'keep=oldest'],
  ['superseded-reads', ''],
  ['error-inputs', ''],
  ['thinking', 'keep=0'],
  ['thinking', 'keep=1'],
  ['media', 'keep=0'],
  ['media', 'keep=2'],
  ['ui-copies', 'minBytes=300'],
  ['whitespace-lines', 'minLines=2'],
  ['mask', 'preserveRecentTurns=1,minObservationTokens=50'],
  ['mask', 'preserveRecentTurns=0,preserveRecentMessages=2,maskErrors=true,threshold=50%'],
  ['structured-summary', 'preserveRecentTurns=0,preserveRecentMessages=2,minObservationTokens=50'],
  ['structured-summary', 'preserveRecentTurns=1,maxSourceTokens=2000,summarizeInlineText=true'],
  ['algorithmic', 'toolResultSizeThreshold=300,maxToolPairs=2'],
  ['algorithmic', 'maxToolPairs=0,threshold=1000'],
  ['native-history', 'preserveRecentTurns=0,preserveRecentMessages=2'],
  ['native-history', 'preserveRecentTurns=1,maxSourceTokens=1000'],
  ['drop', 'toolResults:preserveRecentTurns=1'],
  ['truncate', 'toolResults:blockThreshold=100,previewTokens=40'],
  ['summarize', '*:preserveRecent=3'],
  'lossless',
  'lean',
  'archive',
];
