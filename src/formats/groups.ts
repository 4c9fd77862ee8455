import type { BlockDraft, MessageDraft } from './builder.ts';

/** Group of every message, and the tool name of every result. */
export interface Groups {
  readonly groups: readonly number[];
  readonly tools: ReadonlyMap<BlockDraft, string>;
}

/**
 * Ties calls and results together by id, not by adjacency. An id that occurs twice belongs to the latest call
 * before the result: ids are reused across turns by some clients. What is sent is tied to what is sent, where it can be:
 * a dead branch may hold the same ids.
 */
export function joinGroups(drafts: readonly MessageDraft[]): Groups {
  const parents = drafts.map((_, index) => index);
  const calls = new Map<string, { readonly message: number; readonly tool: string | undefined }>();
  const waiting = new Map<
    string,
    { readonly message: number; readonly result: BlockDraft | undefined }[]
  >();
  const tools = new Map<BlockDraft, string>();
  drafts.forEach((draft, message) => {
    const live = draft.live ?? true;
    for (const id of draft.links ?? []) join(id, live, message, undefined);
    for (const block of draft.blocks) {
      if (block.callId === undefined) continue;
      if (block.kind !== 'toolResult') addCall(block.callId, live, message, block.tool);
      else join(block.callId, live, message, block);
    }
  });
  return { groups: drafts.map((_, index) => root(parents, index)), tools };

  function addCall(id: string, live: boolean, message: number, tool: string | undefined): void {
    calls.set(`${live} ${id}`, { message, tool });
    for (const early of waiting.get(id) ?? []) {
      unite(parents, message, early.message);
      if (early.result !== undefined && tool !== undefined) tools.set(early.result, tool);
    }
    waiting.delete(id);
  }

  function join(id: string, live: boolean, message: number, result: BlockDraft | undefined): void {
    const call = calls.get(`${live} ${id}`) ?? calls.get(`${!live} ${id}`);
    if (call === undefined) {
      // The call may come later in the file: forward references occur in real sessions.
      waiting.set(id, [...(waiting.get(id) ?? []), { message, result }]);
      return;
    }
    unite(parents, call.message, message);
    if (result !== undefined && call.tool !== undefined) tools.set(result, call.tool);
  }
}

function unite(parents: number[], left: number, right: number): void {
  const low = Math.min(root(parents, left), root(parents, right));
  const high = Math.max(root(parents, left), root(parents, right));
  parents[high] = low;
}

function root(parents: number[], index: number): number {
  let at = index;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at] as number] as number;
    at = parents[at] as number;
  }
  return at;
}
