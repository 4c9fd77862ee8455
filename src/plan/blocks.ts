import { append } from '../append.ts';
import { markerHash } from '../marker/hash.ts';
import { type MarkerForm, markerLine } from '../marker/marker.ts';
import type { Block, LiteralPlace, OffloadMethod } from '../model/conversation.ts';
import type { Action } from '../report/report.ts';
import { formatSpec } from '../specs/format.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Read, Tools } from '../strategies/strategy.ts';
import { type BlockDecision, type Recipe, renderRecipe, type Scope } from './decision.ts';
import { eligibleBlocks, gate, noteClosed } from './eligible.ts';
import type { View } from './view.ts';

/** What a method makes of one block: a recipe, or the reason why it leaves the block. */
export type BlockResult =
  | { readonly form: MarkerForm; readonly recipe: Omit<Recipe, 'line'> }
  | { readonly reason: string };

export interface BlockMethod {
  readonly method: OffloadMethod;
  readonly action: Action;
  readonly scope: (block: Block) => Scope;
  /** Copies that no model sees and that leave with the block, into the same entry. */
  readonly copies?: (block: Block) => readonly LiteralPlace[];
  readonly replace: (block: Block, read: Read) => BlockResult | Promise<BlockResult>;
  /** Several blocks at once: what takes the time happens outside. */
  readonly parallel?: boolean;
}

/** Texts that are held at once when blocks are decided side by side. */
const BATCH = 16;

/** Runs a block method over every eligible block. */
export async function decideBlocks(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  method: BlockMethod,
): Promise<Outcome> {
  const { open, why } = gate(view, spec, tools);
  if (!open) {
    noteClosed(view, spec, tools);
    return { decisions: [], fired: false, why };
  }
  const decisions: BlockDecision[] = [];
  const blocks = eligibleBlocks(view, spec, tools);
  const step = method.parallel === true ? BATCH : 1;
  for (let at = 0; at < blocks.length; at += step) {
    const batch = blocks.slice(at, at + step);
    const made = await Promise.all(
      batch.map((block) => decideBlock(view, spec, tools, method, block)),
    );
    append(
      decisions,
      made.filter((decision) => decision !== undefined),
    );
  }
  return { decisions, fired: true, why: firedWhy(spec, why, blocks.length, decisions.length) };
}

/** The name of a step in reports: its method and its spec. */
export function strategyName(spec: StrategySpec): string {
  return `${spec.method} ${formatSpec(spec)}`.trimEnd();
}

/** Why a step acted on something: its closest condition. */
export function actionReason(spec: StrategySpec): string {
  if (spec.blockThreshold !== undefined) return 'above-block-threshold';
  if (spec.preserveRecent !== undefined) return 'not-recent';
  return spec.contextUtilization === undefined ? 'targeted' : 'utilization-reached';
}

/** One block's decision, unless it would not save a token net of its marker. */
export async function decideBlock(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  method: BlockMethod,
  block: Block,
): Promise<BlockDecision | undefined> {
  const guarded = tools.guard(block);
  if (guarded !== undefined) {
    view.note(block.index, guarded.reason, guarded.rule);
    return undefined;
  }
  const scope = method.scope(block);
  const read = tools.content(block, scope);
  const result =
    read.content.pieces.length === 0
      ? { reason: 'not-targeted' }
      : await method.replace(block, read);
  if ('reason' in result) {
    view.note(block.index, result.reason);
    return undefined;
  }
  const { content } = read;
  const hidden = scope === 'media' ? undefined : tools.native(block);
  const copies = hidden === undefined ? (method.copies?.(block) ?? []) : [];
  const { ref, pieces } =
    copies.length === 0
      ? { ref: read.ref, pieces: content.pieces }
      : tools.withCopies(block, content, copies);
  const stays = hidden === undefined ? staysOf(block, scope, content.text, tools) : 0;
  const line = markerLine({
    form: result.form,
    tokens: block.tokens - stays,
    ref,
    hint: tools.hint,
  });
  const recipe: Recipe = { ...result.recipe, line };
  const text = renderRecipe(recipe, content.text);
  const places = 1 + (block.also ?? []).filter((place) => place.again !== true).length;
  const markerTokens = tools.meter.text(hidden ?? text) * places;
  const tokensAfter = markerTokens + stays;
  // Media of unknown size (behind an address, say) count 0: there is nothing to compare with, and they always pass.
  const unmeasured = !block.counted && block.tokens === 0;
  if (tokensAfter >= block.tokens && !unmeasured) {
    view.note(block.index, 'no-saving');
    return undefined;
  }
  return {
    type: 'block',
    conversation: tools.conversation,
    block: block.index,
    method: method.method,
    action: method.action,
    strategy: strategyName(spec),
    reason: actionReason(spec),
    ref,
    recipe,
    ...(hidden === undefined ? {} : { native: true as const }),
    scope,
    ...(scope === 'media' && content.media[0] !== undefined ? { kind: content.media[0] } : {}),
    ...(copies.length === 0 ? {} : { copies }),
    pieces,
    textHash: markerHash(text),
    markerTokens,
    tokensBefore: block.tokens,
    tokensAfter,
  };
}

/** Tokens of what an edit leaves in the block. */
function staysOf(block: Block, scope: Scope, text: string, tools: Tools): number {
  // A string holds no media: those beside it stay whatever the scope is.
  if (scope === 'all' && block.shape !== 'string') return 0;
  const texts = textTokens(block, text, tools);
  return scope === 'media' ? texts : block.tokens - texts;
}

/** Tokens of the textual part of a block; the rest (media in a result) stays where it is. */
function textTokens(block: Block, text: string, tools: Tools): number {
  return block.media.length === 0 ? block.tokens : Math.min(block.tokens, tools.meter.text(text));
}

function firedWhy(spec: StrategySpec, why: string, eligible: number, acted: number): string {
  const gateText = spec.contextUtilization === undefined ? '' : `${why}; `;
  const noun = eligible === 1 ? 'block' : 'blocks';
  return `${gateText}${acted} of ${eligible} eligible ${noun} replaced`;
}
