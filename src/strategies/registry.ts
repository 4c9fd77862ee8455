import type { Method } from '../specs/spec.ts';
import { drop } from './drop.ts';
import type { Strategy } from './strategy.ts';
import { summarize } from './summarize.ts';
import { truncate } from './truncate.ts';

/** Every strategy; a new one is a file and a line here. Those that need a shell parser are loaded when they are asked for. */
const STRATEGIES: Readonly<Record<Method, () => Strategy | Promise<Strategy>>> = {
  drop: () => drop,
  truncate: () => truncate,
  summarize: () => summarize,
  mask: async () => (await import('./mask.ts')).mask,
  'structured-summary': async () => (await import('./structured-summary.ts')).structuredSummary,
  algorithmic: async () => (await import('./algorithmic.ts')).algorithmic,
  'native-history': async () => (await import('./native-history.ts')).nativeHistory,
  dedupe: async () => (await import('./dedupe.ts')).dedupe,
  'superseded-reads': async () => (await import('./superseded-reads.ts')).supersededReads,
  'error-inputs': async () => (await import('./error-inputs.ts')).errorInputs,
  thinking: async () => (await import('./thinking.ts')).thinking,
  media: async () => (await import('./media.ts')).media,
  'ui-copies': async () => (await import('./ui-copies.ts')).uiCopies,
  'whitespace-lines': async () => (await import('./whitespace-lines.ts')).whitespaceLines,
};

export async function strategyFor(method: Method): Promise<Strategy> {
  return STRATEGIES[method]();
}
