import { sha256Hex } from '../../hash/hash.ts';
import type { LiteralPlace } from '../../model/conversation.ts';
import { arrayAt, stringAt, valueAt } from '../value.ts';

/** A text of the history, where its literal stands. */
export interface OwnText {
  readonly text: string;
  readonly record: number;
  readonly pointer: string;
}

interface Repeat {
  readonly step: number;
  readonly hash: string;
  readonly place: LiteralPlace;
}

/**
 * Finds the texts of the history again in the prompts of the steps. Equal texts pair in the order in which they
 * stand, within each prompt; it holds hashes, never text.
 */
export class Repeats {
  readonly #owners = new Map<string, string[]>();
  readonly #repeats: Repeat[] = [];

  own({ text, record, pointer }: OwnText): void {
    const hash = sha256Hex(text);
    const owners = this.#owners.get(hash) ?? [];
    this.#owners.set(hash, owners);
    owners.push(`${record}${pointer}`);
  }

  /** A message of the prompt of a step: its text is a string, or in a list of parts (for a prompt cache). */
  prompt(step: number, message: unknown, record: number): void {
    const content = valueAt(message, 'content');
    if (typeof content === 'string') this.#add(step, content, { record, pointer: '/content' });
    for (const [index, part] of (arrayAt(message, 'content') ?? []).entries()) {
      const text = stringAt(part, 'text');
      if (text !== undefined) this.#add(step, text, { record, pointer: `/content/${index}/text` });
    }
  }

  /** The places of each text of the history, by its record and pointer. */
  places(): ReadonlyMap<string, LiteralPlace[]> {
    const found = new Map<string, LiteralPlace[]>();
    let seen = new Map<string, number>();
    let current = -1;
    for (const { step, hash, place } of this.#repeats) {
      if (step !== current) seen = new Map();
      current = step;
      const nth = seen.get(hash) ?? 0;
      seen.set(hash, nth + 1);
      const owner = this.#owners.get(hash)?.[nth];
      if (owner === undefined) continue;
      const places = found.get(owner) ?? [];
      places.push(place);
      found.set(owner, places);
    }
    return found;
  }

  #add(step: number, text: string, place: LiteralPlace): void {
    this.#repeats.push({ step, hash: sha256Hex(text), place: { ...place, again: true } });
  }
}
