import { NO_RULES } from '../effects/call.ts';
import { hashPieces } from '../hash/hash.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { decodeString, elements, findPointer } from '../json/scan.ts';
import { type Block, slotOf } from '../model/conversation.ts';
import type { Warning } from '../report/report.ts';
import { RefBook } from '../stash/refs.ts';
import type { Tools } from '../strategies/strategy.ts';
import { Guard, type Guarded } from './guard.ts';
import type { ManualPlan } from './manual.ts';
import { manualKey } from './manual-key.ts';
import type { PlanOptions } from './plan.ts';
import { Reader } from './reader.ts';
import { recordsOf } from './records.ts';
import type { View } from './view.ts';

/** What strategies may ask for, by conversation. */
export function makeTools(
  transcript: Transcript,
  options: PlanOptions,
  warnings: Warning[],
): (view: View, index: number) => Tools {
  const reader = new Reader(transcript, options.originals);
  const refs = options.refs ?? new RefBook();
  const guards = new Map<View, Guard>();
  const guardOf = (view: View): Guard => {
    const known = guards.get(view);
    if (known !== undefined) return known;
    const guard = new Guard(view, reader, options.protect ?? [], options.selection ?? {});
    guards.set(view, guard);
    return guard;
  };
  const pointedAt = (view: View, block: Block): Guarded | undefined =>
    view.isHeld(block.index) || isSurvivor(view, block, reader, refs)
      ? { reason: 'protected', rule: 'duplicates point to it' }
      : undefined;
  return (view, conversation) => ({
    conversation,
    guard: (block) => {
      const pointed = pointedAt(view, block);
      if (pointed !== undefined) return pointed;
      const edited = editedBy(options.manual, view, block);
      if (edited !== undefined) return edited;
      return guardOf(view).check(block);
    },
    allowsRecord: (record) => guardOf(view).allowsRecord(record),
    ownRules: (block) => pointedAt(view, block) ?? guardOf(view).check(block),
    meter: options.meter,
    window: options.window,
    protectEnds: options.protectEnds ?? true,
    hint: options.hint ?? 'none',
    removal: transcript.format.removal,
    strictAlternation: transcript.format.strictAlternation,
    helper: options.helper,
    content: (block, scope) => {
      const content = reader.content(block, scope);
      return { content, ref: refs.assign(reader.contentHash(block, content)) };
    },
    withCopies: (block, content, copies) => ({
      ref: refs.assign(reader.contentHash(block, content, copies)),
      pieces: [...content.pieces, ...copies.flatMap((place) => reader.span(place) ?? [])],
    }),
    literal: (place) => {
      const bytes = reader.value(place);
      const text = bytes[0] === 0x22 ? decodeString(bytes, 0, bytes.length) : undefined;
      return { text, bytes: bytes.length, ref: refs.assign(hashPieces([bytes])) };
    },
    valueRef: (place) => refs.assign(hashPieces([reader.value(place)])),
    recordRef: (records) => refs.assign(reader.recordsHash(records)),
    isOnlyElement: (place) => reader.isOnlyElement(place),
    inputStrings: (call) =>
      transcript.format.editableInputs === true ? reader.inputStrings(call) : undefined,
    native: (block) => (options.native === true ? reader.native(block) : undefined),
    gapRef: (messages) => refs.assign(reader.recordsHash(recordsOf(messages))),
    items: (messages) => reader.items(messages, view.conversation.blocks),
    jsonSize: (block) => reader.jsonSize(block),
    call: (block) => ({ tool: block.tool ?? '', args: reader.args(block) }),
    effects: options.effects ?? NO_RULES,
    takesBlock: (message) => {
      const bytes = reader.record(message.records.at(-1) as number);
      const content = findPointer(bytes, 0, '/content') ?? findPointer(bytes, 0, '/parts');
      return content !== undefined && elements(bytes, content.start).length > 0;
    },
    warn: (warning) => warnings.push(warning),
  });
}

/** An edited entry is what it was edited to be: no step takes it. One that could not be carried out says why. */
function editedBy(
  manual: ManualPlan | undefined,
  view: View,
  { index }: Block,
): Guarded | undefined {
  const key = manualKey(view.conversation.id, index);
  if (manual === undefined || !manual.kept.has(key)) return undefined;
  const refused = manual.actions.has(key) ? view.reasonOf(index) : undefined;
  return refused === undefined ? { reason: 'protected', rule: 'the plan' } : { reason: refused };
}

/** Whether markers of an earlier run name this block as the one that stays: equal bytes have one ref. */
function isSurvivor(view: View, block: Block, reader: Reader, refs: RefBook): boolean {
  const named = view.survivors.get(`${block.kind} ${block.tokens}`);
  const { role } = view.message(block.message);
  if (
    named === undefined ||
    role !== 'user' ||
    slotOf(block) === undefined ||
    view.isPlaceholder(block.index)
  )
    return false;
  return named.has(refs.assign(reader.contentHash(block, reader.content(block, 'all'))));
}
