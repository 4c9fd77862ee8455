import { append } from '../append.ts';
import { type IdentityEntry, identityEntry, offloadedMetadata } from '../formats/identity.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { type JsonStyle, jsonLiteral, stringLiteral, styleOf } from '../json/literal.ts';
import { findPointer, type Span } from '../json/scan.ts';
import { withoutRef } from '../marker/marker.ts';
import { type Block, type LiteralPlace, type Slot, slotOf } from '../model/conversation.ts';
import type { Identity, PieceSpan, Splice } from '../model/splice.ts';
import {
  type BlockDecision,
  type CutDecision,
  type Decision,
  type LeafDecision,
  renderRecipe,
} from '../plan/decision.ts';
import { readContent } from './content.ts';
import { editBlock } from './edit.ts';
import { cutElements, elementCuts } from './elements.ts';
import type { Original } from './original.ts';
import { keySplices } from './own-key.ts';

/** One literal or list that changes; `first` is the block's own, the others are sent as well and hold the same text. */
interface SlotEdit {
  readonly decision: BlockDecision;
  readonly block: Block;
  readonly slot: Slot;
  readonly first: boolean;
}

/** The edits of one record: texts, single literals, and elements that go. */
export interface Job {
  readonly record: number;
  readonly edits: SlotEdit[];
  readonly leaves: LeafDecision[];
  /** Literals that go with a block of another place. */
  readonly copies: { readonly pointer: string; readonly line: string }[];
  readonly cuts: CutDecision[];
}

/** Edits by record, in file order. */
export function blockJobs(transcript: Transcript, decisions: readonly Decision[]): Job[] {
  const byRecord = new Map<number, Job>();
  const jobOf = (record: number): Job => {
    const job = byRecord.get(record) ?? {
      record,
      edits: [],
      leaves: [],
      copies: [],
      cuts: [],
    };
    byRecord.set(record, job);
    return job;
  };
  for (const decision of decisions) {
    if (decision.type === 'leaf') jobOf(decision.place.record).leaves.push(decision);
    if (decision.type === 'cut' && decision.element !== undefined)
      jobOf(decision.element.record).cuts.push(decision);
    if (decision.type !== 'block') continue;
    const block = transcript.conversations[decision.conversation]?.blocks[decision.block] as Block;
    const others = (block.also ?? []).map((place) => ({ ...place, shape: 'string' as const }));
    for (const [index, slot] of [slotOf(block) as Slot, ...others].entries())
      jobOf(slot.record).edits.push({ decision, block, slot, first: index === 0 });
    for (const { record, pointer } of decision.copies ?? [])
      jobOf(record).copies.push({ pointer, line: decision.recipe.line });
  }
  for (const { edits } of byRecord.values())
    edits.sort((left, right) => left.block.index - right.block.index);
  return [...byRecord.values()].toSorted((left, right) => left.record - right.record);
}

/** Splices of one record's edits, with their identities. */
export function jobSplices(transcript: Transcript, job: Job): Splice[] {
  const { format, source, records } = transcript;
  const start = records.start(job.record);
  const bytes = Buffer.from(source.read(start, records.end(job.record)));
  const style = styleOf(bytes);
  const entries: IdentityEntry[] = [];
  const splices = job.edits.flatMap(({ decision, block, slot }): readonly Splice[] => {
    if (decision.native === true) return format.native?.hide(bytes, slot.pointer) ?? [];
    const content = readContent(bytes, slot, format.dialect, decision.scope);
    const text = renderRecipe(decision.recipe, content.text);
    const identity = identityOf(decision, block);
    // Only a literal in place can be recognised by its pointer: an element became a text item.
    const piece = content.pieces[0] as PieceSpan;
    const at =
      slot.shape === 'element' || (slot.shape === 'items' && !piece.pointer.endsWith('/text'))
        ? `${piece.pointer}/text`
        : piece.pointer;
    entries.push(identityEntry(at, identity));
    const member =
      format.identity === 'block-metadata' ? metadata(identity, text, style) : undefined;
    return editBlock(bytes, slot, content, text, {
      dialect: format.dialect,
      style,
      ...(member === undefined ? {} : { member }),
    });
  });
  for (const leaf of job.leaves) {
    const span = findPointer(bytes, 0, leaf.place.pointer) as Span;
    splices.push({ ...span, data: stringLiteral(leaf.recipe.line, style) });
    entries.push(identityEntry(leaf.place.pointer, leafIdentity(leaf)));
  }
  for (const { pointer, line } of job.copies) {
    const span = findPointer(bytes, 0, pointer) as Span;
    splices.push({ ...span, data: stringLiteral(line, style) });
  }
  const gone = cutElements(job.cuts);
  append(splices, elementCuts(bytes, gone));
  if (format.identity === 'record-key') append(splices, keySplices(bytes, entries, gone, style));
  return splices.map((splice) => ({
    start: start + splice.start,
    end: start + splice.end,
    data: splice.data,
  }));
}

function leafIdentity({ ref, method, tokensBefore: tokens }: LeafDecision): Identity {
  return { ref, method, tokens, kind: 'copy' };
}

function metadata(identity: Identity, marker: string, style: JsonStyle): string {
  const value = { offloaded: offloadedMetadata(identity, withoutRef(marker)) };
  return `"metadata"${style.colon}${jsonLiteral(value, style)}`;
}

/** What leaves with one record's edits. */
export function* jobOriginals(transcript: Transcript, job: Job): Generator<Original> {
  const { records } = transcript;
  for (const { decision, block, first } of job.edits) {
    if (!first) continue;
    const moved = (piece: PieceSpan) => {
      const start = records.start(piece.record);
      return { ...piece, start: start + piece.start, end: start + piece.end };
    };
    yield {
      ref: decision.ref,
      pieces: decision.pieces.map(moved),
      copies: (block.also ?? []).flatMap((place) => literalSpan(transcript, place)),
      decision,
      block,
      stays: decision.native === true,
      textHash: decision.textHash,
      identity: identityOf(decision, block),
    };
  }
  for (const decision of job.leaves) {
    yield {
      ...TRACELESS,
      ref: decision.ref,
      pieces: literalSpan(transcript, decision.place),
      decision,
      textHash: decision.textHash,
      identity: leafIdentity(decision),
    };
  }
  for (const decision of job.cuts) {
    const place = decision.element as LiteralPlace;
    yield cutOriginal(transcript, decision, literalSpan(transcript, place));
  }
}

const TRACELESS = { copies: [], stays: false } as const;

/** A block or records that go without a marker. */
export function cutOriginal(
  { conversations }: Transcript,
  decision: CutDecision,
  pieces: readonly PieceSpan[],
): Original {
  const { ref, method, tokensBefore: tokens } = decision;
  const block =
    decision.block === undefined
      ? undefined
      : conversations[decision.conversation]?.blocks[decision.block];
  return {
    ...TRACELESS,
    ref,
    pieces,
    decision,
    ...(block === undefined ? {} : { block }),
    textHash: '',
    identity: { ref, method, tokens, kind: block?.kind ?? 'records' },
  };
}

function literalSpan({ source, records }: Transcript, place: LiteralPlace): PieceSpan[] {
  const start = records.start(place.record);
  const span = findPointer(source.read(start, records.end(place.record)), 0, place.pointer);
  return span === undefined ? [] : [{ ...place, start: start + span.start, end: start + span.end }];
}

function identityOf(decision: BlockDecision, block: Block): Identity {
  return {
    ref: decision.ref,
    method: decision.method,
    tokens: decision.tokensBefore,
    kind: decision.kind ?? block.kind,
  };
}
