import { type BpeName, createBpeCounter } from './bpe.ts';
import type { CounterName, TokenCounter } from './counter.ts';
import { heuristicCounter } from './heuristic.ts';
import { oneRingAiCounter } from './oneringai.ts';

/** Counters that need no tables. */
const ESTIMATES: Readonly<Partial<Record<CounterName, TokenCounter>>> = {
  heuristic: heuristicCounter,
  oneringai: oneRingAiCounter,
};
const counters = new Map<CounterName, TokenCounter>();

/** The counter of this name; its tables are built at the first call and kept. */
export function createCounter(name: CounterName): TokenCounter {
  const known = counters.get(name) ?? ESTIMATES[name];
  if (known !== undefined) return known;
  const counter = createBpeCounter(name as BpeName);
  counters.set(name, counter);
  return counter;
}

/** What may stand before an OpenAI model's own name. */
const PROVIDERS =
  /^(?:(?:openai|azure|azure-openai|openrouter|github|github-copilot|copilot|litellm|vercel|ft)[/:.])+/;
/** Models whose encoding OpenAI has published: the name alone, or with a suffix or a date. */
const O200K =
  /^(?:(?:chatgpt|gpt)-4o|gpt-4\.1|gpt-4\.5|gpt-5(?:\.\d+)?|gpt-oss|o1|o3|o4|codex-mini)(?![^-:@])/;
const CL100K = /^(?:gpt-4|gpt-3\.5|gpt-35|text-embedding-3|text-embedding-ada-002)(?![^-:@])/;

/**
 * The counter for a model, and whether it is the model's own encoding. Every other model is
 * measured with o200k_base, which is then an estimate.
 */
export function counterForModel(model: string | undefined): { name: CounterName; exact: boolean } {
  const own = (model ?? '').toLowerCase().replace(PROVIDERS, '');
  if (O200K.test(own)) return { name: 'o200k_base', exact: true };
  if (CL100K.test(own)) return { name: 'cl100k_base', exact: true };
  return { name: 'o200k_base', exact: false };
}
