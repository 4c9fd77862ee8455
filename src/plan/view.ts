import type { Block, Conversation, Message } from '../model/conversation.ts';
import type { BlockDecision, CapsuleDecision, Decision, GapDecision } from './decision.ts';
import { rankOf } from './reasons.ts';

/** A conversation as the strategies before have left it. Nothing of it is text. */
export class View {
  readonly conversation: Conversation;
  readonly #edits = new Map<number, BlockDecision>();
  readonly #gaps: GapDecision[] = [];
  readonly #capsules: CapsuleDecision[] = [];
  readonly #removed = new Set<number>();
  readonly #reasons = new Map<number, string>();
  /** Tokens that resuming would have sent before anything was decided. */
  readonly before: number;
  #tokens: number;

  constructor(conversation: Conversation) {
    this.conversation = conversation;
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

  get decisions(): readonly Decision[] {
    return [...this.#gaps, ...this.#capsules, ...this.#edits.values()];
  }

  isRemoved(message: number): boolean {
    return this.#removed.has(message);
  }

  /** Whether the message carries the marker of a gap of this run. */
  isHost(message: number): boolean {
    return [...this.#gaps, ...this.#capsules].some(({ host }) => host?.message === message);
  }

  /** Whether the block is a placeholder, of an earlier run or of this one. */
  isPlaceholder(block: number): boolean {
    return this.block(block).placeholder !== undefined || this.#edits.has(block);
  }

  /** Tokens of a block as it stands now. */
  tokensOf(block: number): number {
    return this.#edits.get(block)?.tokensAfter ?? this.block(block).tokens;
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
  note(block: number, reason: string): void {
    const known = this.#reasons.get(block);
    if (known === undefined || rankOf(reason) > rankOf(known)) this.#reasons.set(block, reason);
  }

  reasonOf(block: number): string | undefined {
    return this.#reasons.get(block);
  }

  add(decision: Decision): void {
    if (decision.type === 'gap') this.#addGap(decision);
    else if (decision.type === 'capsule') this.#addCapsule(decision);
    else this.#addEdit(decision);
  }

  #addEdit(edit: BlockDecision): void {
    this.#edits.set(edit.block, edit);
    this.#tokens += edit.tokensAfter - edit.tokensBefore;
  }

  /** Removes messages; edits of this run inside them are superseded by the removal. */
  #addGap(gap: GapDecision): void {
    this.#remove(gap.messages);
    this.#tokens += gap.tokensAfter;
    this.#gaps.push(gap);
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
  }
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
