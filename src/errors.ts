/** Exit codes of the command line (documented in docs/cli.md). */
export const EXIT = {
  ok: 0,
  checkFailed: 1,
  usage: 2,
  input: 3,
  format: 4,
  stash: 5,
  write: 6,
  summarizer: 7,
  internal: 70,
  interrupted: 130,
} as const;

export interface CtxErrorOptions {
  /** One sentence that says what to do. */
  hint?: string;
  cause?: unknown;
}

/** The one error class of ctx: a stable code, an exit code, a one-line message and a hint. */
export class CtxError extends Error {
  readonly code: string;
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(code: string, exitCode: number, message: string, options: CtxErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CtxError';
    this.code = code;
    this.exitCode = exitCode;
    this.hint = options.hint;
  }
}

/** Wrong use of the command line or of an option (exit 2). */
export function usageError(message: string, hint?: string): CtxError {
  return new CtxError('usage', EXIT.usage, message, hint === undefined ? {} : { hint });
}

/** Input that can't be read or is malformed (exit 3). */
export function inputError(message: string, options: CtxErrorOptions = {}): CtxError {
  return new CtxError('input', EXIT.input, message, options);
}

/** Format unknown or ambiguous (exit 4). */
export function formatError(code: string, message: string, hint?: string): CtxError {
  return new CtxError(code, EXIT.format, message, hint === undefined ? {} : { hint });
}

/** A stash that is missing, corrupt, newer, or does not hold the ref (exit 5). */
export function stashError(code: string, message: string, options: CtxErrorOptions = {}): CtxError {
  return new CtxError(code, EXIT.stash, message, options);
}

/** A write conflict or failure (exit 6). */
export function writeError(message: string, options: CtxErrorOptions = {}): CtxError {
  return new CtxError('write', EXIT.write, message, options);
}

/** Thrown by a checkpoint when the person interrupted (exit 130). */
export function interrupted(): CtxError {
  return new CtxError('interrupted', EXIT.interrupted, 'interrupted; nothing was changed');
}
