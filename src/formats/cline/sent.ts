import type { MessageDraft } from '../builder.ts';
import { type Json, stringAt } from '../value.ts';

/** What Roo Code notes on a message about its own compactions. */
export interface RooFacts {
  readonly summary: boolean;
  readonly condenseId?: string;
  readonly condenseParent?: string;
  readonly truncationId?: string;
  readonly truncationParent?: string;
}

/** One message of the file with those notes. */
export interface Entry {
  readonly draft: MessageDraft;
  readonly roo: RooFacts;
}

/** Reads the notes; only a truncation's marker has the id that hides messages. */
export function rooFacts(value: Json): RooFacts {
  const text = (key: keyof RooFacts) => {
    const found = stringAt(value, key);
    return found === undefined || found === '' ? {} : { [key]: found };
  };
  return {
    summary: value['isSummary'] === true,
    ...text('condenseId'),
    ...text('condenseParent'),
    ...(value['isTruncationMarker'] === true ? text('truncationId') : {}),
    ...text('truncationParent'),
  };
}

/**
 * Which messages Roo Code sends: from the newest summary on, without those that a truncation's marker hides, and
 * without results of calls that lie before. A parent whose summary or marker is gone hides nothing.
 */
export function sentDrafts(entries: readonly Entry[]): MessageDraft[] {
  const from = Math.max(
    0,
    entries.findLastIndex(({ roo }) => roo.summary),
  );
  const scope = entries.slice(from);
  const summarized = entries.some(({ roo }) => roo.summary);
  const markers = new Set(scope.flatMap(({ roo }) => roo.truncationId ?? []));
  const calls = new Set(
    scope.flatMap(({ draft }) =>
      draft.blocks.flatMap((block) => (block.kind === 'toolCall' ? (block.callId ?? []) : [])),
    ),
  );
  return entries.flatMap(({ draft, roo }, index) => {
    const hidden = roo.truncationParent !== undefined && markers.has(roo.truncationParent);
    if (index < from || hidden) return [{ ...draft, live: false }];
    return summarized ? withoutOrphans(draft, calls) : [draft];
  });
}

/** A result without its call stays in the file only; what is beside it is sent. */
function withoutOrphans(draft: MessageDraft, calls: ReadonlySet<string>): MessageDraft[] {
  const sent = draft.blocks.filter(
    ({ kind, callId }) => kind !== 'toolResult' || calls.has(callId ?? ''),
  );
  if (sent.length === draft.blocks.length) return [draft];
  const gone = draft.blocks.filter((block) => !sent.includes(block));
  const dead = { ...draft, blocks: gone, live: false };
  return sent.length === 0 ? [dead] : [dead, { ...draft, blocks: sent }];
}
