import type { DocumentFormat, Head, IndexContext, Indexed, Indexer } from '../format.ts';
import { isObject, stringAt, valueAt } from '../value.ts';
import { SDK_ITEMS, SdkReader, SENT_KINDS } from './sdk.ts';

const EVENT_FILE = /(?:^|\/)events\/event-\d+-[^/]+\.json$/;

const SHARED = {
  removal: 'its client takes events out of view only by a condensation of its own',
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of the OpenHands SDK 1.x',
  dialect: SDK_ITEMS,
  messagesAt: () => undefined,
} as const;

/** A list of events of the OpenHands SDK. */
export const openhandsSdk: DocumentFormat = {
  ...SHARED,
  name: 'openhands-sdk',
  title: 'OpenHands SDK events',
  layout: 'json',
  detect,
  indexer: (context) => new SdkIndexer(context),
};

/** A conversation folder of the OpenHands SDK: its state, and one file an event. */
export const openhandsSdkLog: DocumentFormat = {
  ...SHARED,
  name: 'openhands-sdk-log',
  title: 'OpenHands SDK conversation folder',
  layout: 'folder',
  detect: ({ framing, files = [] }) =>
    framing === 'folder' && files.some((path) => EVENT_FILE.test(path)) ? 95 : 0,
  indexer: (context, files) =>
    new SdkIndexer(context, (files as readonly string[] | undefined) ?? []),
};

function detect(head: Head): number {
  if (head.framing !== 'json' || !Array.isArray(head.document)) return 0;
  const events = head.document.filter(isObject);
  const typed = events.every((event) => typeof event['kind'] === 'string' && 'source' in event);
  const known = events.some((event) => SENT_KINDS.includes(stringAt(event, 'kind') ?? ''));
  return typed && known ? 90 : 0;
}

class SdkIndexer implements Indexer {
  readonly #events: SdkReader;
  readonly #files: readonly string[] | undefined;

  constructor(context: IndexContext, files?: readonly string[]) {
    this.#events = new SdkReader(context);
    this.#files = files;
  }

  record(value: unknown, record: number): void {
    const path = this.#files?.[record];
    if (path === 'base_state.json') {
      const model = valueAt(value, 'agent', 'llm', 'model');
      if (typeof model === 'string') this.#events.model = model;
    } else if (path === undefined || EVENT_FILE.test(path)) this.#events.read(value, record);
  }

  finish(): Indexed {
    return this.#events.finish();
  }
}
