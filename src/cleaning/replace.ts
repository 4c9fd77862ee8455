import type { MarkerForm } from '../marker/marker.ts';
import type { Block, OffloadMethod } from '../model/conversation.ts';
import { decideBlock } from '../plan/blocks.ts';
import type { BlockDecision } from '../plan/decision.ts';
import { gate, noteClosed } from '../plan/eligible.ts';
import { protect } from '../plan/protect.ts';
import type { View } from '../plan/view.ts';
import type { Action } from '../report/report.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Tools } from '../strategies/strategy.ts';

/** A block that a cleaner takes, and what its marker says. */
export interface Taken {
  readonly block: Block;
  readonly form: MarkerForm;
}

/** Runs a cleaner behind its gate. */
export async function gated(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  decide: () => Promise<Outcome>,
): Promise<Outcome> {
  const { open, why } = gate(view, spec, tools);
  if (open) return decide();
  noteClosed(view, spec, tools);
  return { decisions: [], fired: false, why };
}

/** Replaces the blocks by their markers; the live end, placeholders and what can't be edited stay. */
export async function replaceTaken(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  taken: readonly Taken[],
  {
    action,
    reason,
    method = 'drop',
  }: { readonly action: Action; readonly reason: string; readonly method?: OffloadMethod },
): Promise<BlockDecision[]> {
  const ends = protect(view, tools.protectEnds);
  const decisions: BlockDecision[] = [];
  for (const { block, form } of taken) {
    const kept = keptReason(view, block) ?? ends.get(block.message);
    if (kept !== undefined) {
      view.note(block.index, kept);
      continue;
    }
    const decision = await decideBlock(
      view,
      spec,
      tools,
      { method, action, scope: () => 'all', replace: () => ({ form, recipe: {} }) },
      block,
    );
    if (decision !== undefined) decisions.push({ ...decision, reason });
  }
  return decisions;
}

/** Whether a block is as it was: here, and no marker. */
export function isIntact(view: View, block: Block): boolean {
  return (
    view.message(block.message).live &&
    !view.isRemoved(block.message) &&
    !view.isPlaceholder(block.index) &&
    view.cut(block.index) === undefined
  );
}

function keptReason(view: View, block: Block): string | undefined {
  if (view.isPlaceholder(block.index)) return 'already-offloaded';
  return block.signed || block.shape === undefined ? 'signed' : undefined;
}
