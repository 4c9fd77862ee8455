import type { Undo } from '../apply/splice-bytes.ts';
import type { GapPlace } from '../formats/format.ts';
import { hashPieces } from '../hash/hash.ts';
import { elements, findPointer, skipSpace, utf8 } from '../json/scan.ts';

/** Version of the stash file that this program writes. Format: docs/stash.md. */
export const STASH_VERSION: number = 1;

/** First line of a stash. */
export const HEADER: string = `{"ctx":"stash","v":${STASH_VERSION}}\n`;

/** What an original was: kept beside its bytes so that it can be listed and recognised later. */
export interface OriginalFacts {
  readonly ref: string;
  readonly sha256: string;
  readonly kind: string;
  readonly tokens: number;
  readonly role?: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly isError?: boolean;
  readonly messages?: number;
}

/** Kind of an entry that is a whole compressed file. */
export const ARCHIVE_KIND = 'archive';

/** One placeholder that a run left. */
export interface PlacedMarker {
  readonly ref: string;
  readonly method: string;
  readonly kind: string;
  readonly tokens: number;
  readonly messages?: number;
  /** Status of the result, where only its text says it. */
  readonly isError?: boolean;
  /** Pointers in the marker's record of copies that left with it. */
  readonly copies?: readonly string[];
  /** sha256 of the marker's text, first 32 digits. */
  readonly text: string;
}

interface SideFacts {
  readonly sha256: string;
  readonly bytes: number;
  /** Base name only: a stash may be shared. */
  readonly name: string;
}

/** What is needed to undo one run, and what it was counted with. */
export interface RunLine {
  readonly t: 'run';
  readonly id: string;
  readonly at: string;
  readonly format: string;
  readonly input: SideFacts;
  readonly output: SideFacts;
  /** Run that wrote the input, when the input was an output. */
  readonly parent: string | null;
  readonly inPlace: boolean;
  /** Ref of the compressed file that the input was, when it was kept. */
  readonly archive?: string;
  readonly counter: string;
  readonly window: number | null;
  readonly strategies: readonly string[];
  readonly tokens: { readonly before: number; readonly after: number };
  readonly undo: readonly Undo[];
  readonly placed: readonly PlacedMarker[];
  readonly places: readonly GapPlace[];
}

/** Table of contents that closes a run: where each original's line is. */
export interface TocLine {
  readonly t: 'toc';
  readonly run: string;
  /** Offset of the run line; null when the table was rebuilt without one. */
  readonly at: number | null;
  readonly refs: Readonly<Record<string, readonly [offset: number, length: number]>>;
  /** Where answers of summarizers are, by key; absent when the run added none. */
  readonly summaries?: Readonly<Record<string, readonly [offset: number, length: number]>>;
  /** Offset of the table before. */
  readonly prev: number | null;
}

/** An original with its pieces, as stored. */
export interface Entry extends OriginalFacts {
  readonly pieces: readonly Buffer[];
}

/** The line of an original, its raw JSON bytes in it as they are, base64 where a line can't hold them. */
export function originalLine(facts: OriginalFacts, pieces: readonly Buffer[]): Buffer {
  const head = JSON.stringify({ t: 'original', ...facts }).slice(0, -1);
  const plain =
    facts.kind !== ARCHIVE_KIND && pieces.every((piece) => !piece.includes(0x0a) && isTight(piece));
  if (!plain) {
    const coded = pieces.map((piece) => piece.toString('base64'));
    return Buffer.from(`${head},"base64":${JSON.stringify(coded)}}\n`);
  }
  const parts: Buffer[] = [Buffer.from(`${head},"pieces":[`)];
  pieces.forEach((piece, index) => {
    if (index > 0) parts.push(Buffer.from(','));
    parts.push(piece);
  });
  parts.push(Buffer.from(']}\n'));
  return Buffer.concat(parts);
}

/** Reads the line of an original back, bytes as they were. Undefined when it is not one or is damaged. */
export function readOriginal(line: Buffer): Entry | undefined {
  const list = pieceList(line);
  if (list === undefined) return undefined;
  const { facts, pieces } = list;
  return hashPieces(pieces) === facts.sha256 ? { ...facts, pieces } : undefined;
}

function pieceList(line: Buffer): { facts: OriginalFacts; pieces: Buffer[] } | undefined {
  try {
    const marks = [',"pieces":[', ',"base64":[']
      .map((mark) => line.indexOf(mark))
      .filter((at) => at >= 0);
    const cut = Math.min(...marks);
    const facts = JSON.parse(`${utf8(line, 0, cut)}}`) as OriginalFacts & { t?: string };
    if (facts.t !== 'original') return undefined;
    const { t: _type, ...rest } = facts;
    const start = line.indexOf('[', cut);
    const spans = elements(line, start);
    if (line.indexOf('"base64"', cut) === cut + 1) {
      const coded = JSON.parse(utf8(line, start, findPointer(line, start, '')?.end)) as string[];
      return { facts: rest, pieces: coded.map((text) => Buffer.from(text, 'base64')) };
    }
    return { facts: rest, pieces: spans.map((span) => line.subarray(span.start, span.end)) };
  } catch {
    return undefined;
  }
}

/** No white space around the value: a list of values would not give it back. */
function isTight(piece: Buffer): boolean {
  return (
    piece.length > 0 &&
    skipSpace(piece, 0) === 0 &&
    !/\s/.test(String.fromCharCode(piece.at(-1) ?? 0x20))
  );
}
