/** A record that costs more than this is read member by member. */
const MOST = 240;

/** Shorter ones say nothing by themselves; leaving them out keeps a list of numbers from making rows. */
const LEAST = 8;

/** Sentences run longer than records and cannot be taken apart. */
const LONGEST_SENTENCE = 400;

/** Deeper brackets are text to the records around them. */
const DEEPEST = 64;

/** JSON, or the way Python and others print lists and maps, perhaps behind a label. */
const BRACKETED = /^\s{0,8}(?:[\w.-]{1,40}\s?[:=]\s?)?[[{]\s{0,8}["'[{\d-]/;

/** Where one sentence ends and the next begins, or one state of a progress display and the next. */
const SENTENCE_END = /\r|(?<=[.!?]["')\]]?)\s(?=["'(*`[]?[\p{Lu}\p{Lo}\d])/gu;

/** The parts of a line that is too long to be quoted whole, verbatim and in order: records, or sentences. */
export function recordsOf(line: string): string[] {
  return BRACKETED.test(line.slice(0, 80)) ? bracketed(line) : sentences(line);
}

function sentences(line: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const { index } of line.matchAll(SENTENCE_END)) {
    if (index - start <= LONGEST_SENTENCE) found.push(line.slice(start, index));
    start = index + 1;
  }
  // Without a single end it is no run of sentences but one long thing.
  if (start > 0 && line.length - start <= LONGEST_SENTENCE) found.push(line.slice(start));
  return found.map((part) => part.trim()).filter((part) => part.length >= LEAST);
}

/** A bracket that is open: where its current member starts, and how many spans there were then. */
interface Frame {
  start: number;
  mark: number;
}

/** The largest members of lists and maps that are short enough, in one pass: a member takes the place of its own. */
function bracketed(line: string): string[] {
  const scan = new Scan(line);
  for (let at = 0; at < line.length; at += 1) at = scan.read(at);
  return scan.finish();
}

class Scan {
  readonly #line: string;
  /** Starts and ends, in turn. */
  readonly #spans: number[] = [];
  readonly #frames: Frame[] = [{ start: 0, mark: 0 }];
  #deeper = 0;

  constructor(line: string) {
    this.#line = line;
  }

  /** Reads what stands at a place and tells where it ends. */
  read(at: number): number {
    switch (this.#line.charCodeAt(at)) {
      case 0x22: // "
      case 0x27: // '
        return this.#string(at);
      case 0x5b: // [
      case 0x7b: // {
        this.#open(at);
        break;
      case 0x2c: // ,
        if (this.#deeper === 0) this.#next(at);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        this.#close(at);
        break;
      default:
    }
    return at;
  }

  finish(): string[] {
    while (this.#frames.length > 0) this.#end(this.#frames.pop(), this.#line.length);
    const found: string[] = [];
    for (let at = 0; at < this.#spans.length; at += 2) {
      const part = this.#line.slice(this.#spans[at], this.#spans[at + 1]).trim();
      if (part.length >= LEAST) found.push(part);
    }
    return found;
  }

  #open(at: number): void {
    if (this.#frames.length > DEEPEST) this.#deeper += 1;
    else this.#frames.push({ start: at + 1, mark: this.#spans.length });
  }

  #close(at: number): void {
    if (this.#deeper > 0) this.#deeper -= 1;
    else if (this.#frames.length > 1) this.#end(this.#frames.pop(), at);
  }

  #next(at: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    this.#end(frame, at);
    frame.start = at + 1;
    frame.mark = this.#spans.length;
  }

  #end(frame: Frame | undefined, end: number): void {
    if (frame === undefined || end - frame.start > MOST) return;
    this.#spans.length = Math.min(this.#spans.length, frame.mark);
    if (end - frame.start >= LEAST) this.#spans.push(frame.start, end);
  }

  /** A long string is often a text of many lines: each of them is a part. */
  #string(open: number): number {
    const quote = this.#line.charCodeAt(open);
    let from = open + 1;
    let at = from;
    for (; at < this.#line.length; at += 1) {
      const unit = this.#line.charCodeAt(at);
      if (unit === quote) break;
      if (unit !== 0x5c) continue;
      if (this.#line.charCodeAt(at + 1) === 0x6e) {
        this.#end({ start: from, mark: this.#spans.length }, at);
        from = at + 2;
      }
      at += 1;
    }
    if (from > open + 1) this.#end({ start: from, mark: this.#spans.length }, at);
    return at;
  }
}
