import { append } from '../append.ts';
import type { Message } from '../model/conversation.ts';

type Group = readonly Message[];

/**
 * Groups that leave together: a record leaves whole, so that groups with messages in one record are one. Only formats
 * that keep several messages in a record (a whole run of an agent) have such.
 */
export function joinByRecord(groups: readonly Group[]): Message[][] {
  const owners = new Map<number, Unit>();
  const units = new Set<Unit>();
  for (const group of groups) {
    const records = new Set(group.flatMap((message) => message.records));
    const met = new Set([...records].flatMap((record) => owners.get(record) ?? []));
    const [first = { messages: [], records: new Set<number>() }, ...others] = met;
    units.add(first);
    append(first.messages, [...group, ...others.flatMap(({ messages }) => messages)]);
    for (const other of others) units.delete(other);
    for (const record of [...records, ...others.flatMap((other) => [...other.records])]) {
      first.records.add(record);
      owners.set(record, first);
    }
  }
  return [...units].map(({ messages }) =>
    messages.toSorted((left, right) => left.index - right.index),
  );
}

interface Unit {
  readonly messages: Message[];
  readonly records: Set<number>;
}
