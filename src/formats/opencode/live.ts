import type { StoredMessage } from './messages.ts';

/** What of a session is sent, and which messages its compaction holds on to. */
export interface LivePart {
  readonly live: ReadonlySet<number>;
  /** Reason codes of messages that may not be removed, by position. */
  readonly fixed: ReadonlyMap<number, string>;
}

/** Where a person went back to: the session goes on before it. */
export interface Revert {
  readonly messageID: string;
  readonly partID?: string;
}

/**
 * As the client reads a session, newest message first: it stops at the newest finished compaction, or goes on to the
 * message that its kept tail begins with. What is behind a revert goes with the next prompt.
 */
export function livePart(messages: readonly StoredMessage[], revert?: Revert): LivePart {
  const live = new Set<number>();
  const fixed = new Map<number, string>();
  const done = new Set<string>();
  const end = revertEnd(messages, revert);
  let tail: string | undefined;
  for (let at = end - 1; at >= 0; at -= 1) {
    const { info, parts } = messages[at] as StoredMessage;
    live.add(at);
    const compaction = parts.find((part) => part.tail !== undefined);
    if (compaction !== undefined || info.summary) fixed.set(at, 'compaction-summary');
    if (tail !== undefined) {
      if (info.id !== tail) continue;
      fixed.set(at, 'preserved-segment');
      break;
    }
    if (info.role === 'user' && done.has(info.id) && compaction?.tail !== undefined) {
      if (compaction.tail === '' || compaction.tail === info.id) break;
      tail = compaction.tail;
    }
    if (info.role === 'assistant' && info.summary) done.add(info.parentID);
  }
  return { live, fixed };
}

function revertEnd(messages: readonly StoredMessage[], revert: Revert | undefined): number {
  const at = messages.findIndex(({ info }) => info.id === revert?.messageID);
  if (revert === undefined || at < 0) return messages.length;
  return revert.partID === undefined ? at : at + 1;
}
