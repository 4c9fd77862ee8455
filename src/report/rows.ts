import type { Message } from '../model/conversation.ts';
import type {
  BlockDecision,
  CapsuleDecision,
  CutDecision,
  GapDecision,
  LeafDecision,
} from '../plan/decision.ts';
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
      message: message.number,
      record: block.record,
      role: message.role,
      kind: block.kind,
      tool: block.tool ?? null,
      callId: block.callId ?? null,
      live: message.live,
      tokensBefore: block.tokens,
      rule: view.ruleOf(block.index) ?? null,
      ...outcome(view, message, block.index, gap, edit),
    };
  });
  const added = [
    ...view.capsules.map((capsule) => capsuleRow(view, capsule)),
    ...view.leaves.flatMap((leaf) => (leaf.block === undefined ? copyRow(view, leaf) : [])),
    ...view.cuts.flatMap((cut) => (cut.block === undefined ? recordRow(view, cut) : [])),
  ];
  return [...rows, ...added.map((row, at) => ({ index: rows.length + at, ...row }))];
}

type AddedRow = Omit<BlockRow, 'index'>;

/** A capsule is a block that was not there before: it has a row of its own, after the others. */
function capsuleRow(view: View, capsule: CapsuleDecision): AddedRow {
  const { before, tokensAfter, action, strategy, reason, ref } = capsule;
  const place = {
    message: view.message(before).number,
    record: view.message(before).records[0] ?? 0,
  };
  const facts = { role: 'user', kind: 'text', live: true } as const;
  return {
    ...NO_BLOCK,
    ...facts,
    ...place,
    ...own(view),
    tokensAfter,
    action,
    strategy,
    reason,
    ref,
  };
}

function copyRow(view: View, { place, action, strategy, reason, ref }: LeafDecision): AddedRow {
  const { record } = place;
  return { ...NO_BLOCK, ...own(view), kind: 'copy', record, action, strategy, reason, ref };
}

function recordRow(view: View, cut: CutDecision): AddedRow {
  const { records, action, strategy, reason, ref } = cut;
  const [record = 0] = records;
  return { ...NO_BLOCK, ...own(view), kind: 'record', record, action, strategy, reason, ref };
}

function own({ conversation }: View): Pick<BlockRow, 'conversation'> {
  return { conversation: conversation.id };
}

const NO_BLOCK = {
  message: null,
  role: 'system',
  tool: null,
  callId: null,
  live: false,
  tokensBefore: 0,
  tokensAfter: 0,
  rule: null,
} as const;

/** A message may hold no block at all. */
function firstBlock(view: View, { messages }: GapDecision): number | undefined {
  const found = messages.find((message) => view.message(message).blocks.length > 0);
  return found === undefined ? undefined : view.message(found).blocks[0];
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
    const first = gap.type === 'gap' && firstBlock(view, gap) === index;
    const { action, strategy, reason, ref } = gap;
    return { tokensAfter: first ? gap.tokensAfter : 0, action, strategy, reason, ref };
  }
  if (edit !== undefined) {
    const { tokensAfter, action, strategy, reason, ref } = edit;
    return { tokensAfter, action, strategy, reason, ref };
  }
  const cut = view.cut(index);
  if (cut !== undefined) {
    const { tokensAfter, action, strategy, reason, ref } = cut;
    return { tokensAfter, action, strategy, reason, ref };
  }
  const block = view.block(index);
  const inside = view.leafIn(index);
  if (inside !== undefined) {
    const { action, strategy, reason, ref } = inside;
    return { tokensAfter: view.tokensOf(index), action, strategy, reason, ref };
  }
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
  if (!message.live) return view.reasonOf(index) ?? 'dead';
  if (message.injected) return 'injected';
  const { placeholder } = view.block(index);
  if (placeholder !== undefined)
    return placeholder.method === 'mask' ? 'already-masked' : 'already-offloaded';
  return view.reasonOf(index) ?? (message.role === 'system' ? 'system-message' : 'not-targeted');
}
