import { undoBytes } from '../apply/undo.ts';
import { inputStash } from '../compact.ts';
import { detectFormat } from '../detect/detect.ts';
import { readHead } from '../detect/head.ts';
import { CtxError } from '../errors.ts';
import { indexTranscript, type Transcript } from '../indexing/transcript.ts';
import { collect } from '../load/chunks.ts';
import { openSource } from '../load/file.ts';
import { memorySource, type Source } from '../load/source.ts';
import { NO_METER } from '../measure/meter.ts';
import type { Finding } from '../model/conversation.ts';
import { parentOf, runBehind } from '../stash/behind.ts';
import { NO_STASH, placedBy } from '../stash/placed.ts';
import { openStash, pieceReader, readEntry, readRuns, type Stash } from '../stash/store.ts';
import { checkTranscript } from './check.ts';

export interface VerifyReport {
  readonly schema: 'ctx.verify/1';
  readonly path: string;
  readonly format: string;
  readonly ok: boolean;
  /** Findings that compaction caused, or that the original can't be compared with. */
  readonly violations: readonly Finding[];
  /** Findings that were in the original already. */
  readonly inherited: readonly Finding[];
  readonly placeholders: number;
  readonly stash: string | null;
}

/**
 * Checks a transcript, compacted or not. With a stash the original is rebuilt, so that what was wrong before is
 * told apart from what compaction caused.
 */
export function verifyFile(
  path: string,
  options: { readonly stash?: string; readonly format?: string },
): VerifyReport {
  const source = openSource(path);
  const stash = options.stash === undefined ? inputStash(path) : openStash(options.stash);
  try {
    const transcript = read(source, stash, options.format);
    const placeholders = transcript.conversations.flatMap((conversation) =>
      conversation.blocks.flatMap((block) => block.placeholder ?? []),
    );
    const own = checkTranscript(transcript);
    const original =
      stash === undefined ? undefined : originalFindings(source, stash, options.format);
    const known = new Set(original?.map(keyOf) ?? []);
    const inherited = own.filter((finding) => known.has(keyOf(finding)));
    const violations = [
      ...own.filter((finding) => !known.has(keyOf(finding))),
      ...refFindings(
        placeholders.map(({ ref }) => ref),
        stash,
        transcript,
      ),
    ];
    return {
      schema: 'ctx.verify/1',
      path,
      format: transcript.format.name,
      ok: violations.length === 0,
      violations,
      inherited,
      placeholders: placeholders.length,
      stash: stash?.path ?? null,
    };
  } finally {
    stash?.close();
    source.close();
  }
}

function keyOf(finding: Finding): string {
  return `${finding.code} ${finding.key}`;
}

function read(source: Source, stash: Stash | undefined, forced: string | undefined): Transcript {
  const format = detectFormat(readHead(source), source.path, forced);
  const placed = stash === undefined ? NO_STASH : placedBy(readRuns(stash));
  return indexTranscript(source, format, { meter: NO_METER, placed, id: 'main' });
}

/** Findings of the input of the first run, rebuilt from the stash; undefined when the file was rewritten. */
function originalFindings(
  source: Source,
  stash: Stash,
  forced: string | undefined,
): readonly Finding[] | undefined {
  const runs = readRuns(stash);
  if (source.files !== undefined) return undefined;
  let run = runBehind(source, runs);
  if (run === undefined) return undefined;
  try {
    let bytes: Source = source;
    while (run !== undefined) {
      bytes = memorySource(collect(undoBytes(bytes, run.undo, pieceReader(stash))), source.path);
      run = parentOf(run, runs);
    }
    return checkTranscript(read(bytes, undefined, forced));
  } catch (cause) {
    // A damaged entry is found by the check of refs, which names it.
    if (cause instanceof CtxError) return undefined;
    throw cause;
  }
}

function refFindings(
  refs: readonly string[],
  stash: Stash | undefined,
  transcript: Transcript,
): Finding[] {
  const typed = refs.filter((ref) => ref !== '' && transcript.ownRefs?.has(ref) !== true);
  if (stash === undefined) {
    const known = transcript.findings.some((finding) => finding.code === 'unresolved-placeholder');
    return typed.length === 0 || known
      ? []
      : [
          {
            code: 'stash-missing',
            text: `${typed.length} placeholder(s) have no stash beside the file`,
            key: 'stash-missing',
          },
        ];
  }
  // A marker without identity is a finding of its own, and is no fault of ours where the original had it.
  const reported = new Set(transcript.findings.map(({ key }) => key));
  const own = typed.filter((ref) => !reported.has(`unresolved:${ref}`));
  return [...new Set(own)].flatMap((ref) => {
    if (!stash.refs.has(ref))
      return [{ code: 'ref-unresolved', text: `the stash holds no original ${ref}`, key: ref }];
    try {
      readEntry(stash, ref);
      return [];
    } catch (cause) {
      return [{ code: 'stash-corrupt', text: (cause as Error).message, key: ref }];
    }
  });
}
