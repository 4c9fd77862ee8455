import type { Message } from '../model/conversation.ts';
import type { Tools } from '../strategies/strategy.ts';
import type { GapDecision } from './decision.ts';
import type { View } from './view.ts';

/** Where a gap's marker goes: a block of a neighbour, or (no host) a message of its own. */
export interface Host {
  readonly host?: NonNullable<GapDecision['host']>;
}

/** Messages of a run that stay after all, and why. */
export interface Kept {
  readonly keep: readonly Message[];
  readonly reason: string;
}

/**
 * Formats whose roles alternate take the marker as a block of the neighbouring user message, else as a message
 * between two assistant messages. It never lands in an assistant message, a pinned one, an existing string or a
 * message that is a marker. Where it has no place, as little as possible of the run stays.
 */
export function hostOf(view: View, run: readonly Message[], tools: Tools): Host | Kept {
  const stranded = strandedBy(view, run);
  if (stranded !== undefined) return { keep: [stranded], reason: 'no-place' };
  if (!tools.strictAlternation) return {};
  const before = neighbour(view, run[0] as Message, -1);
  const after = neighbour(view, run.at(-1) as Message, 1);
  const closing = [run.at(-1) as Message];
  // Two user messages would meet: the last reply of the run stays between them.
  if (before !== undefined && after !== undefined) return { keep: closing, reason: 'role-order' };
  if (before !== undefined) return takes(before, 'last', [run[0] as Message], tools);
  if (after !== undefined) return takes(after, 'first', closing, tools);
  return {};
}

/** The message of a run before which a capsule stands that could not move behind the run. */
function strandedBy(view: View, run: readonly Message[]): Message | undefined {
  const capsules = view.capsules.filter(({ host }) => host === undefined);
  const found = run.find(({ index }) => capsules.some(({ before }) => before === index));
  if (found === undefined) return undefined;
  const next = view.following((run.at(-1) as Message).index);
  return next === undefined || next.fixed !== undefined ? found : undefined;
}

/**
 * Where a capsule goes that stands before a message: a message of its own, or a block of the user message on
 * either side where roles alternate. Undefined when it has no place.
 */
export function hostBefore(view: View, next: Message, tools: Tools): Host | undefined {
  // A message inside another record, or one whose place the client counts, lets nothing in before it.
  if (!tools.strictAlternation)
    return tools.removal === true && next.fixed === undefined ? {} : undefined;
  const before = neighbour(view, next, -1);
  const [beside, end] =
    next.role === 'user' ? ([next, 'first'] as const) : ([before, 'last'] as const);
  if (beside === undefined) return undefined;
  const host = takes(beside, end, [], tools);
  return 'keep' in host ? undefined : host;
}

/** The user message beside a run; `marker` stands for a gap's own message. */
type Neighbour = Message | 'marker';

function takes(
  beside: Neighbour,
  end: 'first' | 'last',
  keep: readonly Message[],
  tools: Tools,
): Host | Kept {
  if (beside === 'marker' || beside.gap !== undefined || beside.pinned || !tools.takesBlock(beside))
    return { keep, reason: 'no-place' };
  return { host: { message: beside.index, end } };
}

/** The user message that stands beside a message once the gaps of earlier steps are made, if one does. */
function neighbour(view: View, message: Message, step: 1 | -1): Neighbour | undefined {
  const { messages } = view.conversation;
  let at = message.index + step;
  while (messages[at] !== undefined && (!messages[at]?.live || messages[at]?.injected)) at += step;
  const gap = view.gaps.find((made) => made.messages.includes(at));
  if (gap !== undefined) return gap.host === undefined ? 'marker' : view.message(gap.host.message);
  return messages[at]?.role === 'user' ? messages[at] : undefined;
}
