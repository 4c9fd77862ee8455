/** One thing to summarize: where it came from and its text. */
export interface SummaryItem {
  /** Role of the message: user, assistant or system. */
  readonly role: string;
  /** Block kind: text, thinking, toolCall, toolResult, or a media kind (then `text` is empty). */
  readonly kind: string;
  readonly tool?: string;
  readonly isError?: boolean;
  /** Whether the text was typed by a person (not injected context). */
  readonly real?: boolean;
  /** Decoded text; a tool call's arguments as compact JSON. */
  readonly text: string;
}

export interface SummaryRequest {
  readonly items: readonly SummaryItem[];
  /** The summary must not be longer than this. */
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

/** Items in, text out. May throw; an empty answer is a failure. */
export interface Summarizer {
  readonly name: string;
  summarize(request: SummaryRequest): string | Promise<string>;
}
