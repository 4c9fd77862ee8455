import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { stashError } from '../errors.ts';
import { arrayAt, stringAt } from '../formats/value.ts';
import {
  type Entry,
  type OriginalFacts,
  type RunLine,
  readOriginal,
  STASH_VERSION,
} from './lines.ts';
import { lineAt, parseLine, readTable } from './table.ts';

/** A stash that was opened for reading: its table, its runs, and single originals on demand. */
export interface Stash {
  readonly path: string;
  readonly size: number;
  /** Offset and length of each original's line, by complete ref, oldest first. */
  readonly refs: ReadonlyMap<string, readonly [offset: number, length: number]>;
  /** Offsets of run lines, oldest first. */
  readonly runOffsets: readonly number[];
  /** Offset and length of answers of summarizers, by key. */
  readonly summaries: ReadonlyMap<string, readonly [offset: number, length: number]>;
  /** Offset of the table that closes the file, or null when it had to be rebuilt by a scan. */
  readonly toc: number | null;
  /** Bytes that end with a complete line: what follows is a torn tail. */
  readonly sound: number;
  read(start: number, end: number): Buffer;
  close(): void;
}

/**
 * Opens a stash.
 * @throws CtxError with exit 5: missing, newer than this program, or no stash at all.
 */
export function openStash(path: string): Stash {
  if (!existsSync(path))
    throw stashError('stash-missing', `there is no stash at ${path}`, {
      hint: 'name it with --stash, or set CTX_STASH',
    });
  const fd = openSync(path, 'r');
  const { size } = fstatSync(fd);
  try {
    const read = (start: number, end: number) => readSpan(fd, start, Math.min(end, size));
    return loadStash(path, size, read, () => closeSync(fd));
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}

/** A stash that is held in memory. @throws CtxError with exit 5 as `openStash`. */
export function stashFromBytes(bytes: Uint8Array): Stash {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return loadStash(
    'stash',
    buffer.length,
    (start, end) => buffer.subarray(start, end),
    () => {},
  );
}

function loadStash(path: string, size: number, read: Stash['read'], close: () => void): Stash {
  checkHeader(path, read(0, 4096));
  return { path, size, ...readTable(size, read), read, close };
}

/**
 * The complete ref that a ref or a unique prefix of 6 or more digits names.
 * @throws CtxError with exit 5 for an unknown and for an ambiguous ref.
 */
export function resolveRef(stash: Stash, ref: string): string {
  // A complete ref wins over a longer one that begins with it.
  if (stash.refs.has(ref)) return ref;
  const wanted = ref.toLowerCase();
  const found =
    wanted.length < 6 ? [] : [...stash.refs.keys()].filter((known) => known.startsWith(wanted));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw stashError(
      'ref-ambiguous',
      `${ref} begins several refs: ${found.slice(0, 5).join(', ')}`,
      { hint: 'give more digits' },
    );
  const short = wanted.length < 6 ? 'a ref needs at least 6 digits; ' : '';
  throw stashError('ref-unknown', `${short}the stash ${stash.path} holds no original ${ref}`, {
    hint: 'list what it holds with `ctx retrieve --list`; trying again will not help',
  });
}

/**
 * One original, checked against its hash.
 * @throws CtxError with exit 5 when the entry is damaged.
 */
export function readEntry(stash: Stash, ref: string): Entry {
  const place = stash.refs.get(ref);
  if (place === undefined)
    throw stashError('ref-unknown', `the stash ${stash.path} holds no original ${ref}`);
  const entry = readOriginal(stash.read(place[0], place[0] + place[1]));
  if (entry !== undefined && entry.ref === ref) return entry;
  throw stashError('stash-corrupt', `the entry ${ref} of ${stash.path} does not match its hash`, {
    hint: 'restore the stash from a copy; nothing was changed',
  });
}

/** What an entry says of itself, without its bytes. */
export function readFacts(stash: Stash, ref: string): OriginalFacts {
  const [offset, length] = stash.refs.get(ref) ?? [0, 0];
  const head = stash.read(offset, offset + Math.min(length, 4096)).toString('utf8');
  const end = head.search(/,"(?:pieces|base64)":\[/);
  if (end < 0) return readEntry(stash, ref);
  const { t: _type, ...facts } = JSON.parse(`${head.slice(0, end)}}`) as OriginalFacts & {
    t: string;
  };
  return facts;
}

/** Reads pieces of originals one after the other: the entry of a large gap is read once. */
export function pieceReader(stash: Stash): (ref: string, piece: number) => Buffer {
  let held: Entry | undefined;
  return (ref, piece) => {
    if (held?.ref !== ref) held = readEntry(stash, ref);
    const bytes = held.pieces[piece];
    if (bytes === undefined)
      throw stashError('stash-corrupt', `the entry ${ref} of ${stash.path} lacks a piece`);
    return bytes;
  };
}

/** The sha256 that an entry claims, without reading its bytes. */
export function refHash(stash: Stash, ref: string): string {
  const [offset, length] = stash.refs.get(ref) ?? [0, 0];
  const head = stash.read(offset, offset + Math.min(length, 512)).toString('latin1');
  return /"sha256":"([0-9a-f]{64})"/.exec(head)?.[1] ?? ref;
}

/** The runs of a stash, oldest first. Damaged run lines are left out. */
export function readRuns(stash: Stash): RunLine[] {
  return stash.runOffsets.flatMap((offset) => {
    const line = parseLine(lineAt(offset, stash.size, stash.read));
    return isRun(line) ? [line] : [];
  });
}

/** A run line that can be used: a damaged one is left out, and what depends on it is reported as missing. */
function isRun(line: unknown): line is RunLine {
  if (stringAt(line, 't') !== 'run') return false;
  const lists = ['undo', 'placed', 'places'].map((key) => arrayAt(line, key));
  const sides = ['input', 'output'].map((key) => stringAt(line, key, 'sha256'));
  return (
    [...lists, ...sides].every((value) => value !== undefined) &&
    (lists[0] ?? []).every((undo) => Array.isArray(undo) && Array.isArray(undo[2])) &&
    (lists[1] ?? []).every((placed) => stringAt(placed, 'ref') !== undefined)
  );
}

function checkHeader(path: string, start: Buffer): void {
  const end = start.indexOf(0x0a);
  const head = parseLine(start.subarray(0, end < 0 ? start.length : end));
  if (stringAt(head, 'ctx') !== 'stash') {
    throw stashError('stash-foreign', `${path} is not a stash of ctx`, {
      hint: existsSync(`${path}.stash`)
        ? `its stash is ${path}.stash`
        : 'name the stash with --stash',
    });
  }
  const version = Number((head as { v?: unknown }).v);
  if (version > STASH_VERSION) {
    throw stashError(
      'stash-newer',
      `${path} was written by a newer ctx (stash version ${version})`,
      { hint: 'install the newest ctx-compact' },
    );
  }
}

function readSpan(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, end - start));
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
