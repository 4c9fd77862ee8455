import { append } from '../append.ts';
import { gated, replaceTaken } from '../cleaning/replace.ts';
import { argument } from '../effects/call.ts';
import { withText } from '../json/leaves.ts';
import { pointerTokens } from '../json/scan.ts';
import { markerHash } from '../marker/hash.ts';
import { markerLine, parseMarker, plural } from '../marker/marker.ts';
import { groupsOf } from '../masking/groups.ts';
import type { Block, LiteralPlace } from '../model/conversation.ts';
import { strategyName } from '../plan/blocks.ts';
import type { LeafDecision } from '../plan/decision.ts';
import { protect } from '../plan/protect.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/** Strings of an input that are shorter say what was tried, and stay. */
const LEAST_TOKENS = 100;

/**
 * The bulky inputs of calls that failed and were made again with success. Where the format allows no changed input
 * the failed result goes instead.
 */
export const errorInputs: Strategy = {
  method: 'error-inputs',
  destructive: 3,
  decide: (view, spec, tools) => gated(view, spec, tools, () => dropInputs(view, spec, tools)),
};

interface Attempt {
  readonly call: Block;
  readonly result: Block;
  readonly key: string;
}

async function dropInputs(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const retried = retriedFailures(view, tools);
  const ends = protect(view, tools.protectEnds);
  const leaves: LeafDecision[] = [];
  const results: Block[] = [];
  for (const { call, result } of retried) {
    const guarded = tools.guard(call);
    if (guarded !== undefined) view.note(call.index, guarded.reason, guarded.rule);
    if (guarded !== undefined || ends.has(call.message)) continue;
    const strings = tools.inputStrings(call);
    if (strings === undefined) results.push(result);
    else append(leaves, shorten(view, spec, tools, call, strings));
  }
  const taken = results.map((block) => ({
    block,
    form: { type: 'dropped-block', media: [] } as const,
  }));
  const names = { action: 'dropped', reason: 'retried-failure' } as const;
  const edits = await replaceTaken(view, spec, tools, taken, names);
  return {
    decisions: [...leaves, ...edits],
    fired: true,
    why: `${plural(leaves.length, 'input')} and ${plural(edits.length, 'result')} of ${plural(retried.length, 'retried failure')}`,
  };
}

/** Failed calls that a later call of the same tool on the same thing made good. */
function retriedFailures(view: View, tools: Tools): Attempt[] {
  const attempts: Attempt[] = [];
  for (const group of groupsOf(view).values()) {
    for (const [id, [call]] of group.calls) {
      const [result] = group.results.get(id) ?? [];
      if (call === undefined || result === undefined) continue;
      attempts.push({ call, result, key: keyOf(call, tools) });
    }
  }
  const ordered = attempts.toSorted((left, right) => left.call.index - right.call.index);
  const good = new Set<string>();
  const retried: Attempt[] = [];
  for (const attempt of ordered.toReversed()) {
    // What nobody calls an error is a success.
    if (attempt.result.isError !== true) good.add(attempt.key);
    else if (good.has(attempt.key)) retried.push(attempt);
  }
  return retried.toReversed();
}

const NAMES = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'url',
  'command',
  'cmd',
  'query',
  'pattern',
];

/** What a call is about: the tool and its first telling argument, else the names of its arguments. */
function keyOf(call: Block, tools: Tools): string {
  const { tool, args } = tools.call(call);
  const name = NAMES.find((candidate) => typeof argument(args, candidate) === 'string');
  const about =
    name === undefined
      ? Object.keys(typeof args === 'object' && args !== null ? args : {}).join()
      : `${name}=${String(argument(args, name))}`;
  return `${tool} ${about}`;
}

/** Bulky strings of an input. Each saves what the whole input, counted again, is smaller by. */
function shorten(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  call: Block,
  places: readonly LiteralPlace[],
): LeafDecision[] {
  if (view.leafIn(call.index) !== undefined) return [];
  const leaves: LeafDecision[] = [];
  const base = pointerTokens(call.pointer ?? '').length;
  let { args } = tools.call(call);
  let tokens = tools.meter.json(args);
  for (const place of places) {
    const { text, bytes: bytesBefore, ref } = tools.literal(place);
    if (text === undefined || parseMarker(text) !== undefined) continue;
    const own = tools.meter.text(text);
    if (own < LEAST_TOKENS) continue;
    const form = { type: 'dropped-block', media: [] } as const;
    const line = markerLine({ form, tokens: own, ref, hint: tools.hint });
    const shorter = withText(args, pointerTokens(place.pointer).slice(base), line);
    const tokensAfter = tools.meter.json(shorter);
    if (tokensAfter >= tokens) continue;
    leaves.push({
      type: 'leaf',
      conversation: tools.conversation,
      place,
      block: call.index,
      method: 'drop',
      action: 'shortened',
      strategy: strategyName(spec),
      reason: 'retried-failure',
      ref,
      recipe: { line },
      textHash: markerHash(line),
      bytesBefore,
      bytesAfter: Buffer.byteLength(line) + 2,
      tokensBefore: tokens,
      tokensAfter,
    });
    args = shorter;
    tokens = tokensAfter;
  }
  return leaves;
}
