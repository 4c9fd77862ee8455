import type { BlockKind, Role } from '../model/conversation.ts';
import type { Target } from './spec.ts';

/** What a target looks at. */
export interface BlockFacts {
  readonly kind: BlockKind;
  readonly role: Role;
  readonly tool?: string;
  readonly isError?: boolean;
  readonly blank: boolean;
  readonly signed: boolean;
}

/** Tools that bring originals back: their results are never offloaded, or they would be fetched again. */
export const RETRIEVAL_TOOLS: ReadonlySet<string> = new Set([
  'retrieve_context',
  'ctx_retrieve',
  'ctx-retrieve',
]);

const MEDIA: readonly BlockKind[] = ['image', 'document', 'video', 'audio'];

/**
 * Whether a block target takes a block (offload semantics, section 2). `*` works on messages and takes no block;
 * thinking, calls and opaque blocks are taken by none. An unknown error flag counts as success.
 */
export function matchesBlock(target: Target, block: BlockFacts): boolean {
  switch (target.type) {
    case '*':
      return false;
    case 'toolResults':
      return isResult(block) && block.isError !== true;
    case 'toolResultErrors':
      return isResult(block) && block.isError === true;
    case 'assistantText':
      return block.kind === 'text' && block.role === 'assistant' && !block.blank;
    case 'userText':
      return block.kind === 'text' && block.role === 'user' && !block.blank;
    case 'observations':
      return isResult(block);
    case 'media':
      return MEDIA.includes(block.kind);
    case 'tools':
      return isResult(block) && passes(target, block.tool);
    default:
      return target satisfies never;
  }
}

/** Whether a tool's results are what a retrieval gave back, also with a server's prefix (`mcp__x__retrieve_context`). */
export function isRetrievalTool(tool: string | undefined): boolean {
  const name = tool?.split(/__|[./:]/).at(-1);
  return name !== undefined && RETRIEVAL_TOOLS.has(name);
}

/** Formats give the role tool as user, so a result elsewhere is a broken record. */
function isResult(block: BlockFacts): boolean {
  return block.kind === 'toolResult' && block.role === 'user' && !isRetrievalTool(block.tool);
}

/** Only excludes: every known tool but these. A result whose call is unknown passes neither way. */
function passes(target: Target & { type: 'tools' }, tool: string | undefined): boolean {
  if (tool === undefined || tool === '') return false;
  const included = target.include.length === 0 || target.include.includes(tool);
  return included && !target.exclude.includes(tool);
}
