import type { Message } from '../model/conversation.ts';
import type { Tools } from '../strategies/strategy.ts';
import type { GapDecision } from './decision.ts';
import type { View } from './view.ts';

/** Where a gap's marker goes: a block of a neighbour, or (no host) a message of its own. */
export interface Host {
  readonly host?: NonNullable<GapDecision['host']>;
}

/**
 * Formats whose roles alternate take the marker as a block of the neighbouring user message, else as a message
 * between two assistant messages. It never lands in an assistant message, a pinned one or an existing string.
 */
export function hostOf(
  view: View,
  run: readonly Message[],
  tools: Tools,
): Host | { keep: readonly Message[]; reason: string } {
  if (!tools.strictAlternation) return {};
  const { before, after, marked } = neighbours(view, run);
  if (marked) return { keep: run, reason: 'no-place' };
  const closing = run.at(-1) as Message;
  // Two user messages would meet: the last reply of the run stays between them.
  if (isUser(before) && isUser(after)) return { keep: [closing], reason: 'role-order' };
  if (isUser(before)) return takes(before, 'last', run, tools);
  if (isUser(after)) return takes(after, 'first', run, tools);
  return {};
}

function takes(
  message: Message,
  end: 'first' | 'last',
  run: readonly Message[],
  tools: Tools,
): Host | { keep: readonly Message[]; reason: string } {
  if (message.pinned || !tools.takesBlock(message)) return { keep: run, reason: 'no-place' };
  return { host: { message: message.index, end } };
}

function isUser(message: Message | undefined): message is Message {
  return message?.role === 'user';
}

interface Neighbours {
  readonly before: Message | undefined;
  readonly after: Message | undefined;
  /** A gap of an earlier step of this run lies beside: its marker already closes the place. */
  readonly marked: boolean;
}

/** The kept live messages around a run. */
function neighbours(view: View, run: readonly Message[]): Neighbours {
  const first = (run[0] as Message).index;
  const last = (run.at(-1) as Message).index;
  const live = view.conversation.messages.filter((message) => message.live && !message.injected);
  const before = live.findLast((message) => message.index < first);
  const after = live.find((message) => message.index > last);
  const marked = [before, after].some(
    (message) => message !== undefined && view.isRemoved(message.index),
  );
  return { before, after, marked };
}
