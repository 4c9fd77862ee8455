/** Names a block of a plan: by conversation id and block number. */
export function manualKey(conversation: string, block: number): string {
  return `${conversation} ${block}`;
}
