import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Tiktoken } from 'tiktoken/lite';
import type { BpeName } from '../../src/measure/bpe.ts';

const require = createRequire(import.meta.url);
const encoders = new Map<BpeName, Tiktoken>();

export const ENCODINGS: readonly BpeName[] = ['o200k_base', 'cl100k_base'];

/** The number tiktoken gives. */
export function expected(name: BpeName, text: string): number {
  return encoder(name).encode_ordinary(text).length;
}

/** A number from 0 up to 1 at each call, the same ones for the same seed. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` picks from the list, joined. */
export function pickText(random: () => number, list: readonly string[], count: number): string {
  return Array.from({ length: count }, () => list[Math.floor(random() * list.length)]).join('');
}

function encoder(name: BpeName): Tiktoken {
  let known = encoders.get(name);
  if (known === undefined) {
    const file = readFileSync(require.resolve(`tiktoken/encoders/${name}.json`), 'utf8');
    const { bpe_ranks, special_tokens, pat_str } = JSON.parse(file);
    known = new Tiktoken(bpe_ranks, special_tokens, pat_str);
    encoders.set(name, known);
  }
  return known;
}
