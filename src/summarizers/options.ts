/** How a summarizer outside of this program is asked. */
export interface SummarizerOptions {
  /** What a program reads: one JSON object, or the prompt as plain text. */
  readonly input: 'json' | 'text';
  /** Milliseconds for one answer, retries included. */
  readonly timeoutMs: number;
  /** Bytes that an answer may have as it arrives. */
  readonly maxOutputBytes: number;
  /** How often a busy or failing service is asked again for one answer. */
  readonly retries: number;
}

/** What holds where nothing else is said. */
export const DEFAULT_OPTIONS: SummarizerOptions = {
  input: 'json',
  timeoutMs: 30_000,
  maxOutputBytes: 1024 * 1024,
  retries: 3,
};
