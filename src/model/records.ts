/** The records of a transcript and their byte spans, kept in flat arrays: a session has many. */
export interface RecordTable {
  readonly count: number;
  /** First byte of the record's content. */
  start(record: number): number;
  /** End of its content (exclusive), before its line end. */
  end(record: number): number;
  /** End of the record with its line end; of an array's element the start of the one behind it, or its own end. */
  next(record: number): number;
}

/** Whether a record is the first element of its array; a later one begins where the one before it says. */
export function opensArray(records: RecordTable, record: number): boolean {
  return record === 0 || records.next(record - 1) !== records.start(record);
}

/** A growing record table. */
export class Records implements RecordTable {
  #spans = new Float64Array(3 * 1024);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(start: number, end: number, next: number): number {
    const at = this.#count * 3;
    if (at + 3 > this.#spans.length) {
      const larger = new Float64Array(this.#spans.length * 2);
      larger.set(this.#spans);
      this.#spans = larger;
    }
    this.#spans.set([start, end, next], at);
    this.#count += 1;
    return this.#count - 1;
  }

  start(record: number): number {
    return this.#spans[record * 3] as number;
  }

  end(record: number): number {
    return this.#spans[record * 3 + 1] as number;
  }

  next(record: number): number {
    return this.#spans[record * 3 + 2] as number;
  }
}
