import { END, prepareClasses } from './classes.ts';
import type { CounterName, TokenCounter } from './counter.ts';
import { createPieceCounter } from './pieces.ts';
import { type NextPiece, nextPieceCl100k, nextPieceO200k } from './split.ts';
import { openVocabulary } from './vocabulary.ts';

export type BpeName = Exclude<CounterName, 'heuristic'>;

/** A counter that gives the number of tokens tiktoken's `encode_ordinary` gives. */
export interface BpeCounter extends TokenCounter {
  /** Counts valid UTF-8 from `start` to `end`. */
  countUtf8(bytes: Uint8Array, start: number, end: number): number;
}

/** Room after the text: the END byte, and words that are read past the last piece. */
const PADDING = 16;
const FIRST_SIZE = 1 << 16;

const NEXT_PIECE: Record<BpeName, NextPiece> = {
  o200k_base: nextPieceO200k,
  cl100k_base: nextPieceCl100k,
};

/** Reads the vocabulary and builds a counter: about 50 ms, so one a process is enough. */
export function createBpeCounter(name: BpeName): BpeCounter {
  prepareClasses();
  const nextPiece = NEXT_PIECE[name];
  const countPiece = createPieceCounter(openVocabulary(name));
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(FIRST_SIZE);
  let view = new DataView(bytes.buffer);

  function grow(size: number): void {
    bytes = new Uint8Array(size);
    view = new DataView(bytes.buffer);
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
      // A lone surrogate is written as U+FFFD, as tiktoken takes it.
      let done = encoder.encodeInto(text, bytes.subarray(0, bytes.length - PADDING));
      if (done.read < text.length) {
        grow(3 * text.length + PADDING);
        done = encoder.encodeInto(text, bytes);
      }
      return countScratch(done.written);
    },
    countUtf8(source, start, end) {
      if (end - start + PADDING > bytes.length) grow(end - start + PADDING);
      bytes.set(source.subarray(start, end));
      return countScratch(end - start);
    },
  };
}
