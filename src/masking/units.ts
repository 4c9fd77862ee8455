import { contentLines } from '../marker/lines.ts';
import { MESSAGE_TOKENS } from '../measure/oneringai.ts';
import type { Message } from '../model/conversation.ts';
import { type BlockMethod, decideBlock } from '../plan/blocks.ts';
import type { BlockDecision } from '../plan/decision.ts';
import { sum, type View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Tools } from '../strategies/strategy.ts';
import type { Group } from './groups.ts';
import type { Observation } from './observations.ts';
import type { Policy } from './policy.ts';
import { type Skipped, skip } from './skipped.ts';

/** What a pass takes or leaves as a whole: edits of one group, and what the group costs of the allowance. */
export interface Unit {
  readonly kind: 'observation' | 'narration';
  readonly messages: readonly Message[];
  /** Tokens of the complete group. */
  readonly cost: number;
  readonly edits: readonly BlockDecision[];
}

/** Tokens of complete messages, as the allowance counts them: each with what a message costs (section 2). */
export function costOf(view: View, messages: readonly Message[]): number {
  const blocks = messages.flatMap((message) => message.blocks);
  // A packet holds originals: what an earlier run offloaded counts as it was, or a second run would reach further.
  const tokens = blocks.map((index) => {
    const { placeholder, tokens: own } = view.block(index);
    return placeholder?.tokens ?? own;
  });
  return sum(tokens) + messages.length * MESSAGE_TOKENS;
}

export function savingOf(units: readonly Unit[]): number {
  return sum(
    units.flatMap(({ edits }) =>
      edits.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter),
    ),
  );
}

/** Masks of the observations that save enough, by group and in the order of the groups. */
export async function observationUnits(
  view: View,
  spec: StrategySpec,
  policy: Policy,
  tools: Tools,
  found: readonly Observation[],
  skipped: Skipped,
): Promise<Unit[]> {
  const byGroup = new Map<Group, BlockDecision[]>();
  for (const { block, group, declared } of found) {
    // What is smaller than the least saving can't save it: its text is not even read.
    const edit =
      block.tokens <= policy.minObservationTokens && policy.minObservationTokens > 0
        ? undefined
        : await decideBlock(view, spec, tools, MASK, block);
    if (edit === undefined || edit.tokensBefore - edit.tokensAfter < policy.minObservationTokens) {
      skip(view, skipped, block, 'below-min-saving');
      continue;
    }
    const reason = declared ? 'user-declared' : 'observation';
    byGroup.set(group, [...(byGroup.get(group) ?? []), { ...edit, reason }]);
  }
  return [...byGroup].map(([{ messages }, edits]) => ({
    kind: 'observation',
    messages,
    cost: costOf(view, messages),
    edits,
  }));
}

/** A body becomes one line that says what it was and whether it failed. */
export const MASK: BlockMethod = {
  method: 'mask',
  action: 'masked',
  scope: () => 'all',
  replace: (block, { content }) => ({
    form: {
      type: 'masked',
      tool: block.tool ?? '',
      lines: contentLines(content.text),
      failed: block.isError === true,
    },
    recipe: {},
  }),
};
