import { hashPieces } from '../hash/hash.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { findPointer } from '../json/scan.ts';
import type { Block } from '../model/conversation.ts';
import type { Splice } from '../model/splice.ts';
import { moved, recordOf } from './pieces.ts';

/**
 * Takes the client's mark off a result that one of these originals was hidden by. The content never left, so that
 * its own bytes tell which one it is.
 */
export function hiddenBack(
  transcript: Transcript,
  block: Block,
  refs: readonly string[],
): { readonly ref: string; readonly splices: readonly Splice[] } | undefined {
  const { native } = transcript.format;
  const { pointer } = block;
  if (block.hidden !== true || native === undefined || pointer === undefined) return undefined;
  const { start, bytes } = recordOf(transcript, block.record);
  const span = findPointer(bytes, 0, pointer);
  if (span === undefined) return undefined;
  const hash = hashPieces([bytes.subarray(span.start, span.end)]);
  const ref = refs.find((candidate) => hash.startsWith(candidate));
  if (ref === undefined) return undefined;
  return { ref, splices: native.show(bytes, pointer).map((splice) => moved(splice, start)) };
}
