import { append } from '../append.ts';
import { previewRanges } from '../apply/preview.ts';
import type { Block, Message } from '../model/conversation.ts';
import { type BlockMethod, type BlockResult, decideBlock, decideBlocks } from '../plan/blocks.ts';
import type { BlockDecision } from '../plan/decision.ts';
import { blocksOf, eligibleGroups, gate, noteClosed, thresholdOf } from '../plan/eligible.ts';
import { decideRemoval } from '../plan/removal.ts';
import { sum, type View } from '../plan/view.ts';
import { DEFAULT_PREVIEW } from '../specs/parse.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Read, Strategy, Tools } from './strategy.ts';

/** Leaves a preview; on `*` elides the middle, or with a blockThreshold shortens large messages in place. */
export const truncate: Strategy = {
  method: 'truncate',
  destructive: 5,
  decide(view, spec, tools) {
    if (spec.target.type !== '*')
      return decideBlocks(view, spec, tools, previewMethod(spec, tools, budgetOf(spec)));
    return spec.blockThreshold === undefined
      ? elideMiddle(view, spec, tools)
      : shortenMessages(view, spec, tools);
  },
};

function budgetOf(spec: StrategySpec): number {
  return spec.previewTokens ?? DEFAULT_PREVIEW;
}

/** A preview of `budget` tokens in the place of one block. */
export function previewMethod(spec: StrategySpec, tools: Tools, budget: number): BlockMethod {
  return {
    method: 'truncate',
    action: 'truncated',
    scope: (block) => (block.kind === 'toolResult' ? 'text' : 'all'),
    replace: (block, read) => previewOf(block, read, spec, tools, budget),
  };
}

function previewOf(
  block: Block,
  { content }: Read,
  spec: StrategySpec,
  tools: Tools,
  budget: number,
): BlockResult {
  if (content.texts === 0) {
    return { form: { type: 'offloaded-media', media: content.media }, recipe: {} };
  }
  // Without media the block was counted as its text; counting it again would be half of the work.
  const plain = block.media.length === 0 && block.also === undefined;
  const tokens = plain ? block.tokens : tools.meter.text(content.text);
  if (tokens <= budget) return { reason: 'fits-preview' };
  const keep = previewRanges(content.text, {
    previewTokens: budget,
    mode: spec.preview ?? 'headTail',
    failed: block.isError === true,
    tokens,
    count: tools.meter.text,
  });
  return { form: { type: 'truncated', blocks: content.texts }, recipe: { keep } };
}

/** Keeps whole groups from the front and the back within the budget; a group that straddles a border goes. */
function elideMiddle(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const budget = budgetOf(spec);
  const shares = { head: 1, tail: 0, headTail: 0.6 };
  const headBudget = Math.floor(budget * shares[spec.preview ?? 'headTail']);
  return decideRemoval(view, spec, tools, {
    method: 'truncate',
    action: 'removed',
    describe: (messages) => ({ form: { type: 'elided-messages', messages: messages.length } }),
    select: (groups) => {
      const weights = groups.map((group) => sum(group.map((message) => view.weight(message))));
      if (sum(weights) <= budget) return [];
      const head = prefixWithin(weights, headBudget);
      const tail = prefixWithin(weights.slice(head).toReversed(), budget - headBudget);
      return groups.slice(head, groups.length - tail);
    },
  });
}

function prefixWithin(weights: readonly number[], budget: number): number {
  let used = 0;
  const over = weights.findIndex((weight) => {
    used += weight;
    return used > budget;
  });
  return over < 0 ? weights.length : over;
}

/** Shortens each large message where it is; its blocks share one preview budget, so that it really shrinks. */
async function shortenMessages(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const { open, why } = gate(view, spec, tools);
  if (!open) {
    noteClosed(view, spec, tools);
    return { decisions: [], fired: false, why };
  }
  const threshold = thresholdOf(spec, tools) ?? 0;
  const large = shortenable(view, spec, tools).filter(
    (message) => view.weight(message) > threshold,
  );
  const decisions: BlockDecision[] = [];
  let unshortened = 0;
  for (const message of large) {
    const made = await shortenMessage(view, spec, tools, message);
    append(decisions, made);
    if (made.length === 0) unshortened += 1;
  }
  const rest = unshortened === 0 ? '' : `; ${unshortened} selected but not shortened`;
  return {
    decisions,
    fired: true,
    why: `${large.length} messages above ${threshold} tokens${rest}`,
  };
}

/** Messages that may be shortened: nothing is removed, so what only forbids removal does not count here. */
function shortenable(view: View, spec: StrategySpec, tools: Tools): Message[] {
  const { blockThreshold: _threshold, ...unsized } = spec;
  return eligibleGroups(view, unsized, tools, 'edit').flat();
}

async function shortenMessage(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  message: Message,
): Promise<BlockDecision[]> {
  const blocks = blocksOf(view, message).filter((block) => isShortenable(view, block));
  const share = waterLevel(
    blocks.map((block) => block.tokens),
    budgetOf(spec),
  );
  const decisions: BlockDecision[] = [];
  for (const block of blocks) {
    if (block.tokens <= share) {
      view.note(block.index, 'selected-not-shortened');
      continue;
    }
    const made = await decideBlock(view, spec, tools, previewMethod(spec, tools, share), block);
    if (made !== undefined) decisions.push(made);
  }
  return decisions;
}

function isShortenable(view: View, block: Block): boolean {
  const kind = block.kind === 'text' ? !block.blank : block.kind === 'toolResult';
  return kind && !block.signed && block.shape !== undefined && !view.isPlaceholder(block.index);
}

/** The level at which blocks cut to it use the budget: small blocks leave their share to large ones. */
function waterLevel(sizes: readonly number[], budget: number): number {
  let left = budget;
  const sorted = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
