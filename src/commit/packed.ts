import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ARCHIVE_KIND } from '../stash/lines.ts';
import type { StashWriter } from '../stash/writer.ts';
import type { CommitRequest } from './commit.ts';
import { fileSink, folderSink, packedSink, type Sink } from './sink.ts';

/** The receiver of the output: a folder, a file, or a file that is compressed as the input was. */
export function openSink(request: CommitRequest, sizes: () => ReadonlyMap<string, number>): Sink {
  const { files } = request.transcript.source;
  if (files !== undefined) return folderSink(request.output, files, sizes);
  const own =
    request.stamp === null ? 0o600 : statSync(request.transcript.source.path).mode & 0o777;
  // A copy of a read-only input is the person's to work with.
  const mode = request.inPlace ? own : own | 0o200;
  const sink = fileSink(request.output, mode, request.spool ?? dirname(request.output));
  const { archive } = request.transcript.source;
  return archive === undefined ? sink : packedSink(sink, archive.method);
}

/** The compressed file itself, so that restore can give back the very bytes. */
export function storeArchive(request: CommitRequest, writer: StashWriter): void {
  const ref = archiveRef(request);
  const { archive } = request.transcript.source;
  if (ref === undefined || archive === undefined) return;
  const facts = { ref, sha256: archive.sha256, kind: ARCHIVE_KIND, tokens: 0 };
  writer.add(facts, [archive.raw()]);
}

/** Ref of the compressed file that is kept. A whole hash: it is never a marker's, and needs no book of refs. */
export function archiveRef(
  request: Pick<CommitRequest, 'exactArchive' | 'transcript'>,
): string | undefined {
  return request.exactArchive === true ? request.transcript.source.archive?.sha256 : undefined;
}
