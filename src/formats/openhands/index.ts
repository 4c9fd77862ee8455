import { OPENAI_CHAT_ITEMS } from '../dialects.ts';
import type { DocumentFormat, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { isObject, type Json } from '../value.ts';
import { EventReader } from './events.ts';
import { PageCache } from './pages.ts';

const EVENT_FILE = /(?:^|\/)events\/(\d+)\.json$/;
const SOURCES: readonly unknown[] = ['user', 'agent', 'environment'];

const SHARED = {
  removal: 'its events are addressed by position',
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of OpenHands 0.x',
  dialect: OPENAI_CHAT_ITEMS,
  messagesAt: () => undefined,
} as const;

/** A list of OpenHands events, as downloaded or saved with `save_trajectory_path`. */
export const openhands: DocumentFormat = {
  ...SHARED,
  name: 'openhands',
  title: 'OpenHands events',
  layout: 'json',
  detect,
  indexer: (context) => new ListIndexer(context),
};

/** A session folder of OpenHands: one file an event, and a cache of pages. */
export const openhandsLog: DocumentFormat = {
  ...SHARED,
  name: 'openhands-log',
  title: 'OpenHands session folder',
  layout: 'folder',
  detect: ({ framing, files = [] }) =>
    framing === 'folder' && files.some((path) => EVENT_FILE.test(path)) ? 90 : 0,
  indexer: (context, files) =>
    new FolderIndexer(context, (files as readonly string[] | undefined) ?? []),
};

function detect(head: Head): number {
  if (head.framing !== 'json' || !Array.isArray(head.document)) return 0;
  const events = head.document.filter(isObject);
  return events.length > 0 && events.every(isEvent) && events.some(isTold) ? 90 : 0;
}

function isEvent(event: Json): boolean {
  return event['action'] !== undefined || event['observation'] !== undefined;
}

/** An event of the kind that OpenHands writes, whoever else has actions and observations. */
function isTold(event: Json): boolean {
  return (
    SOURCES.includes(event['source']) && (isObject(event['args']) || isObject(event['extras']))
  );
}

class ListIndexer implements Indexer {
  readonly #events: EventReader;

  constructor(context: IndexContext) {
    this.#events = new EventReader(context);
  }

  record(value: unknown, record: number): void {
    this.#events.read(value, record, record);
  }

  finish(): Indexed {
    return this.#events.finish();
  }
}

class FolderIndexer implements Indexer {
  readonly #cache = new PageCache();
  readonly #events: EventReader;
  readonly #files: readonly string[];

  constructor(context: IndexContext, files: readonly string[]) {
    this.#events = new EventReader(context, this.#cache);
    this.#files = files;
  }

  /** Files come in natural order: the pages of the cache before the events. */
  record(value: unknown, record: number): void {
    const path = this.#files[record] ?? '';
    if (this.#cache.add(path, value, record)) return;
    const id = EVENT_FILE.exec(path)?.[1];
    if (id !== undefined) this.#events.read(value, record, Number(id));
  }

  finish(): Indexed {
    return this.#events.finish();
  }
}
