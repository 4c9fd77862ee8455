import type { Block, Conversation, Message } from '../model/conversation.ts';
import type {
  BlockDecision,
  CapsuleDecision,
  CutDecision,
  Decision,
  GapDecision,
  LeafDecision,
} from './decision.ts';
import { rankOf } from './reasons.ts';

/** A conversation as the strategies before have left it. Nothing of it is text. */
export class View {
  readonly conversation: Conversation;
  readonly #edits = new Map<number, BlockDecision>();
  readonly #gaps: GapDecision[] = [];
  #capsules: CapsuleDecision[] = [];
  #leaves: LeafDecision[] = [];
  #cuts: CutDecision[] = [];
  readonly #leafSavings = new Map<number, number>();
  readonly #goneRecords = new Set<number>();
  readonly #held = new Map<number, readonly number[]>();
  readonly #cutBlocks = new Map<number, CutDecision>();
  readonly #removed = new Set<number>();
  readonly #reasons = new Map<number, string>();
  /** Tokens that resuming would have sent before anything was decided. */
  readonly before: number;
  readonly #rules = new Map<number, string>();
  #tokens: number;

  readonly #includeDead: boolean;
  /** Refs of blocks that duplicates of earlier runs point to, by kind and tokens. */
  readonly survivors: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(conversation: Conversation, includeDead = false) {
    this.conversation = conversation;
    this.#includeDead = includeDead;
    this.survivors = survivorsIn(conversation);
    this.#tokens = conversation.overhead;
    for (const message of conversation.messages) {
      if (message.live)
        this.#tokens += sum(message.blocks.map((index) => this.block(index).tokens));
    }
    this.before = this.#tokens;
  }

  /** Tokens that resuming would send now, overhead and markers included. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Live messages that are still there, in order. */
  messages(): Message[] {
    return this.conversation.messages.filter(
      (message) => message.live && !this.#removed.has(message.index),
    );
  }

  /** Messages whose blocks may be edited: the live ones, and the others of the file when that was asked for. */
  reachable(): Message[] {
    if (!this.#includeDead) return this.messages();
    return this.conversation.messages.filter((message) => !this.#removed.has(message.index));
  }

  block(index: number): Block {
    return this.conversation.blocks[index] as Block;
  }

  message(index: number): Message {
    return this.conversation.messages[index] as Message;
  }

  edit(block: number): BlockDecision | undefined {
    return this.#edits.get(block);
  }

  get edits(): readonly BlockDecision[] {
    return [...this.#edits.values()];
  }

  get gaps(): readonly GapDecision[] {
    return this.#gaps;
  }

  get capsules(): readonly CapsuleDecision[] {
    return this.#capsules;
  }

  get leaves(): readonly LeafDecision[] {
    return this.#leaves;
  }

  get cuts(): readonly CutDecision[] {
    return this.#cuts;
  }

  /** The first literal of a block that was replaced inside it. */
  leafIn(block: number): LeafDecision | undefined {
    return this.#leafSavings.has(block)
      ? this.#leaves.find((leaf) => leaf.block === block)
      : undefined;
  }

  /** Keeps a block from later steps while markers point to it: those of these duplicates. */
  hold(block: number, duplicates: readonly number[]): void {
    this.#held.set(block, duplicates);
  }

  isHeld(block: number): boolean {
    const duplicates = this.#held.get(block) ?? [];
    return duplicates.some((index) => this.#edits.get(index)?.method === 'dedupe');
  }

  /** How a block went without a trace, if it did. */
  cut(block: number): CutDecision | undefined {
    return this.#cutBlocks.get(block);
  }

  get decisions(): readonly Decision[] {
    return [
      ...this.#gaps,
      ...this.#capsules,
      ...this.#cuts,
      ...this.#leaves,
      ...this.#edits.values(),
    ];
  }

  /** Whether a record leaves with its message or by itself. */
  isGone(record: number): boolean {
    return this.#goneRecords.has(record);
  }

  isRemoved(message: number): boolean {
    return this.#removed.has(message);
  }

  /** Whether the message carries the marker of a gap of this run. */
  isHost(message: number): boolean {
    return [...this.#gaps, ...this.#capsules].some(({ host }) => host?.message === message);
  }

  /** Whether nothing of the block's own is left: a placeholder stands for it, of an earlier run or this one, or it is cut. */
  isPlaceholder(block: number): boolean {
    return (
      this.block(block).placeholder !== undefined ||
      this.#edits.has(block) ||
      this.#cutBlocks.has(block)
    );
  }

  /** Tokens of a block as it stands now. */
  tokensOf(block: number): number {
    if (this.#cutBlocks.has(block)) return 0;
    const left = this.#edits.get(block)?.tokensAfter ?? this.block(block).tokens;
    return left - (this.#leafSavings.get(block) ?? 0);
  }

  /** Tokens of a message that count toward a threshold: placeholders do not. */
  weight(message: Message): number {
    return sum(
      message.blocks.map((index) => (this.isPlaceholder(index) ? 0 : this.block(index).tokens)),
    );
  }

  /** Messages that gaps of this and of earlier runs stand for. */
  goneMessages(): number {
    const earlier = this.messages().flatMap((message) =>
      message.blocks.map((index) => this.block(index).placeholder?.messages ?? 0),
    );
    return sum(earlier) + sum(this.#gaps.map((gap) => gap.messages.length));
  }

  /** Remembers why a block is kept: of several reasons the one that came closest to an action. */
  note(block: number, reason: string, rule?: string): void {
    const known = this.#reasons.get(block);
    if (known !== undefined && rankOf(reason) <= rankOf(known)) return;
    this.#reasons.set(block, reason);
    if (rule === undefined) this.#rules.delete(block);
    else this.#rules.set(block, rule);
  }

  /** The rule that protected a block, as it was written. */
  ruleOf(block: number): string | undefined {
    return this.#rules.get(block);
  }

  reasonOf(block: number): string | undefined {
    return this.#reasons.get(block);
  }

  add(decision: Decision): void {
    if (decision.type === 'gap') this.#addGap(decision);
    else if (decision.type === 'capsule') this.#addCapsule(decision);
    else if (decision.type === 'cut') this.#addCut(decision);
    else if (decision.type === 'leaf') this.#addLeaf(decision);
    else this.#addEdit(decision);
  }

  #addCut(cut: CutDecision): void {
    this.#cuts.push(cut);
    for (const record of cut.records) this.#goneRecords.add(record);
    this.#tokens -= cut.tokensBefore;
    if (cut.block !== undefined) this.#cutBlocks.set(cut.block, cut);
  }

  #addLeaf(leaf: LeafDecision): void {
    this.#leaves.push(leaf);
    const saved = leaf.tokensBefore - leaf.tokensAfter;
    this.#tokens -= saved;
    if (leaf.block !== undefined)
      this.#leafSavings.set(leaf.block, (this.#leafSavings.get(leaf.block) ?? 0) + saved);
  }

  #addEdit(edit: BlockDecision): void {
    this.#edits.set(edit.block, edit);
    // What is dead is not sent, whatever it says.
    if (this.message(this.block(edit.block).message).live)
      this.#tokens += edit.tokensAfter - edit.tokensBefore;
  }

  /** Removes messages; edits of this run inside them are superseded by the removal. */
  #addGap(gap: GapDecision): void {
    this.#remove(gap.messages);
    this.#tokens += gap.tokensAfter;
    this.#gaps.push(gap);
    // A capsule whose message leaves stands before the next one that stays.
    this.#capsules = this.#capsules.map((capsule) =>
      this.#removed.has(capsule.before)
        ? { ...capsule, before: this.following(capsule.before)?.index ?? capsule.before }
        : capsule,
    );
  }

  /** The next message that is sent and stays. */
  following(message: number): Message | undefined {
    return this.messages().find(({ index, injected }) => index > message && !injected);
  }

  #addCapsule(capsule: CapsuleDecision): void {
    this.#remove(capsule.merged);
    this.#tokens += capsule.tokensAfter;
    this.#capsules.push(capsule);
  }

  #remove(messages: readonly number[]): void {
    for (const index of messages) {
      this.#removed.add(index);
      for (const block of this.message(index).blocks) {
        this.#tokens -= this.tokensOf(block);
        this.#edits.delete(block);
      }
    }
    const records = new Set(messages.flatMap((index) => this.message(index).records));
    for (const record of records) this.#goneRecords.add(record);
    this.#leaves = this.#leaves.filter(({ place }) => !records.has(place.record));
    this.#cuts = this.#cuts.filter(
      ({ element, records: own }) => !records.has(element?.record ?? own[0] ?? -1),
    );
  }
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function survivorsIn({ blocks }: Conversation): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { placeholder } of blocks) {
    if (placeholder?.method !== 'dedupe') continue;
    const key = `${placeholder.kind} ${placeholder.tokens}`;
    found.set(key, (found.get(key) ?? new Set()).add(placeholder.ref));
  }
  return found;
}
