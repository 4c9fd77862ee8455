import type {
  Block,
  Conversation,
  Copy,
  MediaKind,
  Message,
  Placeholder,
  Repeat,
} from '../model/conversation.ts';
import type { BlockDraft, MessageDraft } from './builder.ts';
import { joinGroups } from './groups.ts';

export interface ConversationFacts {
  readonly id: string;
  readonly overhead: number;
  readonly model?: string;
  readonly usage?: number;
  readonly copies?: readonly Copy[];
  readonly repeats?: readonly Repeat[];
}

/** Gives drafts their places: indexes, tool names of results, groups. */
export function buildConversation(
  drafts: readonly MessageDraft[],
  facts: ConversationFacts,
): Conversation {
  const { groups, tools } = joinGroups(drafts);
  const blocks: Block[] = [];
  const shared = stringPool();
  let shift = 0;
  const messages: Message[] = drafts.map((draft, index) => {
    const own = draft.blocks.map((block) =>
      placeBlock(block, blocks, index, tools.get(block), shared),
    );
    const only = own.length === 1 ? blocks[own[0] as number] : undefined;
    const gap = only?.kind === 'text' ? only.placeholder : undefined;
    const stands = own.map((block) => messagesOf(blocks[block]?.placeholder));
    const alone = gap !== undefined && isGap(gap);
    const first = alone ? 0 : sumOf(stands.slice(0, leading(stands)));
    const number = index + shift + first;
    shift += sumOf(stands) - (alone ? 1 : 0);
    return {
      index,
      number,
      role: draft.role,
      blocks: own,
      // A copy has no spare room: there is one for each message.
      records: draft.records.slice(),
      real: draft.real === true && gap === undefined,
      injected: draft.injected ?? false,
      pinned: draft.pinned ?? false,
      group: groups[index] as number,
      live: draft.live ?? true,
      ...(draft.fixed === undefined ? {} : { fixed: draft.fixed }),
      ...(alone ? { gap } : {}),
    };
  });
  return { ...facts, messages, blocks };
}

/** Messages that a marker stands for; a capsule is added and stands for none. */
function messagesOf(placeholder: Placeholder | undefined): number {
  return placeholder?.messages ?? 0;
}

/** Markers at the front of a message stand for what was before it. */
function leading(stands: readonly number[]): number {
  const end = stands.indexOf(0);
  return end < 0 ? stands.length : end;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A marker of its own: nothing of an original message is around it. */
function isGap({ kind, messages }: Placeholder): boolean {
  return messages !== undefined || kind === 'source';
}

/** Equal strings become one: a session repeats its pointers, ids and names. */
export function stringPool(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const same = known.get(text);
    if (same !== undefined) return same;
    known.set(text, text);
    return text;
  };
}

/** Written out, not spread: a session has many blocks. */
function placeBlock(
  draft: BlockDraft,
  blocks: Block[],
  message: number,
  named: string | undefined,
  shared: (text: string) => string,
): number {
  const index = blocks.length;
  const { kind, record, pointer, shape, tokens, callId, isError, placeholder } = draft;
  const tool = draft.tool ?? named;
  const block: Writable<Block> = {
    index,
    message,
    kind,
    record,
    tokens,
    counted: draft.counted ?? true,
    signed: draft.signed ?? false,
    blank: draft.blank ?? false,
    media: draft.media ?? NO_MEDIA,
  };
  if (pointer !== undefined) block.pointer = shared(pointer);
  if (pointer !== undefined && shape !== undefined) block.shape = shape;
  if (tool !== undefined) block.tool = shared(tool);
  if (callId !== undefined) block.callId = shared(callId);
  // Where the text alone said it, the stash knows the status of what a marker stands for.
  const status = isError ?? placeholder?.isError;
  if (status !== undefined) block.isError = status;
  if (placeholder !== undefined) block.placeholder = placeholder;
  if (draft.pending !== undefined) block.pending = draft.pending;
  if (draft.hidden !== undefined) block.hidden = draft.hidden;
  if (draft.also !== undefined) block.also = draft.also;
  if (draft.element !== undefined) block.element = shared(draft.element);
  blocks.push(block);
  return index;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const NO_MEDIA: readonly MediaKind[] = [];
