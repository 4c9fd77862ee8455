const NAMES =
  'alpha billing cache daemon ledger gateway index worker tenant mirror quota shard'.split(' ');

/** A small generator of its own, so that the sessions are the same on every run. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick(choices: readonly string[]): string {
    return choices[this.below(choices.length)] ?? '';
  }

  name(): string {
    return this.pick(NAMES);
  }

  number(): number {
    return 100 + this.below(90_000);
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }
}
