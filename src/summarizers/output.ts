/** What a program writes to stdout, up to a number of bytes. */
export class Output {
  readonly #most: number;
  readonly #over: () => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** `over` is called once, as soon as there are more than `most` bytes. */
  constructor(most: number, over: () => void) {
    this.#most = most;
    this.#over = over;
  }

  add(chunk: Buffer): void {
    if (this.#size > this.#most) return;
    this.#size += chunk.length;
    if (this.#size > this.#most) this.#over();
    else this.#chunks.push(chunk);
  }

  /** Throws when it is not UTF-8. */
  text(): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#chunks));
    } catch {
      throw new Error('the answer is not UTF-8 text');
    }
  }
}

/** The end of what a program writes to stderr. */
export class Tail {
  #bytes: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-KEPT);
  }

  /** Its last lines that are not blank, in one. */
  text(): string {
    const lines = this.#bytes.toString().split(/[\r\n]+/);
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(-LINES)
      .join(' | ');
  }
}

const KEPT = 8192;
const LINES = 5;
