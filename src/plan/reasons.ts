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
  protected: { rank: 9, text: 'a rule protects it; the report names the rule' },
  'not-selected': {
    rank: 2,
    text: 'outside of what was selected (--from, --to, --last, --only …)',
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
  unmatched: { rank: 5, text: 'a result without a call of its id before it' },
  'duplicate-id': { rank: 5, text: 'several calls or several results share its id' },
  'write-effect': { rank: 5, text: 'the call writes: what it answered is no observation' },
  'unknown-effect': { rank: 5, text: 'nobody says that the call only reads (see --effect)' },
  pending: { rank: 5, text: 'the call still runs: the answer is a stand-in' },
  'unknown-completion': { rank: 5, text: 'how the call ended is not certain' },
  'failed-read': { rank: 5, text: 'the read failed, which is worth knowing (see --mask-errors)' },
  'pending-in-group': { rank: 5, text: 'a call beside it has no answer yet' },
  multimodal: { rank: 5, text: 'a picture, a document or sound belongs to its group' },
  opaque: { rank: 5, text: 'a form that is not edited' },
  'mixed-effect': { rank: 5, text: 'a call of its batch is no read, and groupMixedEffect=protect' },
  'recent-turn': { rank: 6, text: 'in the newest user turns (see --preserve-turns)' },
  'recent-message': { rank: 6, text: 'among the newest messages (see --preserve-messages)' },
  'small-result': { rank: 6, text: 'its JSON is not larger than toolResultSizeThreshold' },
  'source-capacity': { rank: 7, text: 'its group is larger than maxSourceTokens' },
  'below-min-saving': { rank: 7, text: 'would save less than the least saving that was asked for' },
  'newest-media': { rank: 6, text: 'among the newest pieces of media that stay' },
  'no-repeats': { rank: 5, text: 'no run of blank or equal lines in it' },
  'no-place': { rank: 7, text: 'no neighbour may carry the marker' },
  'role-order': { rank: 7, text: 'kept so that roles go on alternating' },
  'already-masked': { rank: 8, text: 'masked by an earlier run' },
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
  observation: 'what a settled read brought back',
  'user-declared': 'declared an observation with --observe',
  narration: 'an older reply; the capsule says what it said',
  capsule: 'added: what was made from older messages',
  'large-result': 'its JSON is larger than toolResultSizeThreshold',
  'older-pair': 'a call and its result, older than the newest that stay',
  'settled-history': 'older, and nothing in it is still open',
  duplicate: 'the same bytes stand elsewhere; the marker says where',
  superseded: 'a file that was written or read again later',
  'retried-failure': 'a call that failed and was made again with success',
  'finished-thought': 'a thought of a turn that is over',
  'older-media': 'older than the media that stay',
  'ui-copy': 'a copy that no model sees: it saves bytes, no tokens',
  'repeated-lines': 'runs of blank or equal lines are folded',
  planned: 'an edited plan asked for it',
  emergency: 'the window was over-full after every strategy',
};

/** How close a reason comes to an action; 0 for an unknown one. */
export function rankOf(reason: string): number {
  return REASONS[reason]?.rank ?? 0;
}
