import type { Block } from '../model/conversation.ts';
import type { Target } from '../specs/spec.ts';
import { takesBlock } from './takes-block.ts';
import type { View } from './view.ts';

/** What a person chose to act on; everything when empty. */
export interface Selection {
  /** Messages by number, inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Only the last N messages. */
  readonly last?: number;
  readonly only?: Target;
  /** Id of a conversation. */
  readonly conversation?: string;
}

/** Which blocks of a conversation were chosen. */
export class Selected {
  readonly #view: View;
  readonly #selection: Selection;
  #first: number | undefined;
  /** Records with the message of their first block, ascending. */
  #records: readonly (readonly [record: number, message: number])[] | undefined;

  constructor(view: View, selection: Selection) {
    this.#view = view;
    this.#selection = selection;
  }

  has(block: Block): boolean {
    const { only } = this.#selection;
    if (!this.#selects(block.message)) return false;
    return only === undefined || only.type === '*' || takesBlock(this.#view, only, block);
  }

  /** Whether a record without blocks was chosen: it goes with the message before it. */
  hasRecord(record: number): boolean {
    if (Object.keys(this.#selection).length === 0) return true;
    if (this.#selection.only !== undefined) return false;
    this.#records ??= recordsWithBlocks(this.#view);
    const before = this.#records[lastBelow(this.#records, record)];
    return this.#selects(before?.[1] ?? 0);
  }

  /** Whether a message is in the selected range, whatever its blocks are. */
  #selects(message: number): boolean {
    const { from = 0, to = Number.POSITIVE_INFINITY, conversation } = this.#selection;
    if (conversation !== undefined && conversation !== this.#view.conversation.id) return false;
    const { number } = this.#view.message(message);
    return number >= from && number <= to && message >= this.#firstOfLast();
  }

  #firstOfLast(): number {
    const { last } = this.#selection;
    if (last === undefined) return 0;
    if (last === 0) return Number.POSITIVE_INFINITY;
    this.#first ??= this.#firstFromEnd(last);
    return this.#first;
  }

  /** A marker counts as the messages that it stands for, or a second run would reach further. */
  #firstFromEnd(last: number): number {
    let left = last;
    const counted = this.#view.conversation.messages.filter(
      ({ live, injected }) => live && !injected,
    );
    for (const { index, gap, blocks } of counted.toReversed()) {
      const stands = blocks.map((block) => this.#view.block(block).placeholder?.messages ?? 0);
      left -= stands.reduce((all, one) => all + one, gap === undefined ? 1 : 0);
      if (left <= 0) return index;
    }
    return 0;
  }
}

function recordsWithBlocks({ conversation }: View): (readonly [number, number])[] {
  const found = new Map<number, number>();
  for (const { record, message } of conversation.blocks)
    if (!found.has(record)) found.set(record, message);
  return [...found].toSorted(([left], [right]) => left - right);
}

/** Index of the last of ascending records below a limit, -1 when there is none. */
function lastBelow(records: readonly (readonly [number, number])[], limit: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle]?.[0] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
