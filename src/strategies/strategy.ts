import type { Content } from '../apply/content.ts';
import type { EffectRules, ToolCall } from '../effects/call.ts';
import type { MarkerHint } from '../marker/marker.ts';
import type { Meter } from '../measure/meter.ts';
import type { Block, Message } from '../model/conversation.ts';
import type { Decision } from '../plan/decision.ts';
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
  readonly removal: true | string;
  readonly strictAlternation: boolean;
  readonly helper: Helper;
  content(block: Block, scope: 'text' | 'all'): Read;
  /** What the client would send for a result that its own mark hides; undefined when that is not asked for or not possible. */
  native(block: Block): string | undefined;
  /** Ref of removed messages: their whole records. */
  gapRef(messages: readonly Message[]): string;
  /** What a summary of messages is made from. */
  items(messages: readonly Message[]): SummaryItem[];
  /** Whether the message's content is a list that can take a further block. */
  takesBlock(message: Message): boolean;
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
}

/** One way to offload. Decides on a view and changes nothing; a new one is a file and a registry line. */
export interface Strategy {
  readonly method: StrategySpec['method'];
  readonly summary: string;
  decide(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome>;
}
