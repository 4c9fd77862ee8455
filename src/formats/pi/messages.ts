import type { BlockDraft, Drafts, MessageDraft } from '../builder.ts';
import { recordIdentities } from '../typed.ts';
import { isObject, type Json, objectAt, stringAt, valueAt } from '../value.ts';

/** The message that an entry stands for in a request, before it is known whether it is live. */
export interface Sent extends MessageDraft {
  /** A tool result: one message with those beside it. */
  readonly result?: true;
  /** The client never sends it, wherever it stands. */
  readonly unsent?: boolean;
}

type Reader = (message: Json, record: number, drafts: Drafts, typed: Typed) => Sent;
type Typed = ReturnType<typeof recordIdentities>;

const MESSAGE = '/message';

const ROLES: Readonly<Record<string, Reader>> = {
  user: (message, record, drafts, typed) => ({
    role: 'user',
    blocks: contentBlocks(message['content'], record, `${MESSAGE}/content`, drafts, typed),
    records: [record],
    real: true,
  }),
  assistant,
  toolResult,
  bashExecution,
  custom: (message, record, drafts, typed) => injected(message, record, MESSAGE, drafts, typed),
  hookMessage: (message, record, drafts, typed) =>
    injected(message, record, MESSAGE, drafts, typed),
};

/** Reads an entry; undefined for one that no model sees. */
export function readEntry(entry: Json, record: number, drafts: Drafts): Sent | undefined {
  const typed = recordIdentities(entry);
  if (entry['type'] === 'message') {
    const message = objectAt(entry, 'message');
    const role = stringAt(message, 'role') ?? '';
    const read = Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
    return message === undefined ? undefined : read?.(message, record, drafts, typed);
  }
  if (entry['type'] === 'custom_message') return injected(entry, record, '', drafts, typed);
  if (entry['type'] === 'compaction' || entry['type'] === 'branch_summary')
    return summary(entry, record, drafts, typed);
  return undefined;
}

function assistant(message: Json, record: number, drafts: Drafts, typed: Typed): Sent {
  const why = message['stopReason'];
  return {
    role: 'assistant',
    blocks: contentBlocks(message['content'], record, `${MESSAGE}/content`, drafts, typed),
    records: [record],
    // The client leaves out replies that broke off.
    unsent: why === 'error' || why === 'aborted',
  };
}

function toolResult(message: Json, record: number, drafts: Drafts, typed: Typed): Sent {
  const isError = message['isError'];
  const tool = stringAt(message, 'toolName');
  const block = drafts.result(message['content'], {
    record,
    pointer: `${MESSAGE}/content`,
    callId: stringAt(message, 'toolCallId') ?? '',
    ...(tool === undefined ? {} : { tool }),
    ...(typeof isError === 'boolean' ? { isError } : {}),
    ...(typed === undefined ? {} : { typed }),
  });
  return { role: 'user', blocks: [block], records: [record], result: true };
}

/** A command that the person ran: sent as one user text made of the command, its output and how it ended. */
function bashExecution(message: Json, record: number, drafts: Drafts, typed: Typed): Sent {
  const command = stringAt(message, 'command') ?? '';
  const exit = message['exitCode'];
  const blocks: BlockDraft[] = [
    drafts.sealed('opaque', record, drafts.meter.text(`Ran \`${command}\`\n\`\`\`\n\n\`\`\``)),
  ];
  const output = stringAt(message, 'output') ?? '';
  if (output !== '') {
    blocks.push(
      drafts.result(output, {
        record,
        pointer: `${MESSAGE}/output`,
        tool: 'bash',
        ...(typeof exit === 'number' ? { isError: exit !== 0 } : {}),
        ...(typed === undefined ? {} : { typed }),
      }),
    );
  }
  return {
    role: 'user',
    blocks,
    records: [record],
    unsent: message['excludeFromContext'] === true,
  };
}

/** What an extension puts in. */
function injected(value: Json, record: number, at: string, drafts: Drafts, typed: Typed): Sent {
  const blocks = contentBlocks(value['content'], record, `${at}/content`, drafts, typed);
  return { role: 'user', blocks, records: [record], injected: true };
}

function summary(entry: Json, record: number, drafts: Drafts, typed: Typed): Sent {
  const text = stringAt(entry, 'summary') ?? '';
  const place = { record, pointer: '/summary' };
  return {
    role: 'user',
    blocks: text === '' ? [] : [drafts.text(text, place, typed?.get(place.pointer))],
    records: [record],
    fixed: 'compaction-summary',
    // An empty summary of a branch is not sent.
    unsent: text === '',
  };
}

function contentBlocks(
  content: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
  typed: Typed,
): BlockDraft[] {
  if (typeof content === 'string')
    return [drafts.text(content, { record, pointer }, typed?.get(pointer))];
  if (!Array.isArray(content)) return [];
  return content.map((block: unknown, index) =>
    contentBlock(block, record, `${pointer}/${index}`, drafts, typed),
  );
}

function contentBlock(
  block: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
  typed: Typed,
): BlockDraft {
  switch (stringAt(block, 'type') ?? '') {
    case 'text': {
      const place = { record, pointer: `${pointer}/text` };
      const draft = drafts.text(stringAt(block, 'text') ?? '', place, typed?.get(place.pointer));
      return stringAt(block, 'textSignature') === undefined ? draft : { ...draft, signed: true };
    }
    case 'thinking':
      return thinking(block, record, drafts);
    case 'toolCall': {
      const tool = stringAt(block, 'name') ?? '';
      const tokens = drafts.meter.text(tool) + drafts.meter.json(valueAt(block, 'arguments'));
      return drafts.sealed('toolCall', record, tokens, {
        tool,
        callId: stringAt(block, 'id') ?? '',
        pointer: `${pointer}/arguments`,
        signed: stringAt(block, 'thoughtSignature') !== undefined,
      });
    }
    case 'image':
      return drafts.media(block, { record, pointer });
    default:
      return drafts.sealed('opaque', record, drafts.meter.json(block));
  }
}

/** The signature of an OpenAI model is its whole reasoning item, with the encrypted part in it. */
function thinking(block: unknown, record: number, drafts: Drafts): BlockDraft {
  const signature = stringAt(block, 'thinkingSignature');
  const encrypted = encryptedPart(signature);
  const plain = drafts.meter.text(stringAt(block, 'thinking') ?? '');
  const tokens = encrypted === undefined ? plain : Math.ceil((encrypted.length * 3) / 16);
  return drafts.sealed('thinking', record, tokens, {
    signed: signature !== undefined || valueAt(block, 'redacted') === true,
    counted: encrypted === undefined,
  });
}

function encryptedPart(signature: string | undefined): string | undefined {
  if (signature === undefined || !signature.startsWith('{')) return undefined;
  try {
    const item: unknown = JSON.parse(signature);
    return isObject(item) ? stringAt(item, 'encrypted_content') : undefined;
  } catch {
    return undefined;
  }
}
