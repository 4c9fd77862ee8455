import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFailure } from '../commit/failure.ts';
import { EXIT } from '../errors.ts';
import { plural } from '../marker/marker.ts';
import { safe } from '../report/safe.ts';
import { mediaIn } from '../retrieve/decode.ts';
import { sniffMedia } from '../retrieve/sniff.ts';
import { openStash, readEntry } from '../stash/store.ts';
import type { Io } from './io.ts';

/** Writes every picture, document and sound of the stashes as a file of its own, `<ref>.<ext>`; none is replaced. */
export function exportMedia(stashes: readonly string[], folder: string, io: Io): number {
  let written = 0;
  let there = 0;
  try {
    mkdirSync(folder, { recursive: true });
    for (const path of stashes) {
      const stash = openStash(path);
      try {
        for (const ref of stash.refs.keys()) {
          for (const [at, { bytes, mime }] of mediaIn(readEntry(stash, ref)).entries()) {
            const ext = mime === 'text/plain' ? 'txt' : sniffMedia(bytes).ext;
            const name = `${ref}${at === 0 ? '' : `-${at + 1}`}.${ext}`;
            if (writeNew(join(folder, name), bytes)) written += 1;
            else there += 1;
          }
        }
      } finally {
        stash.close();
      }
    }
  } catch (cause) {
    throw writeFailure(folder, cause);
  }
  const old = there === 0 ? '' : `, ${there} were there already`;
  io.stderr.write(`written ${plural(written, 'file')} to ${safe(folder)}${old}\n`);
  return EXIT.ok;
}

/** Whether a file was written: one that is there, or a link, is left alone. */
function writeNew(path: string, bytes: Buffer): boolean {
  try {
    writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}
