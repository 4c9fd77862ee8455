/** Counts tokens of a text. Special-token text counts as ordinary text; a lone surrogate as U+FFFD. */
export interface TokenCounter {
  readonly name: CounterName;
  count(text: string): number;
}

export type CounterName = 'o200k_base' | 'cl100k_base' | 'heuristic' | 'oneringai';

export const COUNTER_NAMES: readonly CounterName[] = [
  'o200k_base',
  'cl100k_base',
  'heuristic',
  'oneringai',
];
