import { compactJson } from '../json/compact.ts';
import type { MediaKind } from '../model/conversation.ts';
import type { TokenCounter } from './counter.ts';
import { estimateMedia, type MediaData } from './media.ts';

/** Measures the content of blocks: text with the counter, JSON as compact JSON, media by their dimensions. */
export interface Meter {
  readonly counter: TokenCounter['name'];
  text(text: string): number;
  json(value: unknown): number;
  media(kind: MediaKind, data: MediaData): { readonly tokens: number; readonly known: boolean };
}

export type Vendor = 'anthropic' | 'openai' | 'google' | 'other';

/** A meter over one counter; media follow the vendor's published formula. */
export function createMeter(counter: TokenCounter, vendor: Vendor): Meter {
  const text = (value: string) => (value === '' ? 0 : counter.count(value));
  return {
    counter: counter.name,
    text,
    // The heuristic takes two characters of JSON for a token (offload semantics, section 10).
    json: (value) =>
      counter.name === 'heuristic'
        ? Math.ceil(compactJson(value).length / 2)
        : text(compactJson(value)),
    media: (kind, data) => estimateMedia(kind, data, vendor),
  };
}

/** A meter that counts nothing: for passes that only look at structure. */
export const NO_METER: Meter = {
  counter: 'heuristic',
  text: () => 0,
  json: () => 0,
  media: () => ({ tokens: 0, known: false }),
};
