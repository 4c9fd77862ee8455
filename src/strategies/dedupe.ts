import { gated, isIntact, replaceTaken, type Taken } from '../cleaning/replace.ts';
import { plural } from '../marker/marker.ts';
import type { Block } from '../model/conversation.ts';
import { strategyName } from '../plan/blocks.ts';
import type { CutDecision } from '../plan/decision.ts';
import { blocksOf } from '../plan/eligible.ts';
import type { View } from '../plan/view.ts';
import { isRetrievalTool } from '../specs/match.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/** Below this a marker saves nothing, and reading the text is not worth it. */
const LEAST_TOKENS = 30;

/**
 * Equal outputs, injected texts and records: one stays, the others say where it is. Only equal bytes count, never the
 * same input or a time of a file. Decided against the final view: what another step offloads is no survivor.
 */
export const dedupe: Strategy = {
  method: 'dedupe',
  destructive: 1,
  last: true,
  decide: (view, spec, tools) => gated(view, spec, tools, () => removeRepeats(view, spec, tools)),
};

async function removeRepeats(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const keep = spec.keep === 'oldest' ? 'oldest' : 'newest';
  const repeats = [...equalBlocks(view, tools)];
  const taken = repeats.flatMap((same) => duplicates(view, same, keep));
  const edits = await replaceTaken(view, spec, tools, taken, {
    action: 'deduplicated',
    reason: 'duplicate',
    method: 'dedupe',
  });
  const cuts = repeatedRecords(view, spec, tools);
  const records = cuts.flatMap((cut) => cut.records).length;
  return {
    decisions: [...edits, ...cuts],
    held: repeats.map((same) => {
      const block = survivorOf(same, keep).index;
      return {
        block,
        duplicates: same.map(({ index }) => index).filter((index) => index !== block),
      };
    }),
    fired: true,
    why: `${edits.length} of ${plural(taken.length, 'repeated block')}, ${plural(records, 'repeated record')}`,
  };
}

/** Intact blocks with the same bytes, in order. Equal texts have equal token counts, so few are read. */
function* equalBlocks(view: View, tools: Tools): Generator<readonly Block[]> {
  const alike = new Map<string, Block[]>();
  for (const block of candidates(view)) {
    const key = `${block.kind} ${block.tokens} ${block.isError ?? false}`;
    const list = alike.get(key) ?? [];
    alike.set(key, list);
    list.push(block);
  }
  for (const list of alike.values()) {
    if (list.length < 2) continue;
    const same = new Map<string, Block[]>();
    for (const block of list) {
      const { ref, content } = tools.content(block, 'all');
      if (content.pieces.length === 0) continue;
      same.set(ref, [...(same.get(ref) ?? []), block]);
    }
    for (const blocks of same.values()) if (blocks.length > 1) yield blocks;
  }
}

/** Results, and text that a client put into a message; what a person or a model wrote is never a duplicate. */
function candidates(view: View): Block[] {
  return view.messages().flatMap((message) => {
    if (message.injected || message.gap !== undefined || message.role !== 'user') return [];
    return blocksOf(view, message).filter(
      (block) =>
        (block.kind === 'toolResult' || (block.kind === 'text' && !message.real)) &&
        block.tokens >= LEAST_TOKENS &&
        block.shape !== undefined &&
        !isRetrievalTool(block.tool) &&
        isIntact(view, block),
    );
  });
}

function duplicates(view: View, same: readonly Block[], keep: 'newest' | 'oldest'): Taken[] {
  const survivor = survivorOf(same, keep);
  const of =
    survivor.kind === 'toolResult' && survivor.callId !== undefined
      ? `the result of ${survivor.callId}`
      : `message ${view.message(survivor.message).index}`;
  return same.flatMap((block) =>
    block === survivor ? [] : [{ block, form: { type: 'duplicate', of } as const }],
  );
}

function survivorOf(same: readonly Block[], keep: 'newest' | 'oldest'): Block {
  return (keep === 'newest' ? same.at(-1) : same[0]) as Block;
}

/** Records that the client takes for one: the first of them stays. */
function repeatedRecords(view: View, spec: StrategySpec, tools: Tools): CutDecision[] {
  if (tools.removal !== true) return [];
  const repeats = (view.conversation.repeats ?? []).filter(
    ({ record, of }) =>
      !view.isGone(record) &&
      tools.allowsRecord(record) &&
      tools.recordRef([record]) === tools.recordRef([of]),
  );
  return repeats.map(({ record }) => ({
    type: 'cut',
    conversation: tools.conversation,
    records: [record],
    method: 'drop',
    action: 'deduplicated',
    strategy: strategyName(spec),
    reason: 'duplicate',
    ref: tools.recordRef([record]),
    tokensBefore: 0,
    tokensAfter: 0,
  }));
}
