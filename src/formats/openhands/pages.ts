import { sha256Hex } from '../../hash/hash.ts';
import type { LiteralPlace } from '../../model/conversation.ts';
import { stringAt } from '../value.ts';

const PAGE = /(?:^|\/)event_cache\/(\d+)-\d+\.json$/;
/** Pointers of the texts that are sent. */
const TEXTS = ['/content', '/args/content', '/args/summary', '/extras/outputs/content'];

/**
 * Pages of the client's cache: each holds 25 events again, and the client reads them instead of the event files.
 * It holds hashes, never text.
 */
export class PageCache {
  readonly #texts = new Map<string, { readonly hash: string; readonly place: LiteralPlace }>();

  /** Takes a file of the session when it is a page; says whether it is one. */
  add(path: string, value: unknown, record: number): boolean {
    const start = PAGE.exec(path)?.[1];
    if (start === undefined) return false;
    for (const [index, event] of (Array.isArray(value) ? (value as unknown[]) : []).entries()) {
      for (const pointer of TEXTS) {
        const text = stringAt(event, ...pointer.slice(1).split('/'));
        if (text === undefined) continue;
        const place = { record, pointer: `/${index}${pointer}`, again: true as const };
        this.#texts.set(`${Number(start) + index}${pointer}`, { hash: sha256Hex(text), place });
      }
    }
    return true;
  }

  /** Where an event's text stands again. */
  places(id: string, pointer: string, text: string): readonly LiteralPlace[] {
    const found = this.#texts.get(`${id}${pointer}`);
    return found === undefined || found.hash !== sha256Hex(text) ? [] : [found.place];
  }
}
