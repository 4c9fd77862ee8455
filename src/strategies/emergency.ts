import { commas } from '../marker/marker.ts';
import type { GapDecision } from '../plan/decision.ts';
import { eligibleGroups } from '../plan/eligible.ts';
import { type RemovalMethod, removeGroups } from '../plan/removal.ts';
import { sum, type View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Tools } from './strategy.ts';

/** Share of the messages behind the head that one step takes. */
const STEP = 0.2;
const LEAST_MESSAGES = 3;
const EVERYTHING: StrategySpec = { method: 'drop', target: { type: '*' } };

/**
 * The last resort after every strategy: removes the oldest messages in steps until the window is not over-full or
 * nothing is eligible. Never on an assumed window. It goes through the removal that drop uses.
 */
export async function emergencyCut(view: View, tools: Tools): Promise<Outcome> {
  const { tokens: window, assumed } = tools.window;
  if (view.tokens < window)
    return idle(`the window is not over-full: ${commas(view.tokens)} of ${commas(window)} tokens`);
  const messages = view.messages().filter((message) => message.gap === undefined);
  if (messages.length <= LEAST_MESSAGES) return idle('there are too few messages');
  if (assumed) return idle('the window is only assumed; name it with --window');
  if (tools.removal !== true) return idle(`no-message-removal: ${tools.removal}`);
  const groups = eligibleGroups(view, EVERYTHING, tools);
  const step = Math.max(1, Math.floor((messages.length - 1) * STEP));
  let decisions: GapDecision[] = [];
  for (let taken = 0; taken < groups.length && left(view, decisions) >= window; ) {
    taken = advance(groups, taken, step);
    decisions = await removeGroups(view, groups.slice(0, taken), tools, METHOD, NAMES);
  }
  const removed = sum(decisions.map((gap) => gap.messages.length));
  return {
    decisions,
    fired: true,
    why: `the window was over-full; ${removed} oldest messages removed`,
  };
}

const METHOD: RemovalMethod = {
  method: 'drop',
  action: 'removed',
  describe: (messages) => ({ form: { type: 'dropped-messages', messages: messages.length } }),
};

const NAMES = { strategy: 'emergency', reason: 'emergency' };

function idle(why: string): Outcome {
  return { decisions: [], fired: false, why };
}

function left(view: View, decisions: readonly GapDecision[]): number {
  const gone = decisions.flatMap((gap) =>
    gap.messages.flatMap((message) => view.message(message).blocks),
  );
  return (
    view.tokens -
    sum(gone.map((block) => view.tokensOf(block))) +
    sum(decisions.map((gap) => gap.tokensAfter))
  );
}

/** Takes whole groups until the step's messages are reached. */
function advance(groups: readonly (readonly unknown[])[], from: number, step: number): number {
  let messages = 0;
  let at = from;
  while (at < groups.length && messages < step) {
    messages += groups[at]?.length ?? 0;
    at += 1;
  }
  return at;
}
