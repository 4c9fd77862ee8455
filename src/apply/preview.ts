import { elisionLine } from '../marker/marker.ts';
import type { KeptRange } from '../plan/decision.ts';
import type { PreviewMode } from '../specs/spec.ts';

export interface PreviewOptions {
  readonly previewTokens: number;
  readonly mode: PreviewMode;
  /** A failed result keeps its first error line, wherever it is. */
  readonly failed: boolean;
  /** Tokens of the whole text. */
  readonly tokens: number;
  readonly count: (text: string) => number;
}

/** Share of the head in a preview by mode (seed: 0.6 for both). */
const HEAD_SHARE: Readonly<Record<PreviewMode, number>> = { head: 1, tail: 0, headTail: 0.6 };

/** Names such as TypeError and KeyException count too. */
const ERROR_LINE = /(?:error|exception|traceback|panic|fatal|failed|failure|assertion)\b|\bE {2,}/i;

/**
 * Which parts of a text a preview keeps: a head and a tail of whole lines where a line end is near, else cut
 * between graphemes, never inside a surrogate pair. Ranges are in UTF-16 units. Linear in the text.
 */
export function previewRanges(text: string, options: PreviewOptions): KeptRange[] {
  const headBudget = Math.floor(options.previewTokens * HEAD_SHARE[options.mode]);
  const fit: Fit = { density: text.length / Math.max(1, options.tokens), count: options.count };
  const headEnd = takeHead(text, headBudget, fit);
  const tailStart = Math.max(headEnd, takeTail(text, options.previewTokens - headBudget, fit));
  const kept = [[0, headEnd]];
  const error = options.failed ? firstError(text) : undefined;
  if (error !== undefined && error[0] >= headEnd && error[1] <= tailStart) kept.push([...error]);
  kept.push([tailStart, text.length]);
  return withElisions(
    text,
    kept.filter(([start = 0, end = 0]) => end > start),
  );
}

function withElisions(text: string, kept: readonly (readonly number[])[]): KeptRange[] {
  const ranges: KeptRange[] = [];
  let at = 0;
  let line = 1;
  for (const [start = 0, end = 0] of [...kept, [text.length, text.length]]) {
    const skipped = text.slice(at, start);
    const last = line + newlines(skipped.endsWith('\n') ? skipped.slice(0, -1) : skipped);
    const before = skipped === '' ? '' : elisionLine(skipped.length, line, last);
    if (end > start || before !== '') ranges.push({ start, end, before });
    line += newlines(text.slice(at, end));
    at = end;
  }
  return ranges;
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** End of the longest start of the text within the budget. */
function takeHead(text: string, budget: number, { density, count }: Fit): number {
  if (budget <= 0) return 0;
  const tokens = (length: number) => count(text.slice(0, length));
  return headCut(text, longestFit(text.length, budget, density, tokens));
}

/** Start of the longest end of the text within the budget. */
function takeTail(text: string, budget: number, { density, count }: Fit): number {
  if (budget <= 0) return text.length;
  const tokens = (length: number) => count(text.slice(text.length - length));
  return tailCut(text, text.length - longestFit(text.length, budget, density, tokens));
}

interface Fit {
  /** UTF-16 units a token, over the whole text. */
  readonly density: number;
  readonly count: (text: string) => number;
}

/** How far below the budget a preview may stay: a closer fit costs more counting than it shows. */
const SLACK = 0.06;

/** A length whose tokens stay within the budget and close to it: guesses by density, then by what was counted. */
function longestFit(
  length: number,
  budget: number,
  density: number,
  tokens: (length: number) => number,
): number {
  let low = 0;
  let high = length;
  let guess = Math.min(length, Math.max(1, Math.floor(budget * density)));
  for (let step = 0; step < 24 && low < high; step += 1) {
    const used = tokens(guess);
    if (used <= budget) low = guess;
    else high = guess - 1;
    if (used <= budget && budget - used <= budget * SLACK) break;
    const ratio = Math.floor((guess * budget * (1 - SLACK / 2)) / Math.max(1, used));
    guess = ratio > low && ratio < high ? ratio : Math.ceil((low + high) / 2);
  }
  return low;
}

/** Back to a line end when one is near (within a fifth), else to a grapheme border. */
function headCut(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const newline = text.lastIndexOf('\n', end - 1);
  if (newline >= 0 && newline + 1 >= end * 0.8) return newline + 1;
  return graphemeBorder(text, end);
}

function tailCut(text: string, start: number): number {
  if (start <= 0) return 0;
  const newline = text.indexOf('\n', start - 1);
  const length = text.length - start;
  if (newline >= 0 && newline + 1 - start <= length * 0.2) return newline + 1;
  const border = graphemeBorder(text, start);
  return border < start ? nextBorder(text, border) : border;
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Graphemes longer than this are cut between code points: text may be made to hurt. */
const WINDOW = 64;

/** The last grapheme border at or before a position. */
function graphemeBorder(text: string, at: number): number {
  const from = codePointBorder(text, Math.max(0, at - WINDOW));
  let border = from;
  for (const { index } of SEGMENTER.segment(text.slice(from, at + WINDOW))) {
    if (from + index > at) break;
    border = from + index;
  }
  return border > from || from === 0 ? border : codePointBorder(text, at);
}

function nextBorder(text: string, at: number): number {
  const [first] = SEGMENTER.segment(text.slice(at, at + WINDOW));
  return at + (first?.segment.length ?? 0);
}

function codePointBorder(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at;
}

/** The first line that tells of an error, at most 400 units long. */
function firstError(text: string): [number, number] | undefined {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start <= 400 && ERROR_LINE.test(text.slice(start, end))) return [start, end];
    start = end + 1;
  }
  return undefined;
}
