import { basename } from 'node:path';
import { EXIT } from '../../errors.ts';
import { defaultRestored } from '../../load/paths.ts';
import { commas, plural } from '../../marker/marker.ts';
import { safe } from '../../report/safe.ts';
import { type Restored, restoreFile } from '../../restore.ts';
import { inSessionFolder } from '../files.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json.ts';
import { quote } from '../print.ts';

export interface RestoreFlags {
  readonly stash?: string;
  readonly output?: string;
  readonly inPlace?: boolean;
  readonly last?: boolean;
  readonly ref?: readonly string[];
  readonly format?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `ctx restore`: 5 when an original has no place in the file any more. */
export function restoreCommand(file: string, flags: RestoreFlags, io: Io): number {
  const { ref = [], json, ...options } = flags;
  // In a client's session folder the original would be listed as a second session.
  const fallback = inSessionFolder(file, io.cwd)
    ? { fallback: basename(defaultRestored(file)) }
    : {};
  const refs = ref.length > 0 ? { refs: ref } : {};
  const restored = restoreFile(file, { ...options, ...refs, ...fallback });
  for (const warning of restored.warnings) io.stderr.write(`ctx: warning: ${safe(warning)}\n`);
  for (const lost of restored.lost)
    io.stderr.write(`ctx: the original ${lost} has no place in the file any more\n`);
  if (json === true) io.stdout.write(`${jsonText({ schema: 'ctx.restore/1', ...restored }, 2)}\n`);
  else {
    const how = {
      exact: 'byte for byte',
      appended: 'byte for byte, with what was appended',
      blocks: 'block by block',
    }[restored.how];
    const runs = restored.runs > 0 ? `, ${plural(restored.runs, 'run')} undone` : '';
    io.stdout.write(
      `restored ${quote(restored.path)} ${how}${runs} (${commas(restored.bytes)} bytes, sha256 ${restored.sha256}${archiveText(restored)})\n`,
    );
  }
  if (restored.partly && restored.path !== file) {
    io.stderr.write(
      `  other markers are left: their stash is now ${quote(`${restored.path}.stash`)} too\n`,
    );
  }
  return restored.lost.length > 0 ? EXIT.stash : EXIT.ok;
}

/** Of a compressed file the hash above is its content's; its own follows. */
function archiveText({ archive }: Restored): string {
  if (archive === undefined) return '';
  return `; as ${archive.method} ${commas(archive.bytes)} bytes, sha256 ${archive.sha256}`;
}
