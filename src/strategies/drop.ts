import type { MediaKind } from '../model/conversation.ts';
import type { BlockMethod } from '../plan/blocks.ts';
import { decideBlocks } from '../plan/blocks.ts';
import { decideRemoval } from '../plan/removal.ts';
import type { Strategy } from './strategy.ts';

/** Replaces what it takes by a marker alone. On `*` it removes whole messages. */
export const drop: Strategy = {
  method: 'drop',
  destructive: 7,
  decide: (view, spec, tools) =>
    spec.target.type === '*'
      ? decideRemoval(view, spec, tools, {
          method: 'drop',
          action: 'removed',
          describe: (messages) => ({
            form: { type: 'dropped-messages', messages: messages.length },
          }),
        })
      : decideBlocks(view, spec, tools, DROP_BLOCK),
};

/** A marker in the place of one block. */
export const DROP_BLOCK: BlockMethod = {
  method: 'drop',
  action: 'dropped',
  scope: () => 'all',
  replace: (_block, { content }) => ({
    form: { type: 'dropped-block', media: unique(content.media) },
    recipe: {},
  }),
};

function unique(media: readonly MediaKind[]): MediaKind[] {
  return [...new Set(media)];
}
