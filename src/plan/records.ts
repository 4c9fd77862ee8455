/** Records of messages, ascending; messages may share one. */
export function recordsOf(messages: readonly { readonly records: readonly number[] }[]): number[] {
  const records = new Set(messages.flatMap((message) => message.records));
  return [...records].toSorted((left, right) => left - right);
}
