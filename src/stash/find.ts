import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CtxError, stashError } from '../errors.ts';
import { safe } from '../report/safe.ts';
import { openStash, resolveRef, type Stash } from './store.ts';

export interface StashSearch {
  /** Named on the command line. */
  readonly stash?: string;
  /** `$CTX_STASH`. */
  readonly fromEnv?: string;
  readonly folder: string;
  /** The user-level list of stashes. */
  readonly listFile?: string;
}

/** Where a stash may be: named, from the environment, beside the folder's transcripts, in the user's list. */
export function stashCandidates(search: StashSearch): string[] {
  if (search.stash !== undefined) return [search.stash];
  if (search.fromEnv !== undefined && search.fromEnv !== '') return [search.fromEnv];
  const local = readdirSync(search.folder)
    .filter((name) => name.endsWith('.stash'))
    .map((name) => join(search.folder, name));
  return [...new Set([...local, ...listed(search.listFile)])].filter((path) => existsSync(path));
}

/**
 * Opens the stash that holds a ref.
 * @throws CtxError with exit 5: no stash, unknown ref, ambiguous ref, damaged stash.
 */
export function stashWith(ref: string, search: StashSearch): { stash: Stash; ref: string } {
  const candidates = stashCandidates(search);
  if (candidates.length === 0) {
    throw stashError(
      'stash-missing',
      'no stash was found in this folder or in the list of stashes',
      {
        hint: 'name it with --stash FILE, or set CTX_STASH',
      },
    );
  }
  let failure: unknown;
  for (const path of candidates) {
    try {
      const stash = openStash(path);
      try {
        return { stash, ref: resolveRef(stash, ref) };
      } catch (cause) {
        stash.close();
        throw cause;
      }
    } catch (cause) {
      if (candidates.length === 1 || !isForeign(cause)) failure = worse(failure, cause);
    }
  }
  if (ref.length < 6) {
    throw stashError('ref-unknown', `${safe(ref)} is too short for a ref`, {
      hint: 'give at least 6 digits; list them with --list',
    });
  }
  if (candidates.length > 1 && failure instanceof CtxError && failure.code === 'ref-unknown') {
    throw stashError(
      'ref-unknown',
      `none of ${candidates.length} stashes holds an original ${ref}`,
      {
        hint: 'name the stash with --stash FILE; trying again will not help',
      },
    );
  }
  throw (
    failure ??
    stashError('stash-missing', 'no stash was found in this folder', {
      hint: 'name it with --stash FILE',
    })
  );
}

/** An ambiguous ref or a damaged stash says more than an unknown ref. */
function worse(known: unknown, next: unknown): unknown {
  return known === undefined || (isUnknownRef(known) && !isUnknownRef(next)) ? next : known;
}

/** A file that only has the ending of a stash. */
function isForeign(cause: unknown): boolean {
  return cause instanceof CtxError && cause.code === 'stash-foreign';
}

function isUnknownRef(cause: unknown): boolean {
  return cause instanceof CtxError && cause.code === 'ref-unknown';
}

function listed(file: string | undefined): string[] {
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .toReversed();
}
