import type { Content } from '../apply/content.ts';
import type { EffectRules, ToolCall } from '../effects/call.ts';
import type { MarkerHint } from '../marker/marker.ts';
import type { Meter } from '../measure/meter.ts';
import type { Block, LiteralPlace, Message } from '../model/conversation.ts';
import type { PieceSpan } from '../model/splice.ts';
import type { Decision, Scope } from '../plan/decision.ts';
import type { Guarded } from '../plan/guard.ts';
import type { View } from '../plan/view.ts';
import type { StepFacts, Warning } from '../report/report.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Helper } from '../summarize/helper.ts';
import type { SummaryItem } from '../summarize/summarizer.ts';

/** What a strategy may ask for. Reading is by block: the index holds no text. */
export interface Tools {
  readonly conversation: number;
  readonly meter: Meter;
  readonly window: { readonly tokens: number; readonly assumed: boolean };
  /** The live end is protected unless this was lifted. */
  readonly protectEnds: boolean;
  readonly hint: MarkerHint;
  /** Tokens that a budget still wants free; without one everything eligible goes. */
  readonly toFree?: number;
  readonly removal: true | string;
  readonly strictAlternation: boolean;
  readonly helper: Helper;
  /** What the client would send for a result that its own mark hides; undefined when that is not asked for or not possible. */
  native(block: Block): string | undefined;
  content(block: Block, scope: Scope): Read;
  /** Ref of a block together with copies that go into its entry, and the copies' spans. */
  withCopies(
    block: Block,
    content: Content,
    copies: readonly LiteralPlace[],
  ): { readonly ref: string; readonly pieces: readonly PieceSpan[] };
  /** A string literal: its text, the bytes of the literal, the ref of its original. */
  literal(place: LiteralPlace): { text: string | undefined; bytes: number; ref: string };
  /** Ref of a whole value. */
  valueRef(place: LiteralPlace): string;
  /** Ref of whole records. */
  recordRef(records: readonly number[]): string;
  isOnlyElement(place: LiteralPlace): boolean;
  /** Strings of a call's input, where the format allows a changed one. */
  inputStrings(call: Block): readonly LiteralPlace[] | undefined;
  /** Ref of removed messages: their whole records. */
  gapRef(messages: readonly Message[]): string;
  /** What a summary of messages is made from. */
  items(messages: readonly Message[]): SummaryItem[];
  /** Whether the message's content is a list that can take a further block. */
  takesBlock(message: Message): boolean;
  /** Why no strategy may touch a block, whatever it is: a rule, or the selection. */
  guard(block: Block): Guarded | undefined;
  /** The same without what an edited plan keeps from the steps. */
  ownRules(block: Block): Guarded | undefined;
  /** Whether a record may change of which only what no model sees would. */
  allowsRecord(record: number): boolean;
  /** Bytes of a result's content as JSON. */
  jsonSize(block: Block): number;
  /** A call with its arguments. */
  call(block: Block): ToolCall;
  /** What the user said of tools and their effects. */
  readonly effects: EffectRules;
  warn(warning: Warning): void;
}

export interface Read {
  readonly content: Content;
  readonly ref: string;
}

/** What a strategy decided, and why it did or did not fire. */
export interface Outcome {
  readonly decisions: readonly Decision[];
  readonly fired: boolean;
  readonly why: string;
  readonly facts?: Partial<StepFacts>;
  /** Blocks that the markers of their duplicates point to: no later step may take them. */
  readonly held?: readonly { readonly block: number; readonly duplicates: readonly number[] }[];
}

/** One way to offload. Decides on a view and changes nothing; a new one is a file and a registry line. */
export interface Strategy {
  readonly method: StrategySpec['method'];
  /** From 1 (nothing that a model would miss) to 9; on whole messages one more. Only a budget asks. */
  readonly destructive: number;
  /** Decides after all others, against the final view. */
  readonly last?: true;
  decide(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome>;
}
