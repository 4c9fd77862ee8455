/** Shortest ref, in hex digits. */
const REF_LENGTH = 12;

/** Gives refs: the first 12 digits of a hash, more when another original of the stash has them. */
export class RefBook {
  readonly #owners = new Map<string, string>();
  readonly #refs = new Map<string, string>();

  /** Known originals: complete ref and sha256. An existing ref never changes. */
  constructor(known: Iterable<readonly [ref: string, sha256: string]> = []) {
    for (const [ref, sha256] of known) this.#add(ref, sha256);
  }

  assign(sha256: string): string {
    const known = this.#refs.get(sha256);
    if (known !== undefined) return known;
    let length = REF_LENGTH;
    while (this.#owners.has(sha256.slice(0, length))) length += 1;
    const ref = sha256.slice(0, length);
    this.#add(ref, sha256);
    return ref;
  }

  #add(ref: string, sha256: string): void {
    this.#owners.set(ref, sha256);
    this.#refs.set(sha256, ref);
  }
}
