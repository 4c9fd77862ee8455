import type { Decision, GapDecision } from './decision.ts';
import { sum, type View } from './view.ts';

/** Tokens that a decision saves as the view stands: what earlier steps took is not saved again. */
export function savingOf(view: View, decision: Decision): number {
  // What is dead is not sent: an edit of it saves bytes.
  if (decision.type === 'block' && !view.message(view.block(decision.block).message).live) return 0;
  if (decision.type !== 'gap') return decision.tokensBefore - decision.tokensAfter;
  const blocks = decision.messages.flatMap((message) => view.message(message).blocks);
  return sum(blocks.map((block) => view.tokensOf(block))) - decision.tokensAfter;
}

/** Gaps that have to go together: a call and its result may lie in two of them. */
export function clusters(view: View, gaps: readonly GapDecision[]): GapDecision[][] {
  const found: { readonly groups: Set<number>; readonly gaps: GapDecision[] }[] = [];
  for (const gap of gaps) {
    const groups = new Set(gap.messages.map((message) => view.message(message).group));
    const tied = found.filter((cluster) => [...groups].some((group) => cluster.groups.has(group)));
    const joined = {
      groups: new Set([...groups, ...tied.flatMap((cluster) => [...cluster.groups])]),
      gaps: [...tied.flatMap((cluster) => cluster.gaps), gap],
    };
    for (const cluster of tied) found.splice(found.indexOf(cluster), 1);
    found.push(joined);
  }
  return found.map((cluster) => cluster.gaps);
}
