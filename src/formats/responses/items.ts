import type { BlockDraft, Drafts } from '../builder.ts';
import type { TypedIdentity } from '../format.ts';
import { arrayAt, stringAt, valueAt } from '../value.ts';

export type Typed = ReadonlyMap<string, TypedIdentity> | undefined;

/** What an item is in the conversation: a message of its own, part of a reply, or a result. */
export interface Item {
  readonly part: 'user' | 'system' | 'reply' | 'result';
  readonly blocks: BlockDraft[];
  readonly real?: boolean;
  /** An output longer than the client sends: tokens that it sends. */
  readonly sent?: number;
}

/** A message item; `injected` tells texts that a client wrote in the user's name. */
export function readMessage(
  item: unknown,
  record: number,
  pointer: string,
  typed: Typed,
  drafts: Drafts,
  injected: (text: string) => boolean = () => false,
): Item {
  const role = stringAt(item, 'role');
  const content = arrayAt(item, 'content') ?? [];
  const whole = stringAt(item, 'content');
  const place = { record, pointer: `${pointer}/content` };
  const blocks =
    whole === undefined
      ? content.map((part, index) => {
          const at = `${place.pointer}/${index}`;
          const text = stringAt(part, 'text');
          if (text === undefined) return drafts.media(part, { record, pointer: at });
          return drafts.text(text, { record, pointer: `${at}/text` }, typed?.get(`${at}/text`));
        })
      : [drafts.text(whole, place, typed?.get(place.pointer))];
  if (role === 'assistant') return { part: 'reply', blocks };
  if (role !== 'user') return { part: 'system', blocks };
  const texts =
    whole === undefined ? content.flatMap((part) => stringAt(part, 'text') ?? []) : [whole];
  const real = texts.some((text) => text.trim() !== '' && !injected(text));
  return { part: 'user', blocks, real: real || texts.length === 0 };
}

/** Items that are never edited: reasoning, calls, what the service did itself. Undefined for one that is not sent. */
export function readSealed(
  type: string,
  item: unknown,
  record: number,
  base: string,
  drafts: Drafts,
): Item | undefined {
  const { meter } = drafts;
  const callId = callIdOf(item);
  switch (type) {
    case 'reasoning':
      return { part: 'reply', blocks: [readReasoning(item, record, drafts)] };
    case 'function_call':
    case 'custom_tool_call': {
      const tool = stringAt(item, 'name') ?? '';
      const input = stringAt(item, 'arguments') ?? stringAt(item, 'input') ?? '';
      const tokens = meter.text(tool) + meter.text(input);
      const pointer = `${base}/${stringAt(item, 'arguments') === undefined ? 'input' : 'arguments'}`;
      return {
        part: 'reply',
        blocks: [drafts.sealed('toolCall', record, tokens, { tool, callId, pointer })],
      };
    }
    case 'local_shell_call':
    case 'tool_search_call': {
      const key = valueAt(item, 'action') === undefined ? 'arguments' : 'action';
      const tokens = meter.json(valueAt(item, key) ?? {});
      const facts = { tool: type, callId, pointer: `${base}/${key}` };
      return { part: 'reply', blocks: [drafts.sealed('toolCall', record, tokens, facts)] };
    }
    case 'tool_search_output': {
      const block = drafts.sealed('toolResult', record, meter.json(valueAt(item, 'tools')), {
        callId,
      });
      return { part: 'result', blocks: [block] };
    }
    case 'ghost_snapshot':
    case '':
      return undefined;
    default:
      return { part: 'reply', blocks: [drafts.sealed('opaque', record, meter.json(item))] };
  }
}

/** Id that a call and its output share; the Agents SDK for JavaScript has its own spelling. */
export function callIdOf(item: unknown): string {
  return stringAt(item, 'call_id') ?? stringAt(item, 'callId') ?? stringAt(item, 'id') ?? '';
}

function readReasoning(item: unknown, record: number, drafts: Drafts): BlockDraft {
  const encrypted = stringAt(item, 'encrypted_content');
  const texts = [...(arrayAt(item, 'summary') ?? []), ...(arrayAt(item, 'content') ?? [])];
  const plain = texts.reduce<number>(
    (sum, part) => sum + drafts.meter.text(stringAt(part, 'text') ?? ''),
    0,
  );
  // Base64 holds three bytes in four characters, four bytes are taken for a token.
  const tokens = encrypted === undefined ? plain : Math.ceil((encrypted.length * 3) / 16);
  const facts = { signed: encrypted !== undefined, counted: encrypted === undefined };
  return drafts.sealed('thinking', record, tokens, facts);
}
