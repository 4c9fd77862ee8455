import type { MediaKind } from '../../model/conversation.ts';
import type { BlockDraft, Drafts, Place } from '../builder.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from '../value.ts';
import { OPENCODE_ITEMS } from './items.ts';
import { HIDDEN_TEXT } from './native.ts';

/** What one part adds to a message. What is sent of it depends on the role, which is in another record. */
export interface ReadPart {
  readonly type: string;
  readonly id: string;
  /** Sent in a user message. */
  readonly user?: BlockDraft;
  /** Sent in an assistant message. */
  readonly assistant?: BlockDraft;
  /** What answers the call of an assistant message. */
  readonly result?: BlockDraft;
  /** Typed by a person. */
  readonly typed: boolean;
  /** A compaction: the message that the kept tail begins with, or '' without one. */
  readonly tail?: string;
}

/** Reads one part whose object is at the place (`pointer` may be ''). */
export function readPart(part: unknown, place: Place, drafts: Drafts): ReadPart {
  const type = stringAt(part, 'type') ?? '';
  const base = { type, id: stringAt(part, 'id') ?? '', typed: false };
  return isObject(part) ? { ...base, ...READERS[type]?.(part, place, drafts) } : base;
}

type Reader = (part: Json, place: Place, drafts: Drafts) => Partial<ReadPart>;

const READERS: Readonly<Record<string, Reader>> = {
  text: readText,
  file: readFile,
  tool: readTool,
  reasoning: readReasoning,
  compaction: (part, { record }, { meter, sealed }) => ({
    user: sealed('opaque', record, meter.text('What did we do so far?')),
    tail: stringAt(part, 'tail_start_id') ?? '',
  }),
  subtask: (_, { record }, { meter, sealed }) => ({
    user: sealed('opaque', record, meter.text('The following tool was executed by the user')),
  }),
};

function readText(part: Json, place: Place, drafts: Drafts): Partial<ReadPart> {
  const text = stringAt(part, 'text');
  if (text === undefined) return {};
  const { record } = place;
  const block = isSigned(part['metadata'])
    ? drafts.sealed('text', record, drafts.meter.text(text), { signed: true })
    : drafts.text(text, { record, pointer: `${place.pointer}/text` });
  const sent = part['ignored'] !== true && text !== '';
  return {
    assistant: block,
    ...(sent ? { user: block } : {}),
    typed: sent && part['synthetic'] !== true,
  };
}

/** The client turns text files and folders into text parts of their own and does not send the file. */
function readFile(part: Json, place: Place, drafts: Drafts): Partial<ReadPart> {
  const mime = stringAt(part, 'mime');
  if (mime === 'text/plain' || mime === 'application/x-directory') return {};
  return { user: drafts.media(part, place), typed: true };
}

function readReasoning(part: Json, { record }: Place, drafts: Drafts): Partial<ReadPart> {
  const text = stringAt(part, 'text') ?? '';
  const sealed = encryptedLength(part['metadata']);
  const tokens = text === '' ? Math.ceil((sealed * 3) / 16) : drafts.meter.text(text);
  return {
    assistant: drafts.sealed('thinking', record, tokens, {
      signed: isSigned(part['metadata']),
      counted: text !== '' || sealed === 0,
    }),
  };
}

function readTool(part: Json, place: Place, drafts: Drafts): Partial<ReadPart> {
  const { record, pointer } = place;
  const tool = stringAt(part, 'tool') ?? '';
  const callId = stringAt(part, 'callID') ?? `${record}${pointer}`;
  const state = objectAt(part, 'state') ?? {};
  const tokens = drafts.meter.text(tool) + drafts.meter.json(state['input'] ?? {});
  return {
    assistant: drafts.sealed('toolCall', record, tokens, {
      tool,
      callId,
      pointer: `${pointer}/state/input`,
      signed: isSigned(part['metadata']),
    }),
    result: readResult(state, { record, pointer: `${pointer}/state` }, { tool, callId }, drafts),
  };
}

interface CallFacts {
  readonly tool: string;
  readonly callId: string;
}

function readResult(state: Json, place: Place, facts: CallFacts, drafts: Drafts): BlockDraft {
  const { record, pointer } = place;
  const { status } = state;
  if (status === 'completed') return readOutput(state, place, facts, drafts);
  const interrupted = stringAt(state, 'metadata', 'output');
  const kept = valueAt(state, 'metadata', 'interrupted') === true && interrupted !== undefined;
  const at = kept ? `${pointer}/metadata/output` : `${pointer}/error`;
  const text = kept ? interrupted : stringAt(state, 'error');
  if (status === 'error' && text !== undefined)
    return drafts.result(text, { record, pointer: at, ...facts, isError: true });
  // A call that never ended: the client answers it by itself.
  const stand = drafts.meter.text('[Tool execution was interrupted]');
  return { ...drafts.sealed('toolResult', record, stand, facts), isError: true };
}

function readOutput(state: Json, place: Place, facts: CallFacts, drafts: Drafts): BlockDraft {
  const { record } = place;
  const pointer = `${place.pointer}/output`;
  if (isTruthy(valueAt(state, 'time', 'compacted'))) {
    const hidden = drafts.sealed('toolResult', record, drafts.meter.text(HIDDEN_TEXT), {
      ...facts,
      pointer,
    });
    return { ...hidden, isError: false, hidden: true };
  }
  const block = drafts.result(state['output'], { record, pointer, ...facts, isError: false });
  const attached = (arrayAt(state, 'attachments') ?? []).flatMap(
    (item) => OPENCODE_ITEMS.itemMedia(item) ?? [],
  );
  if (attached.length === 0) return block;
  const media: MediaKind[] = attached.map(({ kind }) => kind);
  const sizes = attached.map(({ kind, data }) => drafts.meter.media(kind, data).tokens);
  const tokens = sizes.reduce((total, size) => total + size, block.tokens);
  return { ...block, tokens, media, counted: false };
}

/** The client tests the mark for truth, not for presence. */
function isTruthy(value: unknown): boolean {
  return value !== undefined && value !== null && value !== 0 && value !== '' && value !== false;
}

const SIGNATURES = ['signature', 'thoughtSignature', 'redactedData', 'reasoningEncryptedContent'];

/** Metadata of a provider that carries a signature or encrypted content. */
function isSigned(metadata: unknown): boolean {
  if (!isObject(metadata)) return false;
  return Object.values(metadata).some(
    (own) => isObject(own) && SIGNATURES.some((key) => typeof own[key] === 'string'),
  );
}

function encryptedLength(metadata: unknown): number {
  if (!isObject(metadata)) return 0;
  const found = Object.values(metadata).map(
    (own) =>
      (stringAt(own, 'reasoningEncryptedContent') ?? stringAt(own, 'redactedData') ?? '').length,
  );
  return found.reduce((total, length) => total + length, 0);
}
