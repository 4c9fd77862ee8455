/** Records of messages, ascending; a record may hold several messages. */
export function recordsOf(messages: readonly { readonly records: readonly number[] }[]): number[] {
  const records = new Set(messages.flatMap((message) => message.records));
  return [...records].toSorted((left, right) => left - right);
}
