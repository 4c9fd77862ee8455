import { filesOf, isFileTool } from '../effects/files.ts';
import type { Block } from '../model/conversation.ts';
import { isRetrievalTool, matchesBlock } from '../specs/match.ts';
import type { ProtectRule } from '../specs/protect.ts';
import type { Target } from '../specs/spec.ts';
import type { Reader } from './reader.ts';
import { ruleFileAt, ruleFileIn } from './rule-files.ts';
import type { View } from './view.ts';

/** Why no strategy may touch a block: a rule that protects it, or that it was not selected. */
export interface Guarded {
  /** `protected` or `not-selected`; of an edited plan, why an entry was not carried out. */
  readonly reason: string;
  /** The rule, as it was written. */
  readonly rule?: string;
}

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

/** The rule of what a retrieval tool brought back. */
export const RETRIEVED_RULE = 'retrieval results';

/** The one predicate in front of every strategy. Answers are remembered; texts are read only for rules that need them. */
export class Guard {
  readonly #view: View;
  readonly #reader: Reader;
  readonly #rules: readonly ProtectRule[];
  readonly #selection: Selection;
  readonly #known = new Map<number, Guarded | undefined>();
  #calls: Map<string, Block> | undefined;
  #first: number | undefined;
  #byRecord: ReadonlyMap<number, readonly Block[]> | undefined;
  /** Records with blocks, ascending. */
  #records: readonly number[] | undefined;

  constructor(view: View, reader: Reader, rules: readonly ProtectRule[], selection: Selection) {
    this.#view = view;
    this.#reader = reader;
    this.#rules = rules;
    this.#selection = selection;
  }

  check(block: Block): Guarded | undefined {
    if (this.#known.has(block.index)) return this.#known.get(block.index);
    const found = this.#isSelected(block)
      ? this.#protection(block)
      : ({ reason: 'not-selected' } as const);
    this.#known.set(block.index, found);
    return found;
  }

  /**
   * Whether what a record holds that no model sees may change: it goes with the record's blocks, and is protected with
   * them; without blocks it goes with the message before it.
   */
  allowsRecord(record: number): boolean {
    this.#byRecord ??= blocksByRecord(this.#view);
    const own = this.#byRecord.get(record) ?? [];
    const found = own.map((block) => this.check(block)?.reason);
    if (own.length > 0)
      return !found.includes('protected') && found.some((reason) => reason !== 'not-selected');
    if (Object.keys(this.#selection).length === 0) return true;
    if (this.#selection.only !== undefined) return false;
    this.#records ??= [...this.#byRecord.keys()].toSorted((left, right) => left - right);
    const before = this.#records[lastBelow(this.#records, record)];
    return this.#selects(this.#byRecord.get(before ?? -1)?.[0]?.message ?? 0);
  }

  /** Whether a message is in the selected range, whatever its blocks are. */
  #selects(message: number): boolean {
    const { from = 0, to = Number.POSITIVE_INFINITY, conversation } = this.#selection;
    if (conversation !== undefined && conversation !== this.#view.conversation.id) return false;
    const { number } = this.#view.message(message);
    return number >= from && number <= to && message >= this.#firstOfLast();
  }

  #isSelected(block: Block): boolean {
    const { only } = this.#selection;
    if (!this.#selects(block.message)) return false;
    return only === undefined || only.type === '*' || this.#matches(only, block);
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

  #matches(target: Target, block: Block): boolean {
    const { role } = this.#view.message(block.message);
    const { kind, blank, signed, tool, isError } = block;
    // A call goes with its result.
    if (kind === 'toolCall' && target.type === 'tools')
      return matchesBlock(target, {
        kind: 'toolResult',
        role: 'user',
        blank,
        signed,
        ...named(tool),
      });
    const failed = isError === undefined ? {} : { isError };
    return matchesBlock(target, { kind, role, blank, signed, ...named(tool), ...failed });
  }

  #protection(block: Block): Guarded | undefined {
    if (block.kind === 'toolResult' && isRetrievalTool(block.tool))
      return { reason: 'protected', rule: RETRIEVED_RULE };
    const rule = this.#rules.find((candidate) => this.#applies(candidate, block));
    if (rule !== undefined) return { reason: 'protected', rule: rule.text };
    const file = this.#ruleFile(block);
    return file === undefined ? undefined : { reason: 'protected', rule: `rule file ${file}` };
  }

  #applies(rule: ProtectRule, block: Block): boolean {
    switch (rule.type) {
      case 'tool':
        return this.#matches(rule.target, block);
      case 'file':
        return this.#paths(block).some(rule.matches);
      case 'text':
        return rule.matches(this.#reader.plainText(block) ?? '');
      case 'message':
        return this.#isInRange(block, rule);
      case 'ref':
        return this.#reader.refStarts(block, rule.ref);
      default:
        return rule satisfies never;
    }
  }

  #isInRange(
    { message }: Block,
    { from, to }: { readonly from: number; readonly to: number },
  ): boolean {
    const { number } = this.#view.message(message);
    return number >= from && number <= to;
  }

  /** A rule file that a tool read, or that the client put into a message. */
  #ruleFile(block: Block): string | undefined {
    if (block.kind === 'text') {
      const { role, real, injected, gap } = this.#view.message(block.message);
      // What a capsule says of a rule file is not the file.
      if (role !== 'user' || injected || gap !== undefined) return undefined;
      return ruleFileIn(this.#reader.plainText(block) ?? '', real);
    }
    return this.#paths(block)
      .map(ruleFileAt)
      .find((name) => name !== undefined);
  }

  #paths(block: Block): string[] {
    if (block.kind !== 'toolResult' && block.kind !== 'toolCall') return [];
    if (!isFileTool(block.tool ?? '')) return [];
    const call = block.kind === 'toolCall' ? block : this.#callOf(block);
    if (call === undefined) return [];
    return filesOf({ tool: call.tool ?? '', args: this.#reader.args(call) }).map(
      ({ path }) => path,
    );
  }

  #callOf({ callId }: Block): Block | undefined {
    this.#calls ??= new Map(
      this.#view.conversation.blocks.flatMap((block) =>
        block.kind === 'toolCall' && block.callId !== undefined
          ? [[block.callId, block] as const]
          : [],
      ),
    );
    return callId === undefined ? undefined : this.#calls.get(callId);
  }
}

function named(tool: string | undefined): { tool?: string } {
  return tool === undefined ? {} : { tool };
}

function blocksByRecord({ conversation }: View): Map<number, Block[]> {
  const found = new Map<number, Block[]>();
  for (const block of conversation.blocks) {
    const known = found.get(block.record);
    if (known === undefined) found.set(block.record, [block]);
    else known.push(block);
  }
  return found;
}

/** Index of the last of ascending numbers below a limit, -1 when there is none. */
function lastBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
