import { gated } from '../cleaning/replace.ts';
import { plural } from '../marker/marker.ts';
import type { Block, LiteralPlace } from '../model/conversation.ts';
import { type BlockMethod, decideBlock } from '../plan/blocks.ts';
import type { BlockDecision } from '../plan/decision.ts';
import { blocksOf } from '../plan/eligible.ts';
import { protect } from '../plan/protect.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

const MEDIA: ReadonlySet<string> = new Set(['image', 'document', 'video', 'audio']);
/** Newest pieces that stay when nothing is said: the model may not have seen the last one yet. */
const KEEP = 1;

/** Pictures and their like, in messages and in tool results: the newest stay, of the others a line says what they were. */
export const media: Strategy = {
  method: 'media',
  destructive: 4,
  decide: (view, spec, tools) => gated(view, spec, tools, () => offloadMedia(view, spec, tools)),
};

async function offloadMedia(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const keep = typeof spec.keep === 'number' ? spec.keep : KEEP;
  const found = view
    .messages()
    .filter(({ injected, gap, pinned }) => !injected && gap === undefined && !pinned)
    .flatMap((message) => blocksOf(view, message))
    .filter((block) => isMedia(block) && !view.isPlaceholder(block.index));
  const older = keep === 0 ? found : found.slice(0, -keep);
  for (const block of found.slice(older.length)) view.note(block.index, 'newest-media');
  const decisions: BlockDecision[] = [];
  const method = { ...OFFLOAD, copies: copiesBy(view) };
  const ends = protect(view, tools.protectEnds);
  for (const block of older) {
    const kept = block.shape === undefined ? 'signed' : ends.get(block.message);
    if (kept !== undefined) {
      view.note(block.index, kept);
      continue;
    }
    const decision = await decideBlock(view, spec, tools, method, block);
    if (decision !== undefined) decisions.push({ ...decision, reason: 'older-media' });
  }
  return {
    decisions,
    fired: true,
    why: `${decisions.length} of ${plural(found.length, 'piece')} of media offloaded`,
  };
}

function isMedia(block: Block): boolean {
  return MEDIA.has(block.kind) || block.media.length > 0;
}

/** The second place of a picture in the file: both go into one entry. */
function copiesBy(view: View): (block: Block) => readonly LiteralPlace[] {
  const taken = new Set(view.leaves.map(({ place }) => `${place.record} ${place.pointer}`));
  const byRecord = new Map<number, LiteralPlace[]>();
  for (const { record, pointer, media: holdsMedia } of view.conversation.copies ?? []) {
    if (holdsMedia !== true || taken.has(`${record} ${pointer}`)) continue;
    byRecord.set(record, [...(byRecord.get(record) ?? []), { record, pointer }]);
  }
  return ({ record }) => byRecord.get(record) ?? [];
}

const OFFLOAD: BlockMethod = {
  method: 'drop',
  action: 'dropped',
  scope: (block) => (block.kind === 'toolResult' ? 'media' : 'all'),
  replace: (_block, { content }) => ({
    form: { type: 'dropped-block', media: [...new Set(content.media)] },
    recipe: {},
  }),
};
