import { createHash } from 'node:crypto';
import { undoBytes } from '../apply/undo.ts';
import type { Written } from '../commit/commit.ts';
import { indexTranscript } from '../indexing/transcript.ts';
import { openSource } from '../load/file.ts';
import type { Finding } from '../model/conversation.ts';
import { sum, View } from '../plan/view.ts';
import type { Prepared } from '../prepare.ts';
import { placedBy } from '../stash/placed.ts';
import { openStash, pieceReader, readRuns } from '../stash/store.ts';
import { causedFindings, checkTranscript } from './check.ts';

/**
 * The integrity check of written bytes before they take their place: the stash gives the input back byte for
 * byte, the output breaks no rule that the input kept, and its tokens are what the plan said.
 */
export function checkOutput(prepared: Prepared, written: Written): Finding[] {
  const stash = openStash(written.stash);
  const source = openSource(written.temporary);
  try {
    const output = indexTranscript(source, prepared.transcript.format, {
      meter: prepared.meter,
      placed: placedBy([...readRuns(stash), written.run]),
      id: 'main',
    });
    const caused = causedFindings(checkTranscript(prepared.transcript), checkTranscript(output));
    const tokens = sum(output.conversations.map((conversation) => new View(conversation).tokens));
    return [
      ...caused,
      ...(tokens === prepared.plan.tokens.after
        ? []
        : [
            finding(
              'token-mismatch',
              `the output has ${tokens} tokens, the plan said ${prepared.plan.tokens.after}`,
            ),
          ]),
      ...(tokens <= prepared.plan.tokens.before
        ? []
        : [finding('larger', 'the output has more tokens than the input')]),
      ...(restores(prepared, written)
        ? []
        : [finding('not-restorable', 'the stash does not give the input back')]),
    ];
  } finally {
    source.close();
    stash.close();
  }
}

function finding(code: string, text: string): Finding {
  return { code, text, key: code };
}

/** Undoes the written bytes and compares the hash with the input's. */
function restores(prepared: Prepared, written: Written): boolean {
  const stash = openStash(written.stash);
  const source = openSource(written.temporary);
  try {
    const bytes = undoBytes(source, written.run.undo, pieceReader(stash));
    const { files } = prepared.transcript.source;
    if (files !== undefined)
      return Buffer.concat([...bytes]).equals(
        prepared.transcript.source.read(0, prepared.transcript.source.size),
      );
    const hash = createHash('sha256');
    for (const chunk of bytes) hash.update(chunk);
    return hash.digest('hex') === prepared.transcript.sha256;
  } finally {
    source.close();
    stash.close();
  }
}
