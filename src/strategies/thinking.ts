import { gated } from '../cleaning/replace.ts';
import { plural } from '../marker/marker.ts';
import type { Block, Message } from '../model/conversation.ts';
import { strategyName } from '../plan/blocks.ts';
import type { CutDecision } from '../plan/decision.ts';
import { blocksOf } from '../plan/eligible.ts';
import { protect } from '../plan/protect.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/**
 * Whole thoughts of finished turns, signed ones too: nothing of a thought is ever edited. The turn that still runs and
 * the last reply keep theirs, since their calls may need them; `keep` leaves those of more turns.
 */
export const thinking: Strategy = {
  method: 'thinking',
  destructive: 3,
  decide: (view, spec, tools) => gated(view, spec, tools, () => dropThoughts(view, spec, tools)),
};

async function dropThoughts(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const keep = typeof spec.keep === 'number' ? spec.keep : 0;
  const start = firstKept(view, keep);
  const ends = protect(view, tools.protectEnds);
  const decisions: CutDecision[] = [];
  let seen = 0;
  for (const message of view.messages()) {
    const thoughts = blocksOf(view, message).filter(
      ({ kind, index }) => kind === 'thinking' && view.cut(index) === undefined,
    );
    seen += thoughts.length;
    for (const block of thoughts) {
      const kept =
        message.index >= start
          ? 'recent-turn'
          : (ends.get(message.index) ?? thoughtReason(view, message, block, tools));
      if (kept === undefined) decisions.push(cutOf(view, spec, tools, block));
      else view.note(block.index, kept);
    }
  }
  return {
    decisions,
    fired: true,
    why: `${decisions.length} of ${plural(seen, 'thought')} taken out`,
  };
}

/** The first message of the turns whose thoughts stay: the running one and `keep` before it. */
function firstKept(view: View, keep: number): number {
  const turns = view.messages().filter(({ real }) => real);
  return turns.at(-(keep + 1))?.index ?? 0;
}

function thoughtReason(
  view: View,
  message: Message,
  block: Block,
  tools: Tools,
): string | undefined {
  const guarded = tools.guard(block);
  if (guarded !== undefined) {
    view.note(block.index, guarded.reason, guarded.rule);
    return guarded.reason;
  }
  if (block.element === undefined) return 'signed';
  // A reply of thoughts alone would be left empty.
  const others = blocksOf(view, message).filter(({ kind }) => kind !== 'thinking');
  return others.length === 0 ? 'no-place' : undefined;
}

function cutOf(view: View, spec: StrategySpec, tools: Tools, block: Block): CutDecision {
  const place = { record: block.record, pointer: block.element as string };
  const alone = tools.isOnlyElement(place);
  // A record that is in the file twice would be the thought again.
  const twins = (view.conversation.repeats ?? []).filter(
    ({ record, of }) => of === block.record && !view.isGone(record),
  );
  const records = alone ? [block.record, ...twins.map(({ record }) => record)] : [];
  return {
    type: 'cut',
    conversation: tools.conversation,
    block: block.index,
    records,
    ...(alone ? {} : { element: place }),
    method: 'drop',
    action: 'removed',
    strategy: strategyName(spec),
    reason: 'finished-thought',
    ref: alone ? tools.recordRef(records) : tools.valueRef(place),
    tokensBefore: block.tokens,
    tokensAfter: 0,
  };
}
