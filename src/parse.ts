import { detectFormat } from './detect/detect.ts';
import { readHead } from './detect/head.ts';
import { indexTranscript, type Transcript } from './indexing/transcript.ts';
import { memorySource } from './load/source.ts';
import { NO_METER } from './measure/meter.ts';
import { NO_STASH } from './stash/placed.ts';

/**
 * load -> detect -> index, without counting: the conversations of a transcript and what is wrong with it.
 * @throws CtxError: 3 malformed, 4 format unknown or ambiguous.
 */
export function parse(bytes: Uint8Array, options: { readonly format?: string } = {}): Transcript {
  const source = memorySource(bytes, 'input');
  const format = detectFormat(readHead(source), source.path, options.format);
  return indexTranscript(source, format, { meter: NO_METER, placed: NO_STASH, id: 'main' });
}
