import type { Message } from '../model/conversation.ts';
import type { BlockDecision, GapDecision } from '../plan/decision.ts';
import type { Plan } from '../plan/plan.ts';
import type { View } from '../plan/view.ts';
import type { BlockRow } from './report.ts';

/** One row a block, in file order: what happens to it and why. */
export function blockRows(plan: Plan): BlockRow[] {
  return plan.views.flatMap((view) => conversationRows(view));
}

function conversationRows(view: View): BlockRow[] {
  const gaps = new Map<number, GapDecision>();
  for (const gap of view.gaps) for (const message of gap.messages) gaps.set(message, gap);
  return view.conversation.blocks.map((block) => {
    const message = view.message(block.message);
    const gap = gaps.get(message.index);
    const edit = view.edit(block.index);
    return {
      index: block.index,
      conversation: view.conversation.id,
      message: block.message,
      record: block.record,
      role: message.role,
      kind: block.kind,
      tool: block.tool ?? null,
      callId: block.callId ?? null,
      live: message.live,
      tokensBefore: block.tokens,
      ...outcome(view, message, block.index, gap, edit),
    };
  });
}

type OutcomeKeys = 'tokensAfter' | 'action' | 'strategy' | 'reason' | 'ref';

function outcome(
  view: View,
  message: Message,
  index: number,
  gap: GapDecision | undefined,
  edit: BlockDecision | undefined,
): Pick<BlockRow, OutcomeKeys> {
  if (gap !== undefined) {
    // The marker's tokens stand at the first block of the gap, so that the column adds up.
    const first = view.message(gap.messages[0] as number).blocks[0] === index;
    const { action, strategy, reason, ref } = gap;
    return { tokensAfter: first ? gap.tokensAfter : 0, action, strategy, reason, ref };
  }
  if (edit !== undefined) {
    const { tokensAfter, action, strategy, reason, ref } = edit;
    return { tokensAfter, action, strategy, reason, ref };
  }
  const block = view.block(index);
  const ref =
    block.placeholder === undefined || block.placeholder.ref === '' ? null : block.placeholder.ref;
  return {
    tokensAfter: block.tokens,
    action: 'kept',
    strategy: null,
    reason: keptReason(view, message, index),
    ref,
  };
}

function keptReason(view: View, message: Message, index: number): string {
  if (!message.live) return 'dead';
  if (message.injected) return 'injected';
  if (view.block(index).placeholder !== undefined) return 'already-offloaded';
  return view.reasonOf(index) ?? (message.role === 'system' ? 'system-message' : 'not-targeted');
}
