import type { MessageDraft } from '../builder.ts';
import { joinTurns, type Turn } from './turns.ts';

/** What one version of a message means. */
export interface Version {
  readonly turns: readonly Turn[];
  readonly record: number;
  /** It lies in a checkpoint with other messages. */
  readonly inside: boolean;
  readonly model?: string;
  readonly usage?: number;
}

interface Entry extends Version {
  /** Every record that holds a version since the message came in. */
  readonly records: readonly number[];
}

/**
 * The messages of a session as the client rebuilds them: a later version of an id replaces the earlier one in its
 * place, a checkpoint starts anew, a rewind takes an id and everything after it.
 */
export class History {
  #entries = new Map<string, Entry>();
  readonly #dead: Entry[] = [];

  put(id: string, version: Version): void {
    const old = this.#entries.get(id);
    if (old !== undefined) this.#dead.push(old);
    const records = old?.records.filter((record) => record !== version.record) ?? [];
    const inside = version.inside || old?.inside === true;
    this.#entries.set(id, { ...version, inside, records: [...records, version.record] });
  }

  clear(): void {
    for (const entry of this.#entries.values()) this.#dead.push(entry);
    this.#entries = new Map();
  }

  /** An id that is not there clears everything, as the client does it. */
  rewind(id: string): void {
    if (!this.#entries.has(id)) {
      this.clear();
      return;
    }
    const ids = [...this.#entries.keys()];
    for (const gone of ids.slice(ids.indexOf(id))) {
      this.#dead.push(this.#entries.get(gone) as Entry);
      this.#entries.delete(gone);
    }
  }

  /** Messages in the order of their first records; what is not sent any more is dead. */
  drafts(): MessageDraft[] {
    const live = joinTurns(
      [...this.#entries.values()].flatMap((entry) => placed(entry, entry.records)),
    );
    const dead = this.#dead.flatMap((entry) => joinTurns(placed(entry, [entry.record])).map(bury));
    return [...dead, ...live].toSorted(
      (left, right) => (left.records[0] ?? 0) - (right.records[0] ?? 0),
    );
  }

  /** The newest figure of the live messages. */
  last<K extends 'model' | 'usage'>(key: K): Version[K] | undefined {
    return [...this.#entries.values()].findLast((entry) => entry[key] !== undefined)?.[key];
  }
}

function placed({ turns, inside }: Entry, records: readonly number[]): Turn[] {
  return turns.map((turn) => ({
    ...turn,
    records,
    facts: inside ? { ...turn.facts, fixed: 'replacement-history' } : turn.facts,
  }));
}

function bury(draft: MessageDraft): MessageDraft {
  return { ...draft, live: false };
}
