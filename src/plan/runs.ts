import type { Message } from '../model/conversation.ts';
import type { View } from './view.ts';

/** Splits the messages that go into contiguous runs. Injected context does not end a run; anything kept does. */
export function runsOf(view: View, groups: readonly (readonly Message[])[]): Message[][] {
  const going = new Set(groups.flat().map((message) => message.index));
  const runs: Message[][] = [];
  let open: Message[] | undefined;
  for (const message of view.conversation.messages) {
    if (!message.live || message.injected) continue;
    // A gap of an earlier step stays where it is: a new marker stands beside it.
    if (!going.has(message.index)) {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = [];
      runs.push(open);
    }
    open.push(message);
  }
  return runs;
}
