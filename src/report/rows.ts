import type { Message } from '../model/conversation.ts';
import type { BlockDecision, CapsuleDecision, GapDecision } from '../plan/decision.ts';
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
  const merged = new Map(
    view.capsules.flatMap((capsule) =>
      capsule.merged.map((message) => [message, capsule] as const),
    ),
  );
  const rows = view.conversation.blocks.map((block) => {
    const message = view.message(block.message);
    const gap = gaps.get(message.index) ?? merged.get(message.index);
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
  return [...rows, ...view.capsules.map((capsule, index) => capsuleRow(view, capsule, index))];
}

/** A capsule is a block that was not there before: it has a row of its own, after the others. */
function capsuleRow(view: View, capsule: CapsuleDecision, index: number): BlockRow {
  const { before, tokensAfter, action, strategy, reason, ref } = capsule;
  return {
    index: view.conversation.blocks.length + index,
    conversation: view.conversation.id,
    message: before,
    record: view.message(before).records[0] ?? 0,
    role: 'user',
    kind: 'text',
    tool: null,
    callId: null,
    live: true,
    tokensBefore: 0,
    tokensAfter,
    action,
    strategy,
    reason,
    ref,
  };
}

type OutcomeKeys = 'tokensAfter' | 'action' | 'strategy' | 'reason' | 'ref';

function outcome(
  view: View,
  message: Message,
  index: number,
  gap: GapDecision | CapsuleDecision | undefined,
  edit: BlockDecision | undefined,
): Pick<BlockRow, OutcomeKeys> {
  if (gap !== undefined) {
    // The marker's tokens stand at the first block of the gap, so that the column adds up.
    const first = gap.type === 'gap' && view.message(gap.messages[0] as number).blocks[0] === index;
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
  const { placeholder } = view.block(index);
  if (placeholder !== undefined)
    return placeholder.method === 'mask' ? 'already-masked' : 'already-offloaded';
  return view.reasonOf(index) ?? (message.role === 'system' ? 'system-message' : 'not-targeted');
}
