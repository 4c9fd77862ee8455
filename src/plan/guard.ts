import { filesOf, isFileTool } from '../effects/files.ts';
import type { Block } from '../model/conversation.ts';
import { isRetrievalTool } from '../specs/match.ts';
import type { ProtectRule } from '../specs/protect.ts';
import type { Reader } from './reader.ts';
import { ruleFileAt, ruleFileIn } from './rule-files.ts';
import { Selected, type Selection } from './selection.ts';
import { takesBlock } from './takes-block.ts';
import type { View } from './view.ts';

/** Why no strategy may touch a block: a rule that protects it, or that it was not selected. */
export interface Guarded {
  /** `protected` or `not-selected`; of an edited plan, why an entry was not carried out. */
  readonly reason: string;
  /** The rule, as it was written. */
  readonly rule?: string;
}

/** The rule of what a retrieval tool brought back. */
export const RETRIEVED_RULE = 'retrieval results';

/** The one predicate in front of every strategy. Answers are remembered; texts are read only for rules that need them. */
export class Guard {
  readonly #view: View;
  readonly #reader: Reader;
  readonly #rules: readonly ProtectRule[];
  readonly #selected: Selected;
  readonly #known = new Map<number, Guarded | undefined>();
  #calls: ReadonlyMap<string, readonly Block[]> | undefined;
  #byRecord: ReadonlyMap<string, readonly Block[]> | undefined;

  constructor(view: View, reader: Reader, rules: readonly ProtectRule[], selection: Selection) {
    this.#view = view;
    this.#reader = reader;
    this.#rules = rules;
    this.#selected = new Selected(view, selection);
  }

  check(block: Block): Guarded | undefined {
    if (this.#known.has(block.index)) return this.#known.get(block.index);
    const found = this.#selected.has(block)
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
    this.#byRecord ??= groupedBy(this.#view, ({ record: held }) => String(held));
    const own = this.#byRecord.get(String(record)) ?? [];
    if (own.length === 0) return this.#selected.hasRecord(record);
    const found = own.map((block) => this.check(block)?.reason);
    return !found.includes('protected') && found.some((reason) => reason !== 'not-selected');
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
        return takesBlock(this.#view, rule.target, block);
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

  /** Ids are used again by some clients: a result answers the latest call before it. */
  #callOf({ callId, index }: Block): Block | undefined {
    this.#calls ??= groupedBy(this.#view, ({ kind, callId: id }) =>
      kind === 'toolCall' ? id : undefined,
    );
    const calls = this.#calls.get(callId ?? '') ?? [];
    return calls.findLast((call) => call.index < index) ?? calls[0];
  }
}

/** Blocks by a key; those without one are left out. */
function groupedBy(
  { conversation }: View,
  keyOf: (block: Block) => string | undefined,
): Map<string, Block[]> {
  const found = new Map<string, Block[]>();
  for (const block of conversation.blocks) {
    const key = keyOf(block);
    if (key === undefined) continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, [block]);
    else known.push(block);
  }
  return found;
}
