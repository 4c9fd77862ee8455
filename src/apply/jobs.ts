import { identityEntry, offloadedMetadata } from '../formats/identity.ts';
import { isOwnKey } from '../formats/typed.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { type JsonStyle, jsonLiteral, styleOf } from '../json/literal.ts';
import { elements, findPointer, members, utf8 } from '../json/scan.ts';
import { withoutRef } from '../marker/marker.ts';
import { type Block, type LiteralPlace, type Slot, slotOf } from '../model/conversation.ts';
import type { Identity, PieceSpan, Splice } from '../model/splice.ts';
import { type BlockDecision, type Decision, renderRecipe } from '../plan/decision.ts';
import { readContent } from './content.ts';
import { editBlock } from './edit.ts';
import type { Original } from './original.ts';

/** One literal or list that changes; `first` is the block's own, the others are sent as well and hold the same text. */
interface SlotEdit {
  readonly decision: BlockDecision;
  readonly block: Block;
  readonly slot: Slot;
  readonly first: boolean;
}

/** The edits of one record. */
export interface Job {
  readonly record: number;
  readonly edits: readonly SlotEdit[];
}

/** Edits by record, in file order. */
export function blockJobs(transcript: Transcript, decisions: readonly Decision[]): Job[] {
  const byRecord = new Map<number, SlotEdit[]>();
  for (const decision of decisions) {
    if (decision.type !== 'block') continue;
    const block = transcript.conversations[decision.conversation]?.blocks[decision.block] as Block;
    const others = (block.also ?? []).map((place) => ({ ...place, shape: 'string' as const }));
    for (const [index, slot] of [slotOf(block) as Slot, ...others].entries()) {
      const edits = byRecord.get(slot.record) ?? [];
      byRecord.set(slot.record, edits);
      edits.push({ decision, block, slot, first: index === 0 });
    }
  }
  return [...byRecord]
    .toSorted(([left], [right]) => left - right)
    .map(([record, edits]) => ({
      record,
      edits: edits.toSorted((left, right) => left.block.index - right.block.index),
    }));
}

/** Splices of one record's edits, with their identities. */
export function jobSplices(transcript: Transcript, job: Job): Splice[] {
  const { format, source, records } = transcript;
  const start = records.start(job.record);
  const bytes = Buffer.from(source.read(start, records.end(job.record)));
  const style = styleOf(bytes);
  const entries: Record<string, unknown>[] = [];
  const splices = job.edits.flatMap(({ decision, block, slot }) => {
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
  if (format.identity === 'record-key') splices.push(...keySplices(bytes, entries, style));
  return splices.map((splice) => ({
    start: start + splice.start,
    end: start + splice.end,
    data: splice.data,
  }));
}

function metadata(identity: Identity, marker: string, style: JsonStyle): string {
  const value = { offloaded: offloadedMetadata(identity, withoutRef(marker)) };
  return `"metadata"${style.colon}${jsonLiteral(value, style)}`;
}

/** Adds entries to the record's own `ctx` key, or the key itself; a foreign `ctx` key is left alone. */
function keySplices(
  bytes: Buffer,
  entries: readonly Record<string, unknown>[],
  style: JsonStyle,
): Splice[] {
  const found = members(bytes, 0);
  const last = found.at(-1);
  const own = found.findLast(({ key }) => key === 'ctx');
  const literals = entries.map((entry) => jsonLiteral(entry, style)).join(style.comma);
  if (last === undefined) return [];
  if (own === undefined) {
    const value = `{${jsonLiteral('v')}${style.colon}1${style.comma}${jsonLiteral('offloaded')}${style.colon}[${literals}]}`;
    return [
      {
        start: last.end,
        end: last.end,
        data: `${style.comma}${jsonLiteral('ctx')}${style.colon}${value}`,
      },
    ];
  }
  if (!isOwnKey(JSON.parse(utf8(bytes, own.start, own.end)))) return [];
  const list = findPointer(bytes, own.start, '/offloaded');
  const end = list === undefined ? undefined : elements(bytes, list.start).at(-1)?.end;
  const at = end ?? (list as { start: number }).start + 1;
  return [{ start: at, end: at, data: end === undefined ? literals : `${style.comma}${literals}` }];
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
      stays: false,
      textHash: decision.textHash,
      identity: identityOf(decision, block),
    };
  }
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
    kind: block.kind,
  };
}
