import type { BlockDraft, Drafts } from '../builder.ts';
import { arrayAt, isObject, objectAt, stringAt, valueAt } from '../value.ts';
import { sealedResult } from '../value-result.ts';
import type { Shape } from './shapes.ts';

const THINKING = ['thinking', 'reasoning', 'redacted_thinking', 'reasoning_content'];
/** Calls inside the content repeat `tool_calls`. */
const CALLS = ['tool_use', 'tool_call', 'tool_call_chunk', 'function_call', 'input_json_delta'];

/** Content of a message: a string, or blocks among which bare strings occur. */
export function contentBlocks(
  { body, pointer }: Shape,
  record: number,
  drafts: Drafts,
): BlockDraft[] {
  const content = body['content'];
  if (typeof content === 'string') {
    // A reply that only calls tools has an empty string here, which is not sent.
    return content === '' ? [] : [drafts.text(content, { record, pointer: `${pointer}/content` })];
  }
  if (!Array.isArray(content)) return [];
  const repeats = (arrayAt(body, 'tool_calls') ?? []).length > 0;
  return content.flatMap((block, index) => {
    const place = { record, pointer: `${pointer}/content/${index}` };
    if (typeof block === 'string') return [drafts.text(block, place)];
    const type = stringAt(block, 'type') ?? '';
    if (type === 'text' && stringAt(block, 'text') !== undefined)
      return [textBlock(block, place, drafts)];
    if (THINKING.includes(type)) return [thinkingBlock(block, record, drafts)];
    if (CALLS.includes(type)) return repeats ? [] : [contentCall(block, record, drafts)];
    return [drafts.media(block, place)];
  });
}

function textBlock(
  block: unknown,
  { record, pointer }: { readonly record: number; readonly pointer: string },
  drafts: Drafts,
): BlockDraft {
  const text = drafts.text(stringAt(block, 'text') ?? '', { record, pointer: `${pointer}/text` });
  if (!isSigned(block)) return text;
  return { kind: text.kind, record, tokens: text.tokens, signed: true };
}

function thinkingBlock(block: unknown, record: number, drafts: Drafts): BlockDraft {
  const plain = ['thinking', 'reasoning', 'text'].map((key) => stringAt(block, key) ?? '');
  const summary = (arrayAt(block, 'summary') ?? []).map((part) => stringAt(part, 'text') ?? '');
  const tokens = [...plain, ...summary].reduce((sum, text) => sum + drafts.meter.text(text), 0);
  return drafts.sealed('thinking', record, tokens, { signed: isSigned(block) });
}

function isSigned(block: unknown): boolean {
  return [
    valueAt(block, 'signature'),
    valueAt(block, 'data'),
    valueAt(block, 'encrypted_content'),
    valueAt(block, 'extras', 'signature'),
  ].some((value) => value !== undefined && value !== null);
}

function contentCall(block: unknown, record: number, drafts: Drafts): BlockDraft {
  const tool = stringAt(block, 'name') ?? '';
  const input = valueAt(block, 'input') ?? valueAt(block, 'args') ?? valueAt(block, 'arguments');
  const tokens = drafts.meter.text(tool) + drafts.meter.json(input);
  const callId = stringAt(block, 'call_id') ?? stringAt(block, 'id') ?? '';
  return drafts.sealed('toolCall', record, tokens, { tool, callId });
}

/** Calls of a reply: `tool_calls`, those that did not parse, else what the provider's raw answer holds. */
export function callBlocks(
  { body, pointer }: Shape,
  record: number,
  functionId: string,
  drafts: Drafts,
): BlockDraft[] {
  const parsed = ['tool_calls', 'invalid_tool_calls'].flatMap((key) =>
    (arrayAt(body, key) ?? []).map((call, index) =>
      callBlock(call, `${pointer}/${key}/${index}/args`, valueAt(call, 'args'), record, drafts),
    ),
  );
  if (parsed.length > 0) return parsed;
  const raw = objectAt(body, 'additional_kwargs');
  const base = `${pointer}/additional_kwargs`;
  const calls = (arrayAt(raw, 'tool_calls') ?? []).map((call, index) => {
    const at = `${base}/tool_calls/${index}/function/arguments`;
    const named = { id: valueAt(call, 'id'), name: valueAt(call, 'function', 'name') };
    return callBlock(named, at, valueAt(call, 'function', 'arguments'), record, drafts);
  });
  const legacy = objectAt(raw, 'function_call');
  if (legacy === undefined) return calls;
  const named = { id: functionId, name: legacy['name'] };
  const at = `${base}/function_call/arguments`;
  return [...calls, callBlock(named, at, legacy['arguments'], record, drafts)];
}

function callBlock(
  call: unknown,
  pointer: string,
  input: unknown,
  record: number,
  drafts: Drafts,
): BlockDraft {
  const tool = stringAt(call, 'name') ?? '';
  const { meter } = drafts;
  const size = typeof input === 'string' ? meter.text(input) : meter.json(input);
  const callId = stringAt(call, 'id') ?? '';
  return drafts.sealed('toolCall', record, meter.text(tool) + size, { tool, callId, pointer });
}

/** The content of a tool message. `status` is the only sign of a failure; `artifact` is not sent. */
export function resultBlock(
  { body, pointer }: Shape,
  record: number,
  functionId: string,
  drafts: Drafts,
): BlockDraft {
  const content = body['content'];
  const status = stringAt(body, 'status');
  const tool = stringAt(body, 'name');
  const facts = {
    record,
    pointer: `${pointer}/content`,
    callId: stringAt(body, 'tool_call_id') ?? functionId,
    ...(status === 'error' || status === 'success' ? { isError: status === 'error' } : {}),
    ...(tool === undefined ? {} : { tool }),
  };
  return typeof content === 'string' || Array.isArray(content)
    ? drafts.result(content, facts)
    : sealedResult(isObject(content) ? drafts.meter.json(content) : 0, facts, drafts);
}
