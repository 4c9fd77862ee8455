import type { Message } from '../model/conversation.ts';
import { type BlockMethod, decideBlock } from '../plan/blocks.ts';
import { blocksOf } from '../plan/eligible.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Tools } from '../strategies/strategy.ts';
import type { Policy } from './policy.ts';
import type { Tail } from './tail.ts';
import { costOf, type Unit } from './units.ts';

/**
 * Older replies that only tell: their texts leave and the capsule says what they said. Text that shares a message
 * with a call stays unless `summarizeInlineText` asks for it (masking and summary, section 4.2).
 */
export async function narrationUnits(
  view: View,
  spec: StrategySpec,
  policy: Policy,
  tail: Tail,
  tools: Tools,
): Promise<Unit[]> {
  const units: Unit[] = [];
  for (const message of view.messages()) {
    if (!isNarration(view, message, policy, tail)) continue;
    const edits = [];
    for (const block of blocksOf(view, message)) {
      if (block.kind !== 'text' || block.blank || view.isPlaceholder(block.index)) continue;
      if (block.signed || block.shape === undefined) continue;
      const edit = await decideBlock(view, spec, tools, NARRATION, block);
      // A short reply is worth more than the few tokens that its marker would save.
      if (edit === undefined || edit.tokensBefore - edit.tokensAfter < policy.minTokensSaved) {
        view.note(block.index, 'below-min-saving');
        continue;
      }
      edits.push({ ...edit, reason: 'narration' });
    }
    if (edits.length > 0)
      units.push({ kind: 'narration', messages: [message], cost: costOf(view, [message]), edits });
  }
  return units;
}

function isNarration(view: View, message: Message, policy: Policy, tail: Tail): boolean {
  if (message.role !== 'assistant' || message.injected || message.gap !== undefined) return false;
  if (message.index >= tail.start || tail.kept.has(message.index)) return false;
  return (
    policy.summarizeInlineText ||
    blocksOf(view, message).every(({ kind }) => kind === 'text' || kind === 'thinking')
  );
}

const NARRATION: BlockMethod = {
  method: 'drop',
  action: 'summarized',
  scope: () => 'all',
  replace: () => ({ form: { type: 'dropped-block', media: [] }, recipe: {} }),
};
