import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { append } from '../append.ts';
import { stashError } from '../errors.ts';
import {
  HEADER,
  type OriginalFacts,
  originalLine,
  type RunLine,
  readOriginal,
  type TocLine,
} from './lines.ts';
import { lockStash } from './lock.ts';
import { openStash, readRuns, type Stash } from './store.ts';

/** Appends one run to a stash. Until `finish` has returned, `abort` leaves the stash as it was found. */
export class StashWriter {
  readonly path: string;
  readonly #fd: number;
  readonly #unlock: () => void;
  readonly #existed: boolean;
  readonly #startSize: number;
  readonly #known: Map<string, readonly [number, number]>;
  /** Runs of a stash that ends without a table: they are listed anew, in a chain of their own. */
  readonly #unlisted: readonly RunPlace[];
  readonly #rebuilt: boolean;
  readonly #prev: number | null;
  readonly #own = new Map<string, readonly [number, number]>();
  readonly #summaries = new Map<string, Buffer>();
  readonly #knownSummaries: ReadonlySet<string>;
  readonly #runs: RunLine[] = [];
  readonly #runIds: ReadonlySet<string>;
  #offset: number;
  #closed = false;

  constructor(path: string) {
    this.path = path;
    this.#unlock = lockStash(path);
    this.#existed = existsSync(path);
    let stash: Stash | undefined;
    let runs: readonly RunPlace[] = [];
    try {
      stash = this.#existed ? openStash(path) : undefined;
      if (stash !== undefined) runs = runPlaces(stash);
      this.#fd = openSync(path, this.#existed ? 'r+' : 'wx+', 0o600);
    } catch (cause) {
      this.#unlock();
      throw cause;
    } finally {
      stash?.close();
    }
    this.#startSize = fstatSync(this.#fd).size;
    this.#offset = this.#startSize;
    this.#known = new Map(stash?.refs ?? []);
    this.#knownSummaries = new Set(stash?.summaries.keys());
    this.#runIds = new Set(runs.map(({ id }) => id));
    this.#unlisted = stash?.toc === null ? runs : [];
    this.#rebuilt = stash !== undefined && stash.toc === null;
    this.#prev = stash?.toc ?? null;
    try {
      if (stash === undefined) this.#append(Buffer.from(HEADER));
      else if (stash.sound < stash.size) this.#append(Buffer.from('\n'));
    } catch (cause) {
      this.abort();
      throw cause;
    }
  }

  has(ref: string): boolean {
    return this.#known.has(ref) || this.#own.has(ref);
  }

  /** Stores an original unless the stash has it: equal bytes share one entry. A damaged one is stored again. */
  add({ ref, ...facts }: OriginalFacts, pieces: readonly Buffer[]): void {
    const known = this.#known.get(ref);
    if (this.#own.has(ref) || (known !== undefined && this.#isSound(ref, known))) return;
    this.#put(ref, originalLine({ ref, ...facts }, pieces));
  }

  /** Takes over a line of another stash as it is. */
  addLine(ref: string, line: Buffer): void {
    if (!this.has(ref)) this.#put(ref, line);
  }

  #put(ref: string, line: Buffer): void {
    this.#own.set(ref, [this.#offset, line.length - 1]);
    this.#append(line);
  }

  /** Takes over runs of another stash, so that the whole chain can be undone from this one. */
  addRuns(runs: readonly RunLine[]): void {
    append(
      this.#runs,
      runs.filter((run) => !this.#runIds.has(run.id)),
    );
  }

  /** Adds an answer of a summarizer, as its line; it is written with the next run. */
  addSummary(key: string, line: Buffer): void {
    if (!this.#knownSummaries.has(key)) this.#summaries.set(key, line);
  }

  /** Makes what was added durable and reads it back. @throws CtxError when a byte differs. */
  seal(): void {
    fsyncSync(this.#fd);
    for (const [ref, place] of this.#own) {
      if (this.#isSound(ref, place)) continue;
      throw stashError('stash-corrupt', `the stash ${this.path} did not keep ${ref}`, {
        hint: 'check the disk; nothing was replaced',
      });
    }
  }

  #isSound(ref: string, [offset, length]: readonly [number, number]): boolean {
    const line = Buffer.alloc(length);
    readSync(this.#fd, line, 0, length, offset);
    return readOriginal(line)?.ref === ref;
  }

  /** Adds run lines and the table of contents; durable when it returns, and still undone by `abort`. */
  finish(runs: readonly RunLine[]): { entries: number; bytes: number } {
    let prev = this.#rebuilt ? null : this.#prev;
    let refs = new Map(this.#rebuilt ? [...this.#known, ...this.#own] : this.#own);
    let summaries: TocLine['summaries'];
    const list = (run: string, at: number) => {
      const own = summaries === undefined ? {} : { summaries };
      const toc: TocLine = { t: 'toc', run, at, refs: Object.fromEntries(refs), ...own, prev };
      prev = this.#offset;
      this.#append(Buffer.from(`${JSON.stringify(toc)}\n`));
      refs = new Map();
      summaries = undefined;
    };
    for (const { id, at } of this.#unlisted) list(id, at);
    const added = [...this.#runs, ...runs.filter((run) => !this.#runIds.has(run.id))];
    if (added.length > 0) summaries = this.#writeSummaries();
    for (const run of added) {
      const at = this.#offset;
      this.#append(Buffer.from(`${JSON.stringify(run)}\n`));
      list(run.id, at);
    }
    fsyncSync(this.#fd);
    const entries = new Set([...this.#known.keys(), ...this.#own.keys()]).size;
    return { entries, bytes: this.#offset };
  }

  #writeSummaries(): TocLine['summaries'] {
    const places: Record<string, readonly [number, number]> = {};
    for (const [key, line] of this.#summaries) {
      places[key] = [this.#offset, line.length - 1];
      this.#append(line);
    }
    return this.#summaries.size === 0 ? undefined : places;
  }

  /** Keeps what was written. */
  release(): void {
    this.#close(() => {});
  }

  /** Leaves the stash as it was found. */
  abort(): void {
    if (this.#closed) return;
    try {
      if (this.#existed) ftruncateSync(this.#fd, this.#startSize);
    } finally {
      this.#close(() => {
        if (!this.#existed) rmSync(this.path, { force: true });
      });
    }
  }

  /** The lock goes last, and goes whatever fails. */
  #close(cleanUp: () => void): void {
    this.#closed = true;
    try {
      closeSync(this.#fd);
      cleanUp();
    } finally {
      this.#unlock();
    }
  }

  #append(bytes: Buffer): void {
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(
        this.#fd,
        bytes,
        written,
        bytes.length - written,
        this.#offset + written,
      );
    }
    this.#offset += bytes.length;
  }
}

interface RunPlace {
  readonly id: string;
  readonly at: number;
}

function runPlaces(stash: Stash): RunPlace[] {
  return stash.runOffsets.flatMap((at) =>
    readRuns({ ...stash, runOffsets: [at] }).map(({ id }) => ({ id, at })),
  );
}
