import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Packing, pack } from '../load/packing.ts';
import type { ArchiveFacts, SourceFile } from '../load/source.ts';

/** Takes the output's bytes in order; nothing is visible at the target before `place`. */
export interface Sink {
  /** Where the bytes are until they are placed. */
  readonly temporary: string;
  write(bytes: Buffer): void;
  /** Flushes to the disk. */
  close(): SinkFacts;
  /** Renames to the target. */
  place(): void;
  /** Removes what was written. */
  discard(): void;
}

/** Size and hash of the content, and of the file when it is compressed. */
export interface SinkFacts {
  readonly bytes: number;
  readonly sha256: string;
  readonly archive?: ArchiveFacts;
}

/** Content is compressed in parts of this size, so that memory does not grow with it. */
const PART = 4 * 1024 * 1024;

/** A file sink whose content is compressed on its way. */
export function packedSink(sink: Sink, method: Packing): Sink {
  const hash = createHash('sha256');
  let held: Buffer[] = [];
  let waiting = 0;
  let bytes = 0;
  const flush = () => {
    sink.write(pack(Buffer.concat(held), method));
    held = [];
    waiting = 0;
  };
  return {
    ...sink,
    write(chunk) {
      hash.update(chunk);
      bytes += chunk.length;
      held.push(Buffer.from(chunk));
      waiting += chunk.length;
      if (waiting >= PART) flush();
    },
    close() {
      if (waiting > 0 || bytes === 0) flush();
      const archive = { method, ...sink.close() };
      return { bytes, sha256: hash.digest('hex'), archive };
    },
  };
}

/** A file beside its target, renamed over it at the end. */
export function fileSink(target: string, mode: number, folder: string = dirname(target)): Sink {
  const temporary = join(folder, `.${basename(target)}.ctx-${process.pid}.tmp`);
  const fd = openSync(temporary, 'wx', mode);
  const hash = createHash('sha256');
  let bytes = 0;
  let open = true;
  const finish = () => {
    if (open) closeSync(fd);
    open = false;
  };
  return {
    temporary,
    write(chunk) {
      hash.update(chunk);
      writeAll(fd, chunk);
      bytes += chunk.length;
    },
    close() {
      fsyncSync(fd);
      finish();
      return { bytes, sha256: hash.digest('hex') };
    },
    place() {
      renameSync(temporary, target);
      syncFolder(dirname(target));
    },
    discard() {
      finish();
      rmSync(temporary, { force: true });
    },
  };
}

/** A sibling folder, built completely, then renamed. `cut` tells the output span of each file as it is written. */
export function folderSink(
  target: string,
  files: readonly SourceFile[],
  sizes: () => ReadonlyMap<string, number>,
): Sink {
  const temporary = join(dirname(target), `.${basename(target)}.ctx-${process.pid}.tmp`);
  mkdirSync(temporary, { mode: 0o700 });
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  return {
    temporary,
    write: (chunk) => void chunks.push(Buffer.from(chunk)),
    close() {
      const all = Buffer.concat(chunks);
      const lines: string[] = [];
      let at = 0;
      for (const { path, start, end } of files) {
        const length = end - start + (sizes().get(path) ?? 0);
        const bytes = all.subarray(at, at + length);
        writeSynced(join(temporary, path), bytes);
        lines.push(`${path}\0${createHash('sha256').update(bytes).digest('hex')}\n`);
        at += length;
      }
      hash.update(lines.toSorted().join(''));
      return { bytes: all.length, sha256: hash.digest('hex') };
    },
    place() {
      // The old folder steps aside and goes last: at no moment is there neither.
      const aside = `${temporary}.old`;
      const replaced = existsSync(target);
      if (replaced) renameSync(target, aside);
      try {
        renameSync(temporary, target);
      } catch (cause) {
        if (replaced) renameSync(aside, target);
        throw cause;
      }
      if (replaced) rmSync(aside, { recursive: true });
      syncFolder(dirname(target));
    },
    discard: () => rmSync(temporary, { recursive: true, force: true }),
  };
}

function writeSynced(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeAll(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
}

/** Makes a rename durable; some file systems have no such call, and then there is nothing to do. */
function syncFolder(path: string): void {
  try {
    const fd = openSync(path, 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // The rename itself has succeeded.
  }
}
