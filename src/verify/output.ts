import { undoBytes } from '../apply/undo.ts';
import type { Written } from '../commit/commit.ts';
import type { Placed } from '../formats/format.ts';
import { sha256 } from '../hash/hash.ts';
import { indexTranscript, type Transcript } from '../indexing/transcript.ts';
import { collect } from '../load/chunks.ts';
import { openSource } from '../load/file.ts';
import type { Source } from '../load/source.ts';
import { type Meter, NO_METER } from '../measure/meter.ts';
import type { Finding } from '../model/conversation.ts';
import type { Decision } from '../plan/decision.ts';
import { sum } from '../plan/view.ts';
import type { Prepared } from '../prepare.ts';
import { placedBy } from '../stash/placed.ts';
import { openStash, pieceReader, readRuns, type Stash } from '../stash/store.ts';
import { causedFindings, checkTranscript } from './check.ts';

/**
 * The integrity check of written bytes before they take their place: the stash gives the input back byte for
 * byte (so that everything outside of the edits is untouched), the output breaks no rule that the input kept,
 * and its markers have the tokens that the plan said.
 */
export function checkOutput(prepared: Prepared, written: Written): Finding[] {
  const stash = openStash(written.stash);
  const source = openSource(written.temporary);
  try {
    const placed = placedBy([...readRuns(stash), written.run]);
    const output = indexTranscript(source, prepared.transcript.format, {
      meter: markerMeter(prepared.meter, placed),
      placed,
      id: 'main',
    });
    return [
      ...causedFindings(checkTranscript(prepared.transcript), checkTranscript(output)),
      ...checkTokens(prepared, output),
      ...checkRestore(prepared, written, source, stash),
    ];
  } finally {
    source.close();
    stash.close();
  }
}

/** Counts markers only: every other text of the output is bytes of the input, which were counted. */
function markerMeter(meter: Meter, placed: Placed): Meter {
  const isMarker = (text: string) => text.startsWith('[') && placed.find(text) !== undefined;
  return { ...NO_METER, text: (text) => (isMarker(text) ? meter.text(text) : 0) };
}

function checkTokens({ plan, transcript }: Prepared, output: Transcript): Finding[] {
  const shared = new Set(placeholders(transcript).map(({ ref }) => ref));
  const own = (ref: string) => !shared.has(ref);
  // A result that its client hides bears no marker.
  const decided = plan.decisions.filter(
    (decision) => own(decision.ref) && !(decision.type === 'block' && decision.native === true),
  );
  const refs = new Set(decided.map(({ ref }) => ref));
  const planned = sum(decided.map(markerTokens));
  const found = sum(placeholders(output).map(({ ref, tokens }) => (refs.has(ref) ? tokens : 0)));
  const findings: Finding[] = [];
  if (found !== planned) {
    findings.push(
      finding('token-mismatch', `markers have ${found} tokens, the plan said ${planned}`),
    );
  }
  if (plan.tokens.after > plan.tokens.before + unmeasured(transcript, plan.decisions)) {
    findings.push(finding('larger', 'the output has more tokens than the input'));
  }
  return findings;
}

/** Tokens of markers in the place of media whose size is unknown: those counted 0. */
function unmeasured({ conversations }: Transcript, decisions: readonly Decision[]): number {
  return sum(
    decisions.map((made) => {
      const { messages = [], blocks = [] } = conversations[made.conversation] ?? {};
      const gone =
        made.type === 'block'
          ? [made.block]
          : made.type === 'gap'
            ? made.messages.flatMap((message) => messages[message]?.blocks ?? [])
            : [];
      const unknown = gone.some((index) => {
        const block = blocks[index];
        return block?.counted === false && block.tokens === 0;
      });
      return unknown ? made.tokensAfter : 0;
    }),
  );
}

function markerTokens(decision: Decision): number {
  if (decision.type === 'block') return decision.markerTokens;
  // Inside an input or a copy a marker is no block of its own.
  return decision.type === 'leaf' ? 0 : decision.tokensAfter;
}

function placeholders({ conversations }: Transcript): { ref: string; tokens: number }[] {
  return conversations.flatMap(({ blocks }) =>
    blocks.flatMap(({ placeholder, tokens }) =>
      placeholder === undefined ? [] : [{ ref: placeholder.ref, tokens }],
    ),
  );
}

/** Undoes the written bytes and compares the hash with the input's. */
function checkRestore(
  { transcript }: Prepared,
  written: Written,
  source: Source,
  stash: Stash,
): Finding[] {
  const bytes = undoBytes(source, written.run.undo, pieceReader(stash));
  const { files } = transcript.source;
  const same =
    files === undefined
      ? hashOf(bytes) === transcript.sha256
      : collect(bytes).equals(transcript.source.read(0, transcript.source.size));
  return same ? [] : [finding('not-restorable', 'the stash does not give the input back')];
}

function hashOf(chunks: Iterable<Buffer>): string {
  const hash = sha256();
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

function finding(code: string, text: string): Finding {
  return { code, text, key: code };
}
