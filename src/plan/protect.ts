import type { Message } from '../model/conversation.ts';
import type { View } from './view.ts';

/** Messages that no strategy touches, with the reason. */
export type Protection = ReadonlyMap<number, string>;

/**
 * The live end and what is pinned, with the groups they belong to: everything up to the first real user message,
 * the last message, and with it a call or a result that nobody has answered.
 */
export function protect(view: View, ends: boolean): Protection {
  const found = new Map<number, string>();
  const messages = view.messages().filter((message) => !message.injected);
  for (const message of messages) if (message.pinned) found.set(message.index, 'pinned');
  if (ends) {
    for (const message of head(messages)) set(found, message.index, 'first-message');
    const own = messages.filter((message) => message.gap === undefined);
    for (const message of [own.at(-1), ending(own)])
      if (message !== undefined) set(found, message.index, 'last-message');
  }
  spread(messages, found);
  return found;
}

/** Protects whole groups: one protected member protects the others. */
export function spread(messages: readonly Message[], found: Map<number, string>): void {
  const groups = new Map<number, string>();
  for (const { index, group } of messages) {
    const reason = found.get(index);
    if (reason !== undefined && !groups.has(group))
      groups.set(group, reason === 'pinned' ? 'pinned' : 'group-protected');
  }
  for (const { index, group } of messages) {
    const reason = groups.get(group);
    if (reason !== undefined) set(found, index, reason);
  }
}

function head(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => message.real);
  return messages.slice(0, first < 0 ? 1 : first + 1);
}

/** The message that holds the last record: results of one reply are one message, at the place of the first. */
function ending(messages: readonly Message[]): Message | undefined {
  return messages.reduce<Message | undefined>(
    (best, message) =>
      best === undefined || lastRecord(message) >= lastRecord(best) ? message : best,
    undefined,
  );
}

function lastRecord(message: Message): number {
  return message.records.at(-1) ?? -1;
}

function set(found: Map<number, string>, index: number, reason: string): void {
  if (!found.has(index)) found.set(index, reason);
}
