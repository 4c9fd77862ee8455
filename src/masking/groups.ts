import type { Block, Message } from '../model/conversation.ts';
import { blocksOf } from '../plan/eligible.ts';
import type { View } from '../plan/view.ts';

/** A connected group: messages with their calls and results, by call id. */
export interface Group {
  readonly messages: Message[];
  readonly blocks: Block[];
  readonly calls: ReadonlyMap<string, readonly Block[]>;
  readonly results: ReadonlyMap<string, readonly Block[]>;
}

/** Groups of the live messages by their number, in order of their first message. */
export function groupsOf(view: View): Map<number, Group> {
  const members = new Map<number, Message[]>();
  for (const message of view.messages()) {
    if (message.injected || message.gap !== undefined || message.role === 'system') continue;
    members.set(message.group, [...(members.get(message.group) ?? []), message]);
  }
  return new Map([...members].map(([number, messages]) => [number, groupOf(view, messages)]));
}

function groupOf(view: View, messages: Message[]): Group {
  const blocks = messages.flatMap((message) => blocksOf(view, message));
  return {
    messages,
    blocks,
    calls: byId(blocks.filter(({ kind }) => kind === 'toolCall')),
    results: byId(blocks.filter(({ kind }) => kind === 'toolResult')),
  };
}

function byId(blocks: readonly Block[]): Map<string, Block[]> {
  const found = new Map<string, Block[]>();
  for (const block of blocks) {
    if (block.callId === undefined) continue;
    found.set(block.callId, [...(found.get(block.callId) ?? []), block]);
  }
  return found;
}
