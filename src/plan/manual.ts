import { append } from '../append.ts';
import { MASK } from '../masking/units.ts';
import type { Block } from '../model/conversation.ts';
import type { Action } from '../report/report.ts';
import { DEFAULT_PREVIEW } from '../specs/parse.ts';
import type { StrategySpec } from '../specs/spec.ts';
import { DROP_BLOCK } from '../strategies/drop.ts';
import type { Outcome, Tools } from '../strategies/strategy.ts';
import { summaryMethod, Writer } from '../strategies/summarize.ts';
import { previewMethod } from '../strategies/truncate.ts';
import { type BlockMethod, decideBlock } from './blocks.ts';
import type { Decision } from './decision.ts';
import { eligibleGroups } from './eligible.ts';
import { manualKey } from './manual-key.ts';
import { protect } from './protect.ts';
import { removeGroups } from './removal.ts';
import type { View } from './view.ts';

/** What a person, or a program, decided for single blocks of a plan, by conversation id and block number. */
export interface ManualPlan {
  /** Blocks that no strategy may take: those that stay, and those that get another action. */
  readonly kept: ReadonlySet<string>;
  /** Blocks that get an action of their own. */
  readonly actions: ReadonlyMap<string, Action>;
}

const BARE: StrategySpec = { method: 'drop', target: { type: '*' } };

/** How one block gets an action. */
const METHODS: Readonly<Partial<Record<Action, (tools: Tools) => BlockMethod>>> = {
  dropped: () => DROP_BLOCK,
  truncated: (tools) => previewMethod({ ...BARE, method: 'truncate' }, tools, DEFAULT_PREVIEW),
  summarized: (tools) => summaryMethod(new Writer({ ...BARE, method: 'summarize' }, tools), tools),
  masked: () => MASK,
};

/** Actions that an edited plan may ask for; `removed` takes the whole group of a block. */
export const MANUAL_ACTIONS: readonly Action[] = [
  'kept',
  'removed',
  ...(Object.keys(METHODS) as Action[]),
];

/** Does to single blocks what was asked for, within everything that a strategy must keep to. */
export async function manualStep(view: View, own: Tools, plan: ManualPlan): Promise<Outcome> {
  // What the plan keeps from the steps is what is done here.
  const tools: Tools = { ...own, guard: own.ownRules };
  const asked = view.conversation.blocks.flatMap((block) => {
    const action = plan.actions.get(manualKey(view.conversation.id, block.index));
    return action === undefined ? [] : [{ block, action }];
  });
  const ends = protect(view, tools.protectEnds);
  const decisions: Decision[] = [];
  for (const { block, action } of asked) {
    const method = METHODS[action]?.(tools);
    if (method === undefined) continue;
    const kept = keptReason(view, block) ?? ends.get(block.message);
    if (kept !== undefined) view.note(block.index, kept);
    else append(decisions, named(await decideBlock(view, BARE, tools, method, block)));
  }
  const going = new Set(
    asked.flatMap(({ block, action }) => (action === 'removed' ? [block.message] : [])),
  );
  if (going.size > 0 && tools.removal === true) {
    const groups = eligibleGroups(view, BARE, tools).filter((group) =>
      group.some(({ index }) => going.has(index)),
    );
    const names = { strategy: 'plan', reason: 'planned' };
    append(decisions, await removeGroups(view, groups, tools, REMOVAL, names));
  }
  return {
    decisions,
    fired: true,
    why: `${decisions.length} of ${asked.length} edited entries carried out`,
  };
}

const REMOVAL = {
  method: 'drop',
  action: 'removed',
  describe: (messages: readonly unknown[]) => ({
    form: { type: 'dropped-messages', messages: messages.length } as const,
  }),
} as const;

function named(decision: Decision | undefined): Decision[] {
  return decision === undefined ? [] : [{ ...decision, strategy: 'plan', reason: 'planned' }];
}

function keptReason(view: View, block: Block): string | undefined {
  if (view.isPlaceholder(block.index)) return 'already-offloaded';
  return block.signed || block.shape === undefined ? 'signed' : undefined;
}
