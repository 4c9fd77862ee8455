import type { BlockDraft, Drafts } from '../builder.ts';
import { arrayAt, type Json, objectAt, stringAt, valueAt } from '../value.ts';

const CALLS = '/tool_call_metadata/model_response/choices/0/message/tool_calls';

/** A call of an action, and what it says of the answer of the model that it comes from. */
export interface Call {
  readonly block: BlockDraft;
  readonly callId: string;
  /** Id of the answer, which all of its calls share. */
  readonly reply: string;
  readonly model?: string;
  /** Reasoning and text of the answer; the whole answer is repeated on each of its calls. */
  readonly said: readonly BlockDraft[];
}

/** Reads an agent's action; without function calling the action itself is the call. */
export function readCall(
  event: Json,
  action: string,
  id: string,
  record: number,
  drafts: Drafts,
): Call {
  const { meter } = drafts;
  const callId = stringAt(event, 'tool_call_metadata', 'tool_call_id');
  const answer = objectAt(event, 'tool_call_metadata', 'model_response');
  if (callId === undefined || answer === undefined) {
    const own = `event ${id}`;
    const facts = { tool: action, callId: own, pointer: '/args' };
    const block = drafts.sealed('toolCall', record, meter.json(event['args'] ?? null), facts);
    return { block, callId: own, reply: own, said: [] };
  }
  const message = valueAt(arrayAt(answer, 'choices')?.[0], 'message');
  const calls = arrayAt(message, 'tool_calls') ?? [];
  const index = calls.findIndex((call) => stringAt(call, 'id') === callId);
  const input = stringAt(calls[index], 'function', 'arguments');
  const tool = stringAt(event, 'tool_call_metadata', 'function_name') ?? action;
  const tokens = input === undefined ? meter.json(event['args'] ?? null) : meter.text(input);
  const pointer = input === undefined ? '/args' : `${CALLS}/${index}/function/arguments`;
  const facts = { tool, callId, pointer };
  const model = stringAt(answer, 'model');
  return {
    block: drafts.sealed('toolCall', record, meter.text(tool) + tokens, facts),
    callId,
    reply: stringAt(answer, 'id') ?? `event ${id}`,
    said: spoken(message, record, drafts),
    ...(model === undefined ? {} : { model }),
  };
}

function spoken(message: unknown, record: number, drafts: Drafts): BlockDraft[] {
  const text = stringAt(message, 'content') ?? '';
  const thought = stringAt(message, 'reasoning_content') ?? '';
  const signed = arrayAt(message, 'thinking_blocks') !== undefined;
  const { meter } = drafts;
  return [
    ...(thought === '' ? [] : [drafts.sealed('thinking', record, meter.text(thought), { signed })]),
    ...(text === '' ? [] : [drafts.sealed('text', record, meter.text(text))]),
  ];
}

/** Whether an observation says that its call failed. */
export function failed(event: Json, observation: string): { readonly isError?: boolean } {
  if (observation === 'error' || observation === 'user_rejected') return { isError: true };
  const code =
    valueAt(event, 'extras', 'metadata', 'exit_code') ?? valueAt(event, 'extras', 'exit_code');
  if (typeof code === 'number') return { isError: code !== 0 };
  return typeof event['success'] === 'boolean' ? { isError: !event['success'] } : {};
}

/** Which events a condensation forgets: a list of ids, or a range. */
export function forgottenBy(event: Json): (id: string) => boolean {
  const listed = arrayAt(event, 'args', 'forgotten_event_ids') ?? [];
  const ids = new Set(listed.filter((id) => typeof id === 'number').map(String));
  const first = valueAt(event, 'args', 'forgotten_events_start_id');
  const last = valueAt(event, 'args', 'forgotten_events_end_id');
  if (typeof first !== 'number' || typeof last !== 'number') return (id) => ids.has(id);
  return (id) => Number(id) >= first && Number(id) <= last;
}
