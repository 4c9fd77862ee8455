import { CtxError, EXIT } from '../errors.ts';
import { safe } from '../report/safe.ts';
import type { Io } from './io.ts';

/** Prints an error as one line and a hint, and gives its exit code. A stack only with --debug. */
export function renderError(cause: unknown, io: Io, debug: boolean): number {
  const known = cause instanceof CtxError;
  const message = cause instanceof Error ? cause.message : String(cause);
  io.stderr.write(`ctx: ${known ? '' : 'internal error: '}${safe(message)}\n`);
  const hint = known
    ? cause.hint
    : 'this is a fault of ctx; nothing was replaced. Run again with --debug and report it';
  if (hint !== undefined) io.stderr.write(`  ${safe(hint)}\n`);
  if (debug && cause instanceof Error) io.stderr.write(`${cause.stack ?? ''}\n`);
  return known ? cause.exitCode : EXIT.internal;
}

/** A file that failed has its line too, so that every input is accounted for. */
export function errorLine(path: string, cause: unknown): unknown {
  const { message } = cause as Error;
  const facts =
    cause instanceof CtxError
      ? { code: cause.code, exit: cause.exitCode }
      : { code: 'internal', exit: EXIT.internal };
  return { schema: 'ctx.error/1', path, ...facts, message };
}
