/** One thing to summarize: where it came from and its text. */
export interface SummaryItem {
  /** Names the item in a structured summary's `sourceIds`. */
  readonly id?: string;
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
  /** `text` (when absent): prose or lines. `sections`: one JSON object with the seven lists of a structured summary. */
  readonly form?: 'text' | 'sections';
  /** Ref under which the stash keeps the exact source. */
  readonly sourceRef?: string;
  /** A repair: the answer before and what was wrong with it. */
  readonly repair?: { readonly answer: string; readonly problem: string };
  /** Aborted at the deadline and when the run is interrupted. */
  readonly signal?: AbortSignal;
}

export interface SummaryAnswer {
  readonly text: string;
  /** The vendor's id of the answer, and the model that it says it came from. */
  readonly id?: string;
  readonly model?: string;
  /** What the helper itself used, when it says so. */
  readonly usage?: { readonly input: number; readonly output: number };
}

/** Items in, text out. May throw; an empty answer is a failure. */
export interface Summarizer {
  readonly name: string;
  /** Set when texts leave this program: nothing is sent without permission. */
  readonly external?: External;
  summarize(request: SummaryRequest): string | SummaryAnswer | Promise<string | SummaryAnswer>;
}

export interface External {
  /** Where the texts go, as a person would say it: a host, or the program. Never holds a secret. */
  readonly destination: string;
  /** Tells answers apart in the cache: model and prompt version, everything that changes an answer. */
  readonly cacheKey: string;
  /** ctx asks it itself and may ask it again: one repair of an answer that breaks its schema. */
  readonly automatic?: boolean;
  /** Bytes that a request would send. */
  size(request: SummaryRequest): number;
}
