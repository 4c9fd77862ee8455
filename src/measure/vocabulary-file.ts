import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CtxError, EXIT } from '../errors.ts';

/** Zero bytes after the file's own, so that a word read at the last token stays inside. */
const PADDING = 8;

/** Where `npm run build` puts the files, seen from dist/measure and from src/measure. */
const FOLDERS = ['../vocabulary/', '../../dist/vocabulary/'];

/** The bytes of a vocabulary file (written by scripts/build-vocabulary.mjs), padded with zeros. */
export function loadVocabulary(name: string): Uint8Array {
  let cause: unknown;
  for (const folder of FOLDERS) {
    try {
      return readPadded(new URL(`${folder}${name}.bin`, import.meta.url));
    } catch (error) {
      cause = error;
    }
  }
  throw new CtxError('internal', EXIT.internal, `the vocabulary of ${name} can't be read`, {
    hint: 'Run `npm run build` to make it, or install ctx again.',
    cause,
  });
}

function readPadded(file: URL): Uint8Array {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = new Uint8Array(size + PADDING);
    for (let done = 0; done < size; ) {
      const read = readSync(handle, bytes, done, size - done, done);
      if (read === 0) throw new Error('the file is shorter than its size');
      done += read;
    }
    return bytes;
  } finally {
    closeSync(handle);
  }
}
