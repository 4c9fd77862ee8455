import { createHash } from 'node:crypto';
import { fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CtxError, inputError } from '../errors.ts';
import { chunks } from './chunks.ts';
import { fdSource } from './fd.ts';
import { type Packing, unpack, unpackFailure } from './packing.ts';
import { memorySource, type Source } from './source.ts';
import { spill } from './spill.ts';
import { zstdFrames } from './zstd-frames.ts';

/** More than this is decompressed to a temporary file. */
const IN_MEMORY = 64 * 1024 * 1024;
/** A pipe is in memory anyway. */
const PIPE = 1024 * 1024 * 1024;

/** The content of a compressed file as a source; `packed` reads the file itself. */
export function unpackedFile(packed: Source, packing: Packing, limit: number = IN_MEMORY): Source {
  const { path } = packed;
  const archive = {
    method: packing,
    bytes: packed.size,
    sha256: hashOf(packed),
    raw: () => Buffer.from(packed.read(0, packed.size)),
  };
  const close = () => packed.close();
  try {
    const small = packed.size <= limit ? unpackedBytes(packed, packing, limit) : undefined;
    if (small !== undefined) return { ...memorySource(small, path), archive, close };
    const spilled = spilledSource(packed, packing);
    const closeBoth = () => {
      spilled.close();
      close();
    };
    return { ...spilled, archive, close: closeBoth };
  } catch (cause) {
    close();
    throw failure(cause, path, packing);
  }
}

/** The same of bytes that came through a pipe. */
export function unpackedPipe(bytes: Buffer, path: string, packing: Packing): Source {
  const packed = memorySource(bytes, path);
  try {
    const content = unpackedBytes(packed, packing, PIPE);
    if (content === undefined)
      throw inputError('standard input holds too much compressed data', {
        hint: 'save it to a file and name that',
      });
    const archive = {
      method: packing,
      bytes: bytes.length,
      sha256: hashOf(packed),
      raw: () => bytes,
    };
    return { ...memorySource(content, path), archive };
  } catch (cause) {
    throw failure(cause, path, packing);
  }
}

function failure(cause: unknown, path: string, packing: Packing): unknown {
  return cause instanceof CtxError ? cause : unpackFailure(path, packing, cause);
}

/** The content, or undefined when it is larger than the limit. */
function unpackedBytes(packed: Source, packing: Packing, limit: number): Buffer | undefined {
  const parts: Buffer[] = [];
  let left = limit;
  try {
    for (const { start, end } of partsOf(packed, packing)) {
      const part = unpack(packed.read(start, end), packing, left);
      parts.push(part);
      left -= part.length;
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw cause;
  }
  return Buffer.concat(parts);
}

/** What is decompressed on its own: gzip is read through its members, zstd is not read through its frames. */
function partsOf(packed: Source, packing: Packing): readonly { start: number; end: number }[] {
  if (packing === 'gzip') return [{ start: 0, end: packed.size }];
  return zstdFrames(packed.size, packed.read);
}

/** A temporary file that nobody else can read and that is gone when the source is closed. */
function spilledSource(packed: Source, packing: Packing): Source {
  const parts = partsOf(packed, packing);
  const folder = mkdtempSync(join(tmpdir(), 'ctx-'));
  try {
    const target = join(folder, 'content');
    spill(packed.path, target, packing, parts);
    const fd = openSync(target, 'r');
    const source = fdSource(fd, packed.path, fstatSync(fd).size);
    return {
      ...source,
      close: () => {
        source.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  }
}

function hashOf(source: Source): string {
  const hash = createHash('sha256');
  for (const chunk of chunks(source, 0, source.size)) hash.update(chunk);
  return hash.digest('hex');
}
