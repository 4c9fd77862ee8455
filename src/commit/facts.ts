import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Original } from '../apply/original.ts';
import type { Undo } from '../apply/splice-bytes.ts';
import { hashPieces } from '../hash/hash.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { runBehind } from '../stash/behind.ts';
import type { OriginalFacts, PlacedMarker, RunLine } from '../stash/lines.ts';
import { readRuns } from '../stash/store.ts';
import type { CommitRequest } from './commit.ts';
import { archiveRef } from './packed.ts';

/** What the stash keeps beside an original's bytes. */
export function originalFacts(
  original: Original,
  pieces: readonly Buffer[],
  transcript: Transcript,
): OriginalFacts {
  const { block, decision, identity, ref } = original;
  const message =
    block === undefined
      ? undefined
      : transcript.conversations[decision.conversation]?.messages[block.message];
  return {
    ref,
    sha256: hashPieces(pieces),
    kind: identity.kind,
    tokens: identity.tokens,
    ...(message === undefined ? {} : { role: message.role }),
    ...(block?.tool === undefined ? {} : { tool: block.tool }),
    ...(block?.callId === undefined ? {} : { callId: block.callId }),
    ...(block?.isError === undefined ? {} : { isError: block.isError }),
    ...(identity.messages === undefined ? {} : { messages: identity.messages }),
  };
}

/** How a run line remembers a placeholder. */
export function placedMarker({ identity, textHash, decision, block }: Original): PlacedMarker {
  const { ref, method, kind, tokens, messages } = identity;
  const copies = decision.type === 'block' ? (decision.copies ?? []) : [];
  return {
    ref,
    method,
    kind,
    tokens,
    ...(messages === undefined ? {} : { messages }),
    ...(block?.isError === undefined ? {} : { isError: block.isError }),
    ...(copies.length === 0 ? {} : { copies: copies.map(({ pointer }) => pointer) }),
    text: textHash,
  };
}

/** The line that undoes a run. */
export function runLine(
  request: Pick<
    CommitRequest,
    'transcript' | 'application' | 'inputStash' | 'output' | 'inPlace' | 'exactArchive' | 'run'
  >,
  undo: readonly Undo[],
  placed: readonly PlacedMarker[],
  output: { bytes: number; sha256: string },
): RunLine {
  const { transcript, application, inputStash } = request;
  const archive = archiveRef(request);
  // A client may have appended to the output of the run before.
  const parent =
    inputStash === undefined ? undefined : runBehind(transcript.source, readRuns(inputStash));
  const id = createHash('sha256')
    .update(`${transcript.sha256}\n${output.sha256}`)
    .digest('hex')
    .slice(0, 12);
  return {
    t: 'run',
    id,
    ...request.run,
    input: {
      sha256: transcript.sha256,
      bytes: transcript.source.size,
      name: basename(transcript.source.path),
    },
    output: { ...output, name: basename(request.output) },
    parent: parent?.id ?? null,
    inPlace: request.inPlace,
    ...(archive === undefined ? {} : { archive }),
    undo,
    placed,
    places: application.places,
  };
}
