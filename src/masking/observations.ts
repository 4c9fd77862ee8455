import type { Block } from '../model/conversation.ts';
import { matches } from '../plan/eligible.ts';
import type { View } from '../plan/view.ts';
import type { Examiner } from './examiner.ts';
import type { Group } from './groups.ts';
import { type Skipped, skip } from './skipped.ts';

/** A result body that may be masked. */
export interface Observation {
  readonly block: Block;
  readonly group: Group;
  /** The user declared it an observation; nobody claims that its call had no effect. */
  readonly declared: boolean;
}

/** The bodies that the rules allow to mask, in order; a reason is noted on every other result body. */
export function observations(
  view: View,
  groups: Iterable<Group>,
  examiner: Examiner,
  skipped: Skipped,
): Observation[] {
  return [...groups].flatMap((group) =>
    group.blocks.flatMap((block) => {
      if (!matches({ type: 'observations' }, block, view.message(block.message))) return [];
      const reason = examiner.reason(block, group);
      if (reason !== undefined) {
        skip(view, skipped, block, reason);
        return [];
      }
      const [call] = group.calls.get(block.callId ?? '') ?? [];
      const declared = call !== undefined && examiner.effect(call).by === 'observed';
      return [{ block, group, declared }];
    }),
  );
}
