import { fieldsOf } from './reply.ts';
import type { Clean } from './secrets.ts';

/** An Error in one line, without keys, for what an SDK threw. It has no cause: that could hold a key. */
export function failureOf(cause: unknown, destination: string, clean: Clean): Error {
  const { status } = fieldsOf(cause);
  if (typeof status === 'number') return new Error(refusal(status, cause, destination, clean));
  // Its message shows a piece of the answer.
  if (cause instanceof SyntaxError) return new Error('the answer is not JSON');
  const reason = reasonOf(cause);
  if (reason !== undefined)
    return new Error(`the connection to ${destination} failed (${clean(reason)})`);
  return new Error(clean(messageOf(cause)));
}

function refusal(status: number, cause: unknown, destination: string, clean: Clean): string {
  if (status >= 300 && status < 400)
    return `HTTP ${status}: ${destination} redirects elsewhere, which is not followed`;
  const said = clean(saidBy(cause));
  return said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`;
}

/** The message in the body of an error, wherever the service put it. */
function saidBy(cause: unknown): string {
  const outer = fieldsOf(cause)['error'];
  const inner = fieldsOf(outer)['error'];
  const places = [fieldsOf(inner)['message'], fieldsOf(outer)['message'], inner, outer];
  const message = places.find((place) => typeof place === 'string');
  if (message !== undefined) return message;
  return messageOf(cause)
    .replace(/^\d{3}\s*/, '')
    .replace(/^(?:status code )?\(no body\)$/, '');
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Why a connection failed: ECONNREFUSED and the like, or what the innermost cause says. */
function reasonOf(error: unknown): string | undefined {
  const { code, cause } = fieldsOf(error);
  if (typeof code === 'string') return code;
  if (cause === undefined) return undefined;
  return reasonOf(cause) ?? messageOf(cause);
}
