import type { BlockDraft, Drafts, MessageDraft, Place } from '../builder.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from '../value.ts';
import { forModel } from './items.ts';

/** One Goose message; undefined when nothing of it is ever sent. */
export function gooseMessage(
  value: unknown,
  record: number,
  drafts: Drafts,
): MessageDraft | undefined {
  const role = stringAt(value, 'role') === 'assistant' ? 'assistant' : 'user';
  const content = arrayAt(value, 'content') ?? [];
  const blocks = content.flatMap((item, index) =>
    isObject(item) && forModel(item)
      ? (READERS[stringAt(item, 'type') ?? '']?.(
          item,
          { record, pointer: `/content/${index}` },
          drafts,
        ) ?? [])
      : [],
  );
  if (blocks.length === 0) return undefined;
  const typed = blocks.some(({ kind, blank }) => kind === 'image' || (kind === 'text' && !blank));
  const answers = blocks.some(({ kind }) => kind === 'toolResult');
  // What the agent alone sees was not typed by a person: a summary, a reminder.
  const seen = valueAt(value, 'metadata', 'userVisible') !== false;
  return {
    role,
    blocks,
    records: [record],
    real: role === 'user' && typed && !answers && seen,
    live: valueAt(value, 'metadata', 'agentVisible') !== false,
  };
}

type Reader = (item: Json, place: Place, drafts: Drafts) => BlockDraft;

const READERS: Readonly<Record<string, Reader>> = {
  text: readText,
  image: (item, place, drafts) => drafts.media(item, place),
  toolRequest: readCall,
  frontendToolRequest: readCall,
  toolResponse: readResult,
  thinking: (item, { record }, drafts) =>
    drafts.sealed('thinking', record, drafts.meter.text(stringAt(item, 'thinking') ?? ''), {
      signed: (stringAt(item, 'signature') ?? '') !== '',
    }),
  reasoning: (item, { record }, drafts) =>
    drafts.sealed('thinking', record, drafts.meter.text(stringAt(item, 'text') ?? '')),
  redactedThinking: (item, { record }, drafts) =>
    drafts.sealed('thinking', record, Math.ceil(((stringAt(item, 'data') ?? '').length * 3) / 16), {
      signed: true,
      counted: false,
    }),
};

function readText(item: Json, { record, pointer }: Place, drafts: Drafts): BlockDraft {
  const text = stringAt(item, 'text');
  if (text === undefined) return drafts.sealed('opaque', record, drafts.meter.json(item));
  return drafts.text(text, { record, pointer: `${pointer}/text` });
}

function readCall(item: Json, { record, pointer }: Place, drafts: Drafts): BlockDraft {
  const call = objectAt(item, 'toolCall', 'value') ?? {};
  const tool = stringAt(call, 'name') ?? '';
  const tokens = drafts.meter.text(tool) + drafts.meter.json(call['arguments'] ?? {});
  return drafts.sealed('toolCall', record, tokens, {
    tool,
    callId: stringAt(item, 'id') ?? '',
    pointer: `${pointer}/toolCall/value/arguments`,
    signed: stringAt(item, 'thoughtSignature') !== undefined || isSigned(item['metadata']),
  });
}

function isSigned(metadata: unknown): boolean {
  return stringAt(metadata, 'thoughtSignature') !== undefined;
}

/** The answer is a list of items (older), an object with that list and an error flag, or the text of an error. */
function readResult(item: Json, { record, pointer }: Place, drafts: Drafts): BlockDraft {
  const callId = stringAt(item, 'id') ?? '';
  const result = objectAt(item, 'toolResult') ?? {};
  const { value } = result;
  const error = stringAt(result, 'error');
  if (result['status'] === 'error' && error !== undefined) {
    const at = `${pointer}/toolResult/error`;
    return drafts.result(error, { record, pointer: at, callId, isError: true });
  }
  const list = Array.isArray(value);
  const isError = valueAt(value, 'isError') === true;
  return drafts.result(list ? value : valueAt(value, 'content'), {
    record,
    pointer: `${pointer}/toolResult/value${list ? '' : '/content'}`,
    callId,
    isError,
  });
}
