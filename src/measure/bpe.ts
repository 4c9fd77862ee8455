import { END, prepareClasses } from './classes.ts';
import type { CounterName, TokenCounter } from './counter.ts';
import { createPieceCounter } from './pieces.ts';
import { type NextPiece, nextPieceCl100k, nextPieceO200k } from './split.ts';
import { openVocabulary } from './vocabulary.ts';

export type BpeName = Exclude<CounterName, 'heuristic' | 'oneringai'>;

/** A counter that gives the number of tokens tiktoken's `encode_ordinary` gives. */
export interface BpeCounter extends TokenCounter {
  /** Counts valid UTF-8 from `start` to `end`. */
  countUtf8(bytes: Uint8Array, start: number, end: number): number;
}

/** Room after the text: the END byte, and words that are read past the last piece. */
const PADDING = 16;
const FIRST_SIZE = 1 << 16;
/** UTF-16 units of a long text that are written to the scratch buffer at once, where it can be cut. */
export const PART: number = 1 << 18;

const NEXT_PIECE: Record<BpeName, NextPiece> = {
  o200k_base: nextPieceO200k,
  cl100k_base: nextPieceCl100k,
};

/** Reads the vocabulary and builds a counter: about 50 ms of CPU, so one a process is enough. */
export function createBpeCounter(name: BpeName): BpeCounter {
  prepareClasses();
  const nextPiece = NEXT_PIECE[name];
  const countPiece = createPieceCounter(openVocabulary(name));
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(FIRST_SIZE);
  let view = new DataView(bytes.buffer);
  /** The scratch buffer without the padding. */
  let room = bytes.subarray(0, -PADDING);

  function reserve(size: number): void {
    if (size + PADDING <= bytes.length) return;
    bytes = new Uint8Array(Math.max(size + PADDING, 2 * bytes.length));
    view = new DataView(bytes.buffer);
    room = bytes.subarray(0, -PADDING);
  }

  function countPart(text: string): number {
    // A lone surrogate is written as U+FFFD, as tiktoken takes it.
    let done = encoder.encodeInto(text, room);
    if (done.read < text.length) {
      reserve(Buffer.byteLength(text));
      done = encoder.encodeInto(text, room);
    }
    return countScratch(done.written);
  }

  function countScratch(end: number): number {
    const text = bytes;
    const words = view;
    text[end] = END;
    let tokens = 0;
    for (let at = 0; at < end; ) {
      const next = nextPiece(text, at, words);
      // Every single byte is a token: a third of all pieces need no call.
      tokens += next === at + 1 ? 1 : countPiece(text, words, at, next);
      at = next;
    }
    return tokens;
  }

  return {
    name,
    count(text) {
      let tokens = 0;
      let from = 0;
      while (text.length - from > PART) {
        const cut = findCut(text, from, from + PART);
        if (cut === from) break;
        tokens += countPart(text.slice(from, cut));
        from = cut;
      }
      return tokens + countPart(from === 0 ? text : text.slice(from));
    },
    countUtf8(source, start, end) {
      reserve(end - start);
      room.set(source.subarray(start, end));
      return countScratch(end - start);
    },
  };
}

/**
 * The last place up to `limit` where no piece goes on: after a line feed before an ASCII letter or
 * digit. A line feed ends its piece there, and is never the prefix of a word. `from` if there is none.
 */
function findCut(text: string, from: number, limit: number): number {
  let at = text.lastIndexOf('\n', limit - 1);
  while (at > from && !/[0-9A-Za-z]/.test(text.charAt(at + 1))) at = text.lastIndexOf('\n', at - 1);
  return at > from ? at + 1 : from;
}
