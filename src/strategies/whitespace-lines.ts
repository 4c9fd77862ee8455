import { foldLines } from '../cleaning/fold.ts';
import { gated } from '../cleaning/replace.ts';
import { plural } from '../marker/marker.ts';
import { decideBlock } from '../plan/blocks.ts';
import type { BlockDecision } from '../plan/decision.ts';
import { eligibleBlocks } from '../plan/eligible.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/** Lines of a run that are folded at least. */
const LEAST_LINES = 3;

/** Runs of blank or of equal lines in tool output: whole lines, contiguous, everything else verbatim. */
export const whitespaceLines: Strategy = {
  method: 'whitespace-lines',
  destructive: 2,
  decide: (view, spec, tools) => gated(view, spec, tools, () => foldOutputs(view, spec, tools)),
};

async function foldOutputs(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const least = spec.minLines ?? LEAST_LINES;
  const decisions: BlockDecision[] = [];
  const blocks = eligibleBlocks(view, spec, tools).filter(({ media }) => media.length === 0);
  for (const block of blocks) {
    const decision = await decideBlock(
      view,
      spec,
      tools,
      {
        method: 'truncate',
        action: 'shortened',
        scope: () => 'text',
        replace: (_block, { content }) => {
          const { keep, lines } = foldLines(content.text, least);
          if (lines === 0 || content.texts !== 1) return { reason: 'no-repeats' };
          return { form: { type: 'folded', lines }, recipe: { fold: keep } };
        },
      },
      block,
    );
    if (decision !== undefined) decisions.push({ ...decision, reason: 'repeated-lines' });
  }
  return {
    decisions,
    fired: true,
    why: `${decisions.length} of ${plural(blocks.length, 'result')} folded`,
  };
}
