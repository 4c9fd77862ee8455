import { commas } from '../marker/marker.ts';
import type { Block, Message } from '../model/conversation.ts';
import { matchesBlock } from '../specs/match.ts';
import { blockThresholdTokens, protectedCount, utilizationReached } from '../specs/resolve.ts';
import type { Amount, StrategySpec, Target } from '../specs/spec.ts';
import type { Tools } from '../strategies/strategy.ts';
import { type Protection, protect, spread } from './protect.ts';
import { joinByRecord } from './shared-records.ts';
import type { View } from './view.ts';

/** Whether the strategy's gate is open, with the figures that say why. */
export function gate(view: View, spec: StrategySpec, tools: Tools): { open: boolean; why: string } {
  const { contextUtilization } = spec;
  if (contextUtilization === undefined) return { open: true, why: 'no utilization condition' };
  const { tokens: window } = tools.window;
  const used = view.tokens;
  const open = utilizationReached(contextUtilization, used, window);
  const share = ((used / window) * 100).toFixed(1);
  const needed = amountText(contextUtilization);
  const least = leastTokens(contextUtilization, window);
  const verb = open ? 'reached' : 'not reached';
  const hint = open
    ? ''
    : `; it would act from ${commas(least)} tokens on, or with --window ${Math.floor(used / (least / window))}`;
  return {
    open,
    why: `utilization ${needed} ${verb}: ${commas(used)} of ${commas(window)} tokens (${share}%)${hint}`,
  };
}

function leastTokens(amount: Amount, window: number): number {
  return 'count' in amount ? amount.count : Math.ceil((amount.percent / 100) * window);
}

function amountText(amount: Amount): string {
  return 'count' in amount ? String(amount.count) : `${amount.percent}%`;
}

/** A step that does not fire: what it would have taken says why, and what is protected says so. */
export function noteClosed(view: View, spec: StrategySpec, tools: Tools): void {
  const guarded = protect(view, tools.protectEnds);
  for (const message of view.messages()) {
    const reason = guarded.get(message.index);
    for (const block of message.blocks) {
      if (reason !== undefined) view.note(block, reason);
      else if (spec.target.type === '*') view.note(block, 'utilization-not-reached');
    }
  }
  noteAll(view, spec.target, 'utilization-not-reached');
}

/** Notes a reason on every block that the target matches. */
function noteAll(view: View, target: Target, reason: string): void {
  for (const message of matching(view, target)) {
    for (const block of blocksOf(view, message))
      if (matches(target, block, message)) view.note(block.index, reason);
  }
}

/** Live messages that count for the target: gap markers and injected context do not. */
function matching(view: View, target: Target): Message[] {
  const messages = target.type === '*' ? view.messages() : view.reachable();
  return messages.filter((message) => {
    if (message.injected || message.gap !== undefined || message.role === 'system') return false;
    return (
      target.type === '*' ||
      blocksOf(view, message).some((block) => matches(target, block, message))
    );
  });
}

/** Blocks that a block strategy may replace, in order; a reason is noted on those that it may not. */
export function eligibleBlocks(view: View, spec: StrategySpec, tools: Tools): Block[] {
  const found = matching(view, spec.target);
  const recent = newest(found, view, spec);
  const guarded = protect(view, tools.protectEnds);
  const threshold = thresholdOf(spec, tools);
  return found.flatMap((message) =>
    blocksOf(view, message).filter((block) => {
      if (!matches(spec.target, block, message)) return false;
      const reason = keepReason(view, block, message, guarded, recent, threshold);
      if (reason !== undefined) view.note(block.index, reason);
      return reason === undefined;
    }),
  );
}

/**
 * Groups of messages that a message strategy may remove, or shorten in place (`edit`), each closed under calls
 * and results. What only forbids a removal does not stand in the way of an edit.
 */
export function eligibleGroups(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  use: 'remove' | 'edit' = 'remove',
): Message[][] {
  const found = matching(view, spec.target);
  const guarded = new Map(protect(view, tools.protectEnds));
  for (const index of newest(found, view, spec))
    if (!guarded.has(index)) guarded.set(index, 'preserve-recent');
  if (use === 'remove') {
    for (const message of found) {
      const reason =
        message.fixed ??
        (hasPlaceholder(view, message) ? 'already-offloaded' : undefined) ??
        (view.isHost(message.index) ? 'no-place' : undefined);
      if (reason !== undefined && !guarded.has(message.index)) guarded.set(message.index, reason);
    }
    const own = view.messages().filter((message) => !message.injected);
    // A marker keeps the group that it is part of, wherever it stands.
    for (const { index, gap } of own)
      if (gap !== undefined && !guarded.has(index)) guarded.set(index, 'already-offloaded');
    spread(own, guarded);
  }
  const threshold = thresholdOf(spec, tools);
  const groups =
    use === 'remove' ? joinByRecord(groupsOf(found)) : found.map((message) => [message]);
  return groups.filter((group) => {
    const heavy =
      threshold === undefined || group.some((message) => view.weight(message) > threshold);
    const open = allowed(view, group, guarded, heavy);
    return open && (use === 'edit' || !hasGuarded(view, group, tools));
  });
}

/** Messages by group, in order of their first message. */
function groupsOf(messages: readonly Message[]): Message[][] {
  const groups = new Map<number, Message[]>();
  for (const message of messages) {
    const known = groups.get(message.group);
    if (known === undefined) groups.set(message.group, [message]);
    else known.push(message);
  }
  return [...groups.values()];
}

/** Placeholders that are in the file: those of this run give way to a removal. */
function hasPlaceholder(view: View, message: Message): boolean {
  return blocksOf(view, message).some((block) => block.placeholder !== undefined);
}

export function blocksOf(view: View, message: Message): Block[] {
  return message.blocks.map((index) => view.block(index));
}

/** blockThreshold in tokens, or undefined when the spec has none. */
export function thresholdOf(spec: StrategySpec, tools: Tools): number | undefined {
  return spec.blockThreshold === undefined
    ? undefined
    : blockThresholdTokens(spec.blockThreshold, tools.window.tokens);
}

function allowed(
  view: View,
  group: readonly Message[],
  guarded: Protection,
  heavy: boolean,
): boolean {
  const reason = group
    .map((message) => guarded.get(message.index))
    .find((found) => found !== undefined);
  if (reason === undefined && heavy) return true;
  for (const message of group) {
    for (const index of message.blocks)
      view.note(index, guarded.get(message.index) ?? reason ?? 'below-block-threshold');
  }
  return false;
}

/** One guarded block keeps its group: reasons are noted on all of it. */
function hasGuarded(view: View, group: readonly Message[], tools: Tools): boolean {
  const blocks = group.flatMap((message) => blocksOf(view, message));
  const found = blocks.flatMap((block) => {
    const guarded = tools.guard(block);
    if (guarded !== undefined) view.note(block.index, guarded.reason, guarded.rule);
    return guarded ?? [];
  });
  const [first] = found;
  if (first === undefined) return false;
  const reason = first.reason === 'not-selected' ? 'not-selected' : 'group-protected';
  for (const { index } of blocks) view.note(index, reason);
  return true;
}

/** Indexes of the newest matching messages that preserveRecent protects. */
function newest(found: readonly Message[], view: View, spec: StrategySpec): ReadonlySet<number> {
  const turns = recentTurns(found, view, spec.preserveRecentTurns ?? 0);
  if (spec.preserveRecent === undefined) return turns;
  // What earlier runs removed still counts in the base of a share, or a second run would reach further.
  const count = protectedCount(spec.preserveRecent, found.length + view.goneMessages());
  const recent = count === 0 ? [] : found.slice(-count).map((message) => message.index);
  return new Set([...turns, ...recent]);
}

/** Matching messages of the newest user turns. */
function recentTurns(found: readonly Message[], view: View, turns: number): Set<number> {
  if (turns === 0) return new Set();
  const from =
    view
      .messages()
      .filter(({ real }) => real)
      .at(-turns)?.index ?? 0;
  return new Set(found.flatMap(({ index }) => (index >= from ? [index] : [])));
}

function keepReason(
  view: View,
  block: Block,
  message: Message,
  guarded: Protection,
  recent: ReadonlySet<number>,
  threshold: number | undefined,
): string | undefined {
  if (view.isPlaceholder(block.index)) return 'already-offloaded';
  const protectedBy = guarded.get(message.index);
  if (protectedBy !== undefined) return protectedBy;
  if (recent.has(message.index)) return 'preserve-recent';
  if (block.signed || block.shape === undefined) return 'signed';
  const unmeasured = !block.counted && block.tokens === 0;
  if (threshold !== undefined && block.tokens <= threshold && !unmeasured)
    return 'below-block-threshold';
  return undefined;
}

/** A placeholder matches what its original matched; a gap marker matches nothing. */
export function matches(target: Target, block: Block, message: Message): boolean {
  const { placeholder } = block;
  const kind = placeholder?.kind ?? block.kind;
  if (placeholder?.messages !== undefined || kind === 'messages' || kind === 'source') return false;
  return matchesBlock(target, {
    kind,
    role: message.role,
    blank: block.blank,
    signed: block.signed,
    ...(block.tool === undefined ? {} : { tool: block.tool }),
    ...(block.isError === undefined ? {} : { isError: block.isError }),
  });
}
