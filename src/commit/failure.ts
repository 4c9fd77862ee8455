import { CtxError, writeError } from '../errors.ts';

const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: [
    'the disk is full',
    'free some space; the input and any earlier output are as they were',
  ],
  EDQUOT: [
    'the disk quota is used up',
    'free some space; the input and any earlier output are as they were',
  ],
  EACCES: ['permission denied', 'choose another place with -o and --stash'],
  EPERM: ['permission denied', 'choose another place with -o and --stash'],
  EROFS: ['the file system is read-only', 'choose another place with -o and --stash'],
  ENOENT: ['the folder does not exist', 'make it first, or choose another place with -o'],
  EEXIST: ['it is there already', 'choose another place'],
  ENOTDIR: ['a part of the path is not a folder', 'choose another place'],
  EISDIR: ['it is a folder', 'name a file with -o'],
  ENAMETOOLONG: ['the name is too long', 'choose a shorter one with -o'],
  EFBIG: ['the file would be too large', 'free some space or raise the limit'],
};

/** A failed write as one clear line (exit 6); an error of ours goes through as it is. */
export function writeFailure(path: string, cause: unknown): Error {
  if (cause instanceof CtxError) return cause;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const known = REASONS[code];
  if (known === undefined && code === '') return cause as Error;
  const hint = known?.[1];
  return writeError(`can't write ${path}: ${known?.[0] ?? message}`, {
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
}
