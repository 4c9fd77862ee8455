import type { Block } from '../model/conversation.ts';
import type { View } from '../plan/view.ts';

/** How many candidates a step left, by reason. */
export type Skipped = Map<string, number>;

/** Notes why a candidate is left, on its row and in the count of the step. */
export function skip(view: View, skipped: Skipped, block: Block, reason: string): void {
  view.note(block.index, reason);
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
}
