import type { Drafts } from '../builder.ts';
import { type Item, readMessage, readSealed, type Typed } from '../responses/items.ts';
import { stringAt, valueAt } from '../value.ts';

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

/** Reads one response item at a pointer of a record. Undefined when the item is not sent. */
export function readItem(
  item: unknown,
  record: number,
  pointer: string,
  typed: Typed,
  drafts: Drafts,
): Item | undefined {
  const type = stringAt(item, 'type') ?? '';
  if (type === 'message') return readMessage(item, record, pointer, typed, drafts, isInjected);
  if (type.endsWith('_output') && type !== 'tool_search_output') {
    return readOutput(item, record, pointer, typed, drafts);
  }
  return readSealed(type, item, record, pointer, drafts);
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

function isInjected(text: string): boolean {
  return INJECTED.some((start) => text.startsWith(start));
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
