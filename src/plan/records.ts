/** Records of messages, ascending. Messages may share one: a call and its result. */
export function recordsOf(messages: readonly { readonly records: readonly number[] }[]): number[] {
  const records = new Set(messages.flatMap((message) => message.records));
  return [...records].toSorted((left, right) => left - right);
}
