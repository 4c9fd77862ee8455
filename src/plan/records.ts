/** Records of messages, ascending. */
export function recordsOf(messages: readonly { readonly records: readonly number[] }[]): number[] {
  return messages.flatMap((message) => message.records).toSorted((left, right) => left - right);
}
