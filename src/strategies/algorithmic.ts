import { plural } from '../marker/marker.ts';
import { pairReason } from '../masking/examiner.ts';
import { type Group, groupsOf } from '../masking/groups.ts';
import { indexBody } from '../masking/index-body.ts';
import { type Policy, policyOf, tokensToFree } from '../masking/policy.ts';
import { type Skipped, skip } from '../masking/skipped.ts';
import { MASK } from '../masking/units.ts';
import type { Block, Message } from '../model/conversation.ts';
import { decideBlock, strategyName } from '../plan/blocks.ts';
import type { BlockDecision, GapDecision } from '../plan/decision.ts';
import { eligibleGroups, gate, noteClosed } from '../plan/eligible.ts';
import { savingOf } from '../plan/gaps.ts';
import { protect } from '../plan/protect.ts';
import { type RemovalMethod, removeGroups } from '../plan/removal.ts';
import { sum, type View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/**
 * Large results to one line each, the oldest small call and result pairs to an index, and with a threshold a
 * rolling window (masking and summary, section 5), with its known faults built the right way (section 11).
 */
export const algorithmic: Strategy = {
  method: 'algorithmic',
  destructive: 6,
  async decide(view, spec, tools) {
    const { open, why } = gate(view, spec, tools);
    if (!open) {
      noteClosed(view, spec, tools);
      return { decisions: [], fired: false, why };
    }
    return rollUp(view, spec, tools);
  },
};

async function rollUp(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const policy = policyOf(spec);
  const skipped: Skipped = new Map();
  const groups = [...groupsOf(view).values()];
  const { edits, small } = await largeResults(view, spec, tools, policy, groups, skipped);
  const masked = new Set(edits.map(({ block }) => view.block(block).message));
  // What was masked stays, as it would in a run after this one: its line says where the rest is.
  const isWhole = (group: readonly Message[]) => !group.some(({ index }) => masked.has(index));
  const removable =
    tools.removal === true ? eligibleGroups(view, ANY_MESSAGE, tools).filter(isWhole) : [];
  const old = olderPairs(small, policy.maxToolPairs, groups).filter(({ messages }) =>
    isWhole(messages),
  );
  const numbers = new Set(old.map(({ messages }) => messages[0]?.group));
  const pairs = removable.filter((unit) => unit.every(({ group }) => numbers.has(group)));
  const names = { strategy: strategyName(spec), reason: 'older-pair' };
  const free = tokensToFree(view.tokens, policy, tools.window.tokens) - saved(edits);
  const gaps = await windowed(view, tools, pairs, removable, free, names);
  const noop = edits.length + gaps.length > 0 ? null : 'nothing-large-or-old';
  const removed = sum(gaps.map(({ messages }) => messages.length));
  return {
    decisions: [...edits, ...gaps],
    fired: true,
    why: `${plural(edits.length, 'result')} over ${policy.toolResultSizeThreshold} bytes, ${plural(removed, 'message')} of older pairs`,
    facts: { passes: 1, skipped: Object.fromEntries(skipped), noop },
  };
}

const ANY_MESSAGE: StrategySpec = { method: 'drop', target: { type: '*' } };

/** Step A: each complete pair whose result is larger than the threshold; the call stays, the body becomes a line. */
async function largeResults(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  policy: Policy,
  groups: readonly Group[],
  skipped: Skipped,
): Promise<{ edits: BlockDecision[]; small: Block[] }> {
  const guarded = protect(view, tools.protectEnds);
  const edits: BlockDecision[] = [];
  const small: Block[] = [];
  for (const group of groups) {
    for (const block of [...group.results.values()].flat()) {
      if (view.isPlaceholder(block.index)) continue;
      const reason =
        pairReason(block, group) ??
        guarded.get(block.message) ??
        (block.signed || block.shape === undefined ? 'opaque' : undefined);
      if (reason !== undefined) {
        skip(view, skipped, block, reason);
        if (pairReason(block, group) === undefined) small.push(block);
        continue;
      }
      if (tools.jsonSize(block) <= policy.toolResultSizeThreshold) {
        skip(view, skipped, block, 'small-result');
        small.push(block);
        continue;
      }
      const edit = await decideBlock(view, spec, tools, MASK, block);
      if (edit !== undefined) edits.push({ ...edit, reason: 'large-result' });
    }
  }
  return { edits, small };
}

/** Step B: groups whose pairs are all older than the newest ones that stay. */
function olderPairs(small: readonly Block[], most: number, groups: readonly Group[]): Group[] {
  const ordered = small.toSorted((a, b) => a.index - b.index);
  const older = new Set(ordered.slice(0, Math.max(0, ordered.length - most)));
  return groups.filter(({ results }) => {
    const own = [...results.values()].flat();
    return own.length > 0 && own.every((block) => older.has(block) || !small.includes(block));
  });
}

/** The window: older replies and then older pairs go until enough is free. What a user wrote never goes. */
async function windowed(
  view: View,
  tools: Tools,
  pairs: readonly (readonly Message[])[],
  removable: readonly (readonly Message[])[],
  free: number,
  names: { readonly strategy: string; readonly reason: string },
): Promise<GapDecision[]> {
  const chosen = [...pairs];
  let gaps = await removeGroups(view, chosen, tools, INDEXED, names);
  if (!Number.isFinite(free)) return gaps;
  const rest = removable.filter((group) => !chosen.includes(group));
  const queue = [...rest.filter(isNarration), ...rest.filter((group) => hasCalls(view, group))];
  while (savedBy(view, gaps) < free && queue.length > 0) {
    let wanted = free - savedBy(view, gaps);
    while (wanted > 0 && queue.length > 0) {
      const group = queue.shift() as readonly Message[];
      chosen.push(group);
      wanted -= sum(group.flatMap(({ blocks }) => blocks.map((index) => view.tokensOf(index))));
    }
    gaps = await removeGroups(view, chosen, tools, INDEXED, names);
  }
  return gaps;
}

const INDEXED: RemovalMethod = {
  method: 'drop',
  action: 'removed',
  describe: (messages, _tokens, view, tools) => {
    const body = indexBody(view, messages, tools);
    return body === ''
      ? { form: { type: 'dropped-messages', messages: messages.length } }
      : { form: { type: 'indexed-messages', messages: messages.length }, body };
  },
};

function isNarration(group: readonly Message[]): boolean {
  return group.every(({ role }) => role === 'assistant');
}

function hasCalls(view: View, group: readonly Message[]): boolean {
  const isCall = (index: number) => view.block(index).kind === 'toolCall';
  return !isNarration(group) && group.some(({ blocks }) => blocks.some(isCall));
}

function savedBy(view: View, gaps: readonly GapDecision[]): number {
  return sum(gaps.map((gap) => savingOf(view, gap)));
}

function saved(decisions: readonly { tokensBefore: number; tokensAfter: number }[]): number {
  return sum(decisions.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter));
}
