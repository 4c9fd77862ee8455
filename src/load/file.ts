import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { CtxError, inputError } from '../errors.ts';
import { unpackedFile } from './archive.ts';
import { fdSource } from './fd.ts';
import { MAGIC_BYTES, packingOf } from './packing.ts';
import { memorySource, type Source, type SourceFile } from './source.ts';

/** What tells whether a file was changed since it was read. The change time can not be set back, as mtime can. */
export interface Stamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

export interface OpenedSource extends Source {
  readonly stamp: Stamp;
}

/**
 * Opens a transcript: a file, or a folder that holds a session.
 * @throws CtxError with exit 3 when it can't be read.
 */
export function openSource(path: string): OpenedSource {
  if (path === '-') throw inputError('standard input is not read here', { hint: 'name a file' });
  try {
    return statSync(path).isDirectory() ? openFolder(path) : openFile(path);
  } catch (cause) {
    throw cause instanceof CtxError ? cause : readFailure(path, cause);
  }
}

/** The stamp of a path now. */
export function stampOf(path: string): Stamp {
  const stats = statSync(path);
  return stats.isDirectory() ? openFolder(path).stamp : stamp(stats);
}

export function sameStamp(left: Stamp, right: Stamp): boolean {
  return (
    left.size === right.size &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.ino === right.ino
  );
}

function openFile(path: string): OpenedSource {
  const fd = openSync(path, 'r');
  const stats = fstatSync(fd);
  if (!stats.isFile()) {
    closeSync(fd);
    throw inputError(`${path} is not a regular file`, { hint: 'use `-` to read standard input' });
  }
  const source = fdSource(fd, path, stats.size);
  try {
    const packing = packingOf(source.read(0, Math.min(stats.size, MAGIC_BYTES)), path);
    const content = packing === undefined ? source : unpackedFile(source, packing);
    return { ...content, stamp: stamp(stats) };
  } catch (cause) {
    source.close();
    throw cause;
  }
}

/** What a folder that holds a session has in it: Strands, OpenHands, OpenCode. */
const SESSION_MARKS = ['session.json', 'events', 'part'];

function openFolder(path: string): OpenedSource {
  const names = readdirSync(path);
  if (!SESSION_MARKS.some((mark) => names.includes(mark))) {
    const inner = names.find((name) =>
      SESSION_MARKS.some((mark) => existsSync(join(path, name, mark))),
    );
    const hint =
      inner === undefined
        ? 'name files or a glob; of folders only a session folder (with session.json, events/, or message/ and part/) is read'
        : `the session in it is ${join(path, inner)}`;
    throw inputError(`${path} is a directory, not a transcript`, { hint });
  }
  const files: SourceFile[] = [];
  const parts: Buffer[] = [];
  let size = 0;
  let newest = 0;
  let latest = 0;
  for (const name of listFiles(path, '')) {
    const full = join(path, name);
    const bytes = readFileSync(full);
    const { mtimeMs, ctimeMs } = statSync(full);
    newest = Math.max(newest, mtimeMs);
    latest = Math.max(latest, ctimeMs);
    files.push({ path: name, start: size, end: size + bytes.length });
    parts.push(bytes);
    size += bytes.length;
  }
  const source = memorySource(Buffer.concat(parts), path, files);
  return { ...source, stamp: { size, mtimeMs: newest, ctimeMs: latest, ino: files.length } };
}

/** Files below a folder in natural order, so that message_10 follows message_2. Links are refused. */
function listFiles(root: string, below: string): string[] {
  const names = readdirSync(join(root, below)).toSorted((left, right) =>
    left.localeCompare(right, 'en', { numeric: true }),
  );
  return names.flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isSymbolicLink())
      throw inputError(
        `${join(root, path)} is a symbolic link; links in a session folder are refused`,
      );
    return stats.isDirectory() ? listFiles(root, path) : [path];
  });
}

function stamp({ size, mtimeMs, ctimeMs, ino }: Stats): Stamp {
  return { size, mtimeMs, ctimeMs, ino };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
};

function readFailure(path: string, cause: unknown): CtxError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  return inputError(`can't read ${path}: ${REASONS[code] ?? (cause as Error).message}`, { cause });
}
