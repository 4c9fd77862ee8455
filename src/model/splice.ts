import type { OffloadMethod } from './conversation.ts';

/** Bytes [start, end) of the source are replaced by `data`. Splices are sorted and disjoint when applied. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  /** Text, or raw bytes that may not be UTF-8. */
  readonly data: string | Buffer;
}

/** A piece of an original: the span of one raw JSON value in the source. */
export interface PieceSpan {
  readonly record: number;
  readonly pointer: string;
  readonly start: number;
  readonly end: number;
}

/** What a typed identity says about a placeholder. */
export interface Identity {
  readonly ref: string;
  readonly method: OffloadMethod;
  readonly tokens: number;
  readonly kind: string;
  readonly messages?: number;
}

/** Records to remove, and the marker that takes their place. */
export interface GapEdit {
  /** Records to remove, ascending; none when a marker is only added. */
  readonly records: readonly number[];
  /** The record that the marker stands before; the place of the first removed record when absent. */
  readonly before?: number;
  readonly marker: string;
  readonly identity: Identity;
  /** strict alternation: the record whose content takes the marker as a block, and on which end. */
  readonly host?: { readonly record: number; readonly end: 'first' | 'last' };
}
