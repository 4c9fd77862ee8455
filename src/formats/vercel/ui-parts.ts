import type { BlockDraft, Drafts, Place } from '../builder.ts';
import { arrayAt, isObject, stringAt, valueAt } from '../value.ts';
import { sealedResult, valueResult } from '../value-result.ts';

/** What one part of an assistant's message is: of the reply, or the answer to a call in the same part. */
export interface ReadPart {
  readonly reply: readonly BlockDraft[];
  readonly answer: readonly BlockDraft[];
}

const NOTHING: ReadPart = { reply: [], answer: [] };

/** Reads a part at a pointer of its record. Sources, data parts and step marks are not sent. */
export function readPart(part: unknown, place: Place, drafts: Drafts): ReadPart {
  const type = stringAt(part, 'type') ?? '';
  if (type === 'tool-invocation') {
    const call = valueAt(part, 'toolInvocation');
    return readInvocation(call, at(place, '/toolInvocation'), drafts);
  }
  if (isToolPart(part)) return readTool(part, toolOf(part, type), place, drafts);
  if (type === 'text') return { ...NOTHING, reply: [readText(part, place, drafts)] };
  if (type === 'reasoning') return { ...NOTHING, reply: [readReasoning(part, place, drafts)] };
  if (type === 'file') return { ...NOTHING, reply: [drafts.media(part, place)] };
  if (type === 'reasoning-file')
    return { ...NOTHING, reply: [drafts.sealed('opaque', place.record, drafts.meter.json(part))] };
  return NOTHING;
}

/** Whether a part is a call with its result (versions 5 and 6). */
export function isToolPart(part: unknown): boolean {
  const type = stringAt(part, 'type') ?? '';
  const known = type === 'dynamic-tool' || (type.startsWith('tool-') && type !== 'tool-invocation');
  return known && stringAt(part, 'toolCallId') !== undefined;
}

/** A reply's text; one with provider metadata may carry a signature or be sent as a reference to what is stored. */
function readText(part: unknown, place: Place, drafts: Drafts): BlockDraft {
  const block = drafts.text(stringAt(part, 'text') ?? '', at(place, '/text'));
  if (!hasMetadata(valueAt(part, 'providerMetadata'))) return block;
  const { kind, record, tokens } = block;
  return { kind, record, tokens, signed: true };
}

function readReasoning(part: unknown, { record }: Place, drafts: Drafts): BlockDraft {
  const details = arrayAt(part, 'details');
  const texts = details?.map((detail) => stringAt(detail, 'text') ?? '') ?? [
    stringAt(part, 'text') ?? '',
  ];
  const tokens = texts.reduce((sum, text) => sum + drafts.meter.text(text), 0);
  const sealed = details?.some(
    (detail) => valueAt(detail, 'signature') !== undefined || valueAt(detail, 'data') !== undefined,
  );
  const signed = sealed === true || hasMetadata(valueAt(part, 'providerMetadata'));
  return drafts.sealed('thinking', record, tokens, { signed });
}

function hasMetadata(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

function toolOf(part: unknown, type: string): string {
  return type === 'dynamic-tool' ? (stringAt(part, 'toolName') ?? '') : type.slice('tool-'.length);
}

/** Versions 5 and 6: the state says what there is of the result. */
function readTool(part: unknown, tool: string, place: Place, drafts: Drafts): ReadPart {
  const { meter } = drafts;
  const state = stringAt(part, 'state') ?? '';
  const callId = stringAt(part, 'toolCallId') ?? '';
  const input = valueAt(part, 'input') ?? valueAt(part, 'rawInput');
  const tokens = meter.text(tool) + meter.json(input);
  const signed = hasMetadata(valueAt(part, 'callProviderMetadata'));
  if (valueAt(part, 'providerExecuted') === true) {
    // The provider ran it within the reply: it pairs with nothing of ours, and its output may be encrypted.
    const output = meter.json(valueAt(part, 'output') ?? valueAt(part, 'errorText'));
    const call = drafts.sealed('toolCall', place.record, tokens, { tool, signed });
    return { reply: [call, drafts.sealed('opaque', place.record, output)], answer: [] };
  }
  const pointer = `${place.pointer}/input`;
  const call = drafts.sealed('toolCall', place.record, tokens, { tool, callId, signed, pointer });
  const facts = { ...place, callId, tool };
  switch (state) {
    case 'output-available': {
      const done = { ...facts, isError: false, pointer: `${place.pointer}/output` };
      return { reply: [call], answer: valueResult(valueAt(part, 'output'), done, drafts) };
    }
    case 'output-error': {
      const failed = { ...facts, isError: true, pointer: `${place.pointer}/errorText` };
      return { reply: [call], answer: valueResult(valueAt(part, 'errorText'), failed, drafts) };
    }
    case 'output-denied': {
      const reason = meter.text(stringAt(part, 'approval', 'reason') ?? '');
      return {
        reply: [call],
        answer: [sealedResult(reason, { ...facts, isError: true }, drafts)],
      };
    }
    default:
      return { reply: [call], answer: [] };
  }
}

/** Version 4: `result` is there when the state says so; no state tells a failure. */
export function readInvocation(call: unknown, place: Place, drafts: Drafts): ReadPart {
  if (!isObject(call)) return NOTHING;
  const tool = stringAt(call, 'toolName') ?? '';
  const callId = stringAt(call, 'toolCallId') ?? '';
  const tokens = drafts.meter.text(tool) + drafts.meter.json(call['args']);
  const pointer = `${place.pointer}/args`;
  const reply = [drafts.sealed('toolCall', place.record, tokens, { tool, callId, pointer })];
  if (call['result'] === undefined) return { reply, answer: [] };
  const facts = { record: place.record, callId, tool, pointer: `${place.pointer}/result` };
  return { reply, answer: valueResult(call['result'], facts, drafts) };
}

function at({ record, pointer }: Place, inner: string): Place {
  return { record, pointer: pointer + inner };
}
