import { existsSync, writeFileSync } from 'node:fs';
import { writeFailure } from '../../commit/failure.ts';
import { CtxError, EXIT, usageError, writeError } from '../../errors.ts';
import { commas } from '../../marker/marker.ts';
import { createCounter } from '../../measure/counters.ts';
import { safe, safeLines } from '../../report/safe.ts';
import { type Decoded, decodeEntry, rawEntry } from '../../retrieve/decode.ts';
import { sniffMedia } from '../../retrieve/sniff.ts';
import { parseLines, type ViewOptions, viewText } from '../../retrieve/view.ts';
import { type StashSearch, stashCandidates, stashWith } from '../../stash/find.ts';
import type { Entry } from '../../stash/lines.ts';
import { nativeOriginal } from '../../stash/native.ts';
import { openStash, readEntry } from '../../stash/store.ts';
import { exportMedia } from '../export.ts';
import { stashList } from '../files.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json.ts';
import { renderList } from '../list.ts';

export interface RetrieveFlags {
  readonly stash?: string;
  readonly pattern?: string;
  readonly lines?: string;
  readonly context?: string;
  readonly head?: string;
  readonly tail?: string;
  readonly maxTokens?: string;
  readonly raw?: boolean;
  readonly json?: boolean;
  readonly output?: string;
  readonly list?: boolean;
  readonly export?: string;
  readonly force?: boolean;
}

/** `ctx retrieve`: the original to standard output, everything else to standard error. */
export function retrieveCommand(ref: string | undefined, flags: RetrieveFlags, io: Io): number {
  const search = searchFor(flags, io);
  if (flags.list === true) return listStashes(search, flags, io);
  if (flags.export !== undefined && ref !== undefined)
    throw usageError(
      '--export takes all pictures of a stash and no ref',
      'write one with ctx retrieve REF -o FILE',
    );
  if (flags.export !== undefined) return exportMedia(stashCandidates(search), flags.export, io);
  if (ref === undefined) throw usageError('a ref is missing', 'give one, or list them with --list');
  const options = viewOptions(flags);
  const entry = readOriginal(ref, search);
  if (flags.raw === true) return emit(rawEntry(entry), flags, io);
  const decoded = decodeEntry(entry);
  if (flags.json === true)
    return emit(Buffer.from(`${jsonText(document(entry, decoded, options), 2)}\n`), flags, io);
  if (decoded.type === 'media') return emitMedia(decoded, options, flags, io);
  const view = viewText(decoded.text, options, counter());
  for (const note of view.notes) io.stderr.write(`${safe(note)}\n`);
  return emit(shown(view.text, flags, io), flags, io);
}

/** From a stash of ours, or from a Strands snapshot that holds its own. */
function readOriginal(ref: string, search: StashSearch): Entry {
  const native =
    search.stash?.endsWith('.json') === true ? nativeOriginal(search.stash, ref) : undefined;
  if (native !== undefined) return native;
  const found = stashWith(ref, search);
  try {
    return readEntry(found.stash, found.ref);
  } finally {
    found.stash.close();
  }
}

/** Control characters of a transcript reach a file or a pipe as they are, a terminal never. */
function shown(text: string, flags: RetrieveFlags, io: Io): Buffer {
  return Buffer.from(flags.output === undefined && io.stdout.isTTY ? safeLines(text) : text);
}

function emit(bytes: Buffer, flags: RetrieveFlags, io: Io): number {
  if (flags.output === undefined || flags.output === '-') {
    io.stdout.write(bytes);
    return EXIT.ok;
  }
  if (existsSync(flags.output) && flags.force !== true) {
    throw writeError(`${flags.output} exists`, {
      hint: 'name another file with -o, or replace it with --force',
    });
  }
  try {
    writeFileSync(flags.output, bytes, { mode: 0o600 });
  } catch (cause) {
    throw writeFailure(flags.output, cause);
  }
  io.stderr.write(`written ${safe(flags.output)} (${commas(bytes.length)} bytes)\n`);
  return EXIT.ok;
}

/** Media are bytes: to a file or a pipe, never to a terminal and never as base64 in text. */
function emitMedia(
  media: Decoded & { type: 'media' },
  options: ViewOptions,
  flags: RetrieveFlags,
  io: Io,
): number {
  if (Object.keys(options).length > 0)
    throw usageError(
      'this original is no text: it can not be searched or cut',
      'write it to a file with -o FILE',
    );
  const { ext } = sniffMedia(media.bytes);
  if (flags.output === undefined && io.stdout.isTTY) {
    throw usageError(
      `this original is media (${media.mime || ext}, ${commas(media.bytes.length)} bytes)`,
      `write it to a file: -o original.${ext}`,
    );
  }
  return emit(media.bytes, flags, io);
}

function document(entry: Entry, decoded: Decoded, options: ViewOptions): unknown {
  const { pieces, ...facts } = entry;
  const base = {
    schema: 'ctx.original/1',
    ...facts,
    bytes: pieces.reduce((sum, piece) => sum + piece.length, 0),
  };
  if (decoded.type === 'media')
    return {
      ...base,
      mime: decoded.mime || sniffMedia(decoded.bytes).mime,
      mediaBytes: decoded.bytes.length,
    };
  const { text, notes } = viewText(decoded.text, options, counter());
  return { ...base, text, notes };
}

function viewOptions(flags: RetrieveFlags): ViewOptions {
  const context = whole('context', flags.context, 0);
  const head = whole('head', flags.head, 1);
  const tail = whole('tail', flags.tail, 1);
  const maxTokens = whole('max-tokens', flags.maxTokens, 1);
  return {
    ...(flags.pattern === undefined ? {} : { pattern: flags.pattern }),
    ...(flags.lines === undefined ? {} : { lines: parseLines(flags.lines) }),
    ...(context === undefined ? {} : { context }),
    ...(head === undefined ? {} : { head }),
    ...(tail === undefined ? {} : { tail }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

function counter(): (text: string) => number {
  return (text) => createCounter('o200k_base').count(text);
}

function searchFor(flags: RetrieveFlags, io: Io): StashSearch {
  const fromEnv = io.env['CTX_STASH'];
  const list = stashList(io.env);
  return {
    folder: io.cwd,
    ...(flags.stash === undefined ? {} : { stash: flags.stash }),
    ...(fromEnv === undefined ? {} : { fromEnv }),
    ...(list === undefined ? {} : { listFile: list }),
  };
}

function listStashes(search: StashSearch, flags: RetrieveFlags, io: Io): number {
  const paths = stashCandidates(search);
  if (paths.length === 0) io.stderr.write('ctx: no stash was found; name one with --stash FILE\n');
  for (const path of paths) {
    try {
      const stash = openStash(path);
      io.stdout.write(renderList(stash, flags.json === true));
      stash.close();
    } catch (cause) {
      // Of several, one that can't be read does not hide the others.
      if (paths.length === 1 || !(cause instanceof CtxError)) throw cause;
      io.stderr.write(`ctx: ${safe(cause.message)}\n`);
    }
  }
  return EXIT.ok;
}

function whole(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  throw usageError(`--${name} ${safe(text.slice(0, 40))}: not a whole number of at least ${least}`);
}
