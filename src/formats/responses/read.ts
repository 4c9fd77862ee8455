import type { BlockDraft, Drafts } from '../builder.ts';
import { RESPONSES_ITEMS } from '../dialects.ts';
import { arrayAt, isObject, stringAt, valueAt } from '../value.ts';
import { valueResult } from '../value-result.ts';
import { callIdOf, type Item, readMessage, readSealed } from './items.ts';

/** An item, and why its message may not leave. */
export interface ResponseItem extends Item {
  readonly fixed?: string;
}

/** Calls that the caller runs, by the key that says what they do. */
const CLIENT_CALLS: ReadonlyMap<string, string> = new Map([
  ['shell_call', 'action'],
  ['apply_patch_call', 'operation'],
  ['computer_call', 'action'],
]);

const COMPACTIONS = ['compaction', 'compaction_summary'];

/** Reads one item of a Responses list at a pointer of a record. Undefined when it is none. */
export function readResponseItem(
  item: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
): ResponseItem | undefined {
  if (!isObject(item)) return undefined;
  const type = stringAt(item, 'type') ?? (item['role'] === undefined ? '' : 'message');
  if (type === 'message') return readMessage(item, record, pointer, undefined, drafts);
  if (COMPACTIONS.includes(type)) {
    const block = drafts.sealed('opaque', record, encryptedTokens(item, drafts), {
      signed: true,
      counted: false,
    });
    return { part: 'system', blocks: [block], fixed: 'compaction-summary' };
  }
  if (type === 'image_generation_call') return readPicture(item, record, drafts);
  if (isOutput(type)) {
    return { part: 'result', blocks: outputBlocks(item, record, `${pointer}/output`, drafts) };
  }
  const key = CLIENT_CALLS.get(type);
  if (key === undefined) return readSealed(type, item, record, pointer, drafts);
  const tokens = drafts.meter.json(valueAt(item, key) ?? {});
  const facts = { tool: type, callId: callIdOf(item), pointer: `${pointer}/${key}` };
  return { part: 'reply', blocks: [drafts.sealed('toolCall', record, tokens, facts)] };
}

/** Outputs of tools that the caller runs; those of the service are in the call itself. */
function isOutput(type: string): boolean {
  return type === 'function_call_result' || type.endsWith('_call_output');
}

function outputBlocks(
  item: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
): BlockDraft[] {
  const output = valueAt(item, 'output');
  const isError = failed(item);
  const facts = {
    record,
    pointer,
    callId: callIdOf(item),
    ...(isError === undefined ? {} : { isError }),
  };
  if (stringAt(item, 'type') === 'computer_call_output') {
    const picture = { type: 'input_image', image_url: stringAt(output, 'image_url') ?? '' };
    const screen = drafts.media(picture, { record, pointer }, true);
    return [drafts.sealed('toolResult', record, 0, { callId: facts.callId }), screen];
  }
  const items = arrayAt(item, 'output') ?? [];
  const known = items.every(
    (part) =>
      RESPONSES_ITEMS.itemText(part) !== undefined || RESPONSES_ITEMS.itemMedia(part) !== undefined,
  );
  return isObject(output) || !known
    ? valueResult(output, facts, drafts)
    : [drafts.result(output, facts)];
}

/** Only where the item has a field for it: a patch's status, the exit code of a shell. */
function failed(item: unknown): boolean | undefined {
  if (stringAt(item, 'type') === 'apply_patch_call_output') {
    const status = stringAt(item, 'status');
    return status === undefined ? undefined : status === 'failed';
  }
  const codes = (arrayAt(item, 'output') ?? []).map((part) =>
    stringAt(part, 'outcome', 'type') === 'timeout' ? 1 : valueAt(part, 'outcome', 'exit_code'),
  );
  return codes.some((code) => typeof code === 'number')
    ? codes.some((code) => typeof code === 'number' && code !== 0)
    : undefined;
}

function readPicture(item: unknown, record: number, drafts: Drafts): Item {
  const base64 = stringAt(item, 'result') ?? '';
  const { tokens } = drafts.meter.media('image', { base64 });
  return { part: 'reply', blocks: [drafts.sealed('image', record, tokens, { counted: false })] };
}

/** Base64 holds three bytes in four characters, four bytes are taken for a token. */
function encryptedTokens(item: unknown, drafts: Drafts): number {
  const encrypted = stringAt(item, 'encrypted_content');
  return encrypted === undefined ? drafts.meter.json(item) : Math.ceil((encrypted.length * 3) / 16);
}
