import type { BlockDraft, Drafts } from '../builder.ts';
import type { TypedIdentity } from '../format.ts';
import { arrayAt, stringAt, valueAt } from '../value.ts';

/** Characters of one output that Codex 0.171 keeps when it loads a session (docs/formats/codex.md). */
const OUTPUT_CAP = 12_000;

/** Starts of user texts that the client wrote. */
const INJECTED = [
  '<environment_context>',
  '<user_instructions>',
  '<skill',
  '<turn_aborted>',
  '<permissions instructions>',
  '<user_shell_command>',
  '<INSTRUCTIONS>',
  '# AGENTS.md instructions',
];

export type Typed = ReadonlyMap<string, TypedIdentity> | undefined;

/** What an item is in the conversation: a message of its own, part of a reply, or a result. */
export interface Item {
  readonly part: 'user' | 'system' | 'reply' | 'result';
  readonly blocks: BlockDraft[];
  readonly real?: boolean;
  /** An output longer than the client sends: tokens that it sends. */
  readonly sent?: number;
}

/** Reads one response item at a pointer of a record. Undefined when the item is not sent. */
export function readItem(
  item: unknown,
  record: number,
  pointer: string,
  typed: Typed,
  drafts: Drafts,
): Item | undefined {
  const type = stringAt(item, 'type') ?? '';
  if (type === 'message') return readMessage(item, record, pointer, typed, drafts);
  if (type.endsWith('_output') && type !== 'tool_search_output') {
    return readOutput(item, record, pointer, typed, drafts);
  }
  return readSealed(type, item, record, pointer, drafts);
}

function readMessage(
  item: unknown,
  record: number,
  pointer: string,
  typed: Typed,
  drafts: Drafts,
): Item {
  const role = stringAt(item, 'role');
  const content = arrayAt(item, 'content') ?? [];
  const blocks = content.map((part, index) => {
    const at = `${pointer}/content/${index}`;
    const text = stringAt(part, 'text');
    if (text === undefined) return drafts.media(part, { record, pointer: at });
    return drafts.text(text, { record, pointer: `${at}/text` }, typed?.get(`${at}/text`));
  });
  if (role === 'assistant') return { part: 'reply', blocks };
  if (role !== 'user') return { part: 'system', blocks };
  const texts = content.flatMap((part) => stringAt(part, 'text') ?? []);
  const real = texts.some(
    (text) => text.trim() !== '' && !INJECTED.some((start) => text.startsWith(start)),
  );
  return { part: 'user', blocks, real: real || texts.length === 0 };
}

function readOutput(
  item: unknown,
  record: number,
  pointer: string,
  typed: Typed,
  drafts: Drafts,
): Item {
  const output = valueAt(item, 'output');
  const nested = typeof output === 'string' ? nestedOutput(output) : undefined;
  const text = nested?.text ?? outputText(output);
  const isError = nested?.isError ?? errorOf(text);
  const facts = {
    record,
    pointer: `${pointer}/output`,
    callId: stringAt(item, 'call_id') ?? '',
    ...(isError === undefined ? {} : { isError }),
    ...(typed === undefined ? {} : { typed }),
  };
  const block = drafts.result(nested?.text ?? output, facts);
  const placed = nested === undefined ? block : { ...block, shape: 'nested' as const };
  if (text.length <= OUTPUT_CAP) return { part: 'result', blocks: [placed] };
  const sent = Math.round((block.tokens * OUTPUT_CAP) / text.length);
  return { part: 'result', blocks: [placed], sent };
}

function readSealed(
  type: string,
  item: unknown,
  record: number,
  base: string,
  drafts: Drafts,
): Item | undefined {
  const { meter } = drafts;
  const callId = stringAt(item, 'call_id') ?? stringAt(item, 'id') ?? '';
  switch (type) {
    case 'reasoning': {
      const encrypted = stringAt(item, 'encrypted_content');
      const texts = [...(arrayAt(item, 'summary') ?? []), ...(arrayAt(item, 'content') ?? [])];
      const plain = texts.reduce<number>(
        (sum, part) => sum + meter.text(stringAt(part, 'text') ?? ''),
        0,
      );
      // Base64 holds three bytes in four characters, four bytes are taken for a token.
      const tokens = encrypted === undefined ? plain : Math.ceil((encrypted.length * 3) / 16);
      const facts = { signed: encrypted !== undefined, counted: encrypted === undefined };
      return { part: 'reply', blocks: [drafts.sealed('thinking', record, tokens, facts)] };
    }
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

/** Old outputs are a string that holds JSON with the text, the exit code beside it. */
function nestedOutput(output: string): { text: string; isError?: boolean } | undefined {
  if (!output.startsWith('{"')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return undefined;
  }
  const text = stringAt(value, 'output');
  const metadata = valueAt(value, 'metadata');
  if (text === undefined || metadata === undefined) return undefined;
  const code = valueAt(metadata, 'exit_code');
  return { text, ...(typeof code === 'number' ? { isError: code !== 0 } : {}) };
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return '';
  return output.map((part) => stringAt(part, 'text') ?? '').join('\n');
}

/** Success is only told in text: what the client wrote before `Output:`, or an unsupported call. */
function errorOf(text: string): boolean | undefined {
  if (/^unsupported (custom tool )?call: /.test(text)) return true;
  const end = text.slice(0, 2000).search(/^Output:/m);
  if (end < 0) return undefined;
  const code = /^(?:Process exited with code|Exit code:?) (-?\d+)/m.exec(text.slice(0, end));
  return code === null ? undefined : code[1] !== '0';
}
