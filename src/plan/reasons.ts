/**
 * Why a block was kept or offloaded: stable codes, and how close each comes to an action. Of several reasons
 * for one kept block the closest is reported. The table is printed in docs/reasons.md.
 */
export const REASONS: Readonly<Record<string, { readonly rank: number; readonly text: string }>> = {
  'no-strategy': { rank: 0, text: 'no strategy was asked for' },
  'not-targeted': { rank: 1, text: 'no strategy has it as a target' },
  dead: { rank: 2, text: 'kept in the file only; resuming does not send it' },
  injected: { rank: 2, text: 'context that the client injects; counted, never edited' },
  'no-message-removal': { rank: 3, text: 'the format addresses its records by position' },
  'utilization-not-reached': { rank: 4, text: 'the window is not full enough for the strategy' },
  'below-block-threshold': { rank: 5, text: 'not larger than blockThreshold' },
  'preserve-recent': { rank: 6, text: 'among the newest messages that preserveRecent protects' },
  'first-message': {
    rank: 6,
    text: 'belongs to the head: everything up to the first user message',
  },
  'last-message': { rank: 6, text: 'the live end of the conversation' },
  pinned: { rank: 6, text: 'pinned in the transcript' },
  'group-protected': {
    rank: 6,
    text: 'a call or a result that lives or dies with it is protected',
  },
  'system-message': { rank: 6, text: 'system and developer messages are kept' },
  'compaction-summary': { rank: 6, text: 'the summary of an earlier compaction by the client' },
  'preserved-segment': { rank: 6, text: 'the client refers to it by id across a compaction' },
  'replacement-history': {
    rank: 6,
    text: 'an entry of a replacement history can not be removed alone',
  },
  'before-rollback': { rank: 6, text: 'the client counts turns across a rollback before it' },
  'before-compaction': {
    rank: 6,
    text: 'kept by the client across a compaction without a replacement',
  },
  signed: { rank: 6, text: 'signed or encrypted' },
  'no-place': { rank: 7, text: 'no neighbour may carry the marker' },
  'role-order': { rank: 7, text: 'kept so that roles go on alternating' },
  'already-offloaded': { rank: 8, text: 'a placeholder of an earlier run' },
  'fits-preview': { rank: 8, text: 'not longer than the preview would be' },
  'no-saving': { rank: 8, text: 'the marker would cost as much as it saves' },
  'summary-failed': { rank: 8, text: 'the summarizer gave nothing' },
  'selected-not-shortened': {
    rank: 8,
    text: 'its message was selected but this block fits its share of the preview',
  },
};

/** Reasons for an action. */
export const ACTION_REASONS: Readonly<Record<string, string>> = {
  targeted: 'a strategy without conditions has it as a target',
  'above-block-threshold': 'larger than blockThreshold',
  'not-recent': 'older than what preserveRecent protects',
  'utilization-reached': 'the window was full enough',
  emergency: 'the window was over-full after every strategy',
};

/** How close a reason comes to an action; 0 for an unknown one. */
export function rankOf(reason: string): number {
  return REASONS[reason]?.rank ?? 0;
}
