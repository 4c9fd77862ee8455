import { markerHash } from '../marker/hash.ts';
import { markerLine, parseMarker, plural } from '../marker/marker.ts';
import type { Copy } from '../model/conversation.ts';
import { strategyName } from '../plan/blocks.ts';
import type { LeafDecision } from '../plan/decision.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

const LEAST_BYTES = 512;

/**
 * Strings that no model sees: second places of outputs, progress, backups. The same keys and types stay, so that a
 * client's screen still draws them; it saves bytes and claims no tokens.
 */
export const uiCopies: Strategy = {
  method: 'ui-copies',
  destructive: 1,
  decide: async (view, spec, tools) => shortenCopies(view, spec, tools),
};

function shortenCopies(view: View, spec: StrategySpec, tools: Tools): Outcome {
  const least = spec.minBytes ?? LEAST_BYTES;
  const copies = (view.conversation.copies ?? []).filter(
    ({ record, bytes }) => bytes >= least && !view.isGone(record) && tools.allowsRecord(record),
  );
  // A picture's second place may have gone with the picture.
  const places = [
    ...view.leaves.map(({ place }) => place),
    ...view.edits.flatMap((edit) => edit.copies ?? []),
  ];
  const taken = new Set(places.map(({ record, pointer }) => `${record} ${pointer}`));
  const decisions = copies.flatMap((copy) =>
    taken.has(`${copy.record} ${copy.pointer}`) ? [] : shorten(spec, tools, copy),
  );
  const saved = decisions.reduce((sum, leaf) => sum + leaf.bytesBefore - leaf.bytesAfter, 0);
  return {
    decisions,
    fired: true,
    why: `${decisions.length} of ${plural(copies.length, 'copy', 'copies')} shortened: ${plural(saved, 'byte')}, no tokens`,
  };
}

function shorten(spec: StrategySpec, tools: Tools, copy: Copy): LeafDecision[] {
  const { text, bytes: bytesBefore, ref } = tools.literal(copy);
  // A marker that an earlier run left is left alone, whoever knows it.
  if (text === undefined || parseMarker(text) !== undefined) return [];
  const line = markerLine({
    form: { type: 'copy', bytes: copy.bytes },
    tokens: 0,
    ref,
    hint: tools.hint,
  });
  const bytesAfter = Buffer.byteLength(line) + 2;
  if (bytesAfter >= bytesBefore) return [];
  return [
    {
      type: 'leaf',
      conversation: tools.conversation,
      place: { record: copy.record, pointer: copy.pointer },
      method: 'drop',
      action: 'shortened',
      strategy: strategyName(spec),
      reason: 'ui-copy',
      ref,
      recipe: { line },
      textHash: markerHash(line),
      bytesBefore,
      bytesAfter,
      tokensBefore: 0,
      tokensAfter: 0,
    },
  ];
}
