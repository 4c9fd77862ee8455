import { lstatSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { unpackedPipe } from '../load/archive.ts';
import { openSource, type Stamp } from '../load/file.ts';
import { packingOf } from '../load/packing.ts';
import { memorySource, type Source } from '../load/source.ts';
import type { Io } from './io.ts';

/** The bytes of a named file or of standard input; `stamp` is null for what nobody else can change. */
export async function openInput(
  file: string,
  flags: { readonly inPlace?: boolean },
  io: Io,
): Promise<{ source: Source; stamp: Stamp | null }> {
  if (file === '-') return { source: pipedSource(await io.stdin.read()), stamp: null };
  const source = openSource(resolvePath(file, io));
  // In place means the file behind a link, not the link.
  const path = flags.inPlace === true && isLink(file) ? realpathSync(file) : file;
  return { source: { ...source, path }, stamp: source.stamp };
}

function pipedSource(bytes: Buffer): Source {
  const packing = packingOf(bytes, '-');
  return packing === undefined ? memorySource(bytes, '-') : unpackedPipe(bytes, '-', packing);
}

function isLink(path: string): boolean {
  return lstatSync(path.replace(/[/\\]+$/, '')).isSymbolicLink();
}

function resolvePath(file: string, io: Io): string {
  return io.cwd === process.cwd() ? file : resolve(io.cwd, file);
}
