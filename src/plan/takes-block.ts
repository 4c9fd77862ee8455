import type { Block } from '../model/conversation.ts';
import { matchesBlock } from '../specs/match.ts';
import type { Target } from '../specs/spec.ts';
import type { View } from './view.ts';

/** Whether a target names a block; a call goes with its result. */
export function takesBlock(view: View, target: Target, block: Block): boolean {
  const { role } = view.message(block.message);
  const { kind, blank, signed, tool, isError } = block;
  if (kind === 'toolCall' && target.type === 'tools')
    return matchesBlock(target, {
      kind: 'toolResult',
      role: 'user',
      blank,
      signed,
      ...named(tool),
    });
  const failed = isError === undefined ? {} : { isError };
  return matchesBlock(target, { kind, role, blank, signed, ...named(tool), ...failed });
}

function named(tool: string | undefined): { tool?: string } {
  return tool === undefined ? {} : { tool };
}
