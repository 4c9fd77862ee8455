import { get_encoding } from 'tiktoken';
import type { CounterName, TokenCounter } from './counter.ts';
const made = new Map<string, TokenCounter>();
export function createCounter(name: CounterName): TokenCounter {
  let c = made.get(name);
  if (c === undefined) { const e = get_encoding(name as 'o200k_base'); c = { name, count: (t) => e.encode_ordinary(t).length }; made.set(name, c); }
  return c;
}
export function counterForModel(_model: string | undefined): { name: CounterName; exact: boolean } { return { name: 'o200k_base', exact: false }; }
