import type { Packing } from './packing.ts';

/** Where a transcript's bytes come from. A folder is a source too: its files one after the other. */
export interface Source {
  /** Path as given, `-` for standard input, '' for bytes in memory. */
  readonly path: string;
  readonly size: number;
  /** For a folder: its files in order, each with its span in the source. */
  readonly files?: readonly SourceFile[];
  /** Set when the bytes were decompressed: the file that they came from. */
  readonly archive?: Archive;
  /** Bytes [start, end). The result is valid until the next call. */
  read(start: number, end: number): Buffer;
  /** Bytes [start, end) written into `target` at `at`: for passes that reuse one buffer. */
  readInto(start: number, end: number, target: Buffer, at: number): void;
  /** All bytes, read once and held until `release`: a document is scanned several times. */
  hold(): Buffer;
  release(): void;
  close(): void;
}

/** A compressed file. */
export interface ArchiveFacts {
  readonly method: Packing;
  readonly bytes: number;
  readonly sha256: string;
}

interface Archive extends ArchiveFacts {
  /** The compressed bytes. */
  raw(): Buffer;
}

export interface SourceFile {
  /** Path relative to the folder, with `/`. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A source over bytes in memory. */
export function memorySource(bytes: Uint8Array, path = '', files?: readonly SourceFile[]): Source {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    path,
    size: buffer.length,
    ...(files === undefined ? {} : { files }),
    read: (start, end) => buffer.subarray(start, end),
    readInto: (start, end, target, at) => void buffer.copy(target, at, start, end),
    hold: () => buffer,
    release: () => {},
    close: () => {},
  };
}
