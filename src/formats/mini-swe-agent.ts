import { arrayGapEditor } from './array/gap.ts';
import { ArrayIndexer, type ReadMessage } from './array/indexer.ts';
import type { BlockDraft, Drafts, MessageDraft } from './builder.ts';
import { OPENAI_CHAT_ITEMS } from './dialects.ts';
import type { DocumentFormat, Head } from './format.ts';
import { ChatReader } from './openai-chat.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from './value.ts';

/** mini-swe-agent: chat messages with an `extra` each; without tool calls its observations are user messages. */
export const miniSweAgent: DocumentFormat = {
  name: 'mini-swe-agent',
  title: 'mini-swe-agent trajectory',
  layout: 'json',
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'source of mini-swe-agent 2',
  dialect: OPENAI_CHAT_ITEMS,
  detect,
  messagesAt: (document) => (arrayAt(document, 'messages') === undefined ? undefined : '/messages'),
  indexer: (context, document) =>
    new ArrayIndexer(
      {
        dialect: OPENAI_CHAT_ITEMS,
        read: new MiniReader().read,
        overhead: () => 0,
        model: (root) => stringAt(root, 'info', 'config', 'model', 'model_name'),
        gaps: arrayGapEditor({
          message: (literal, _identity, _marker, { colon, comma }) =>
            `{"role"${colon}"user"${comma}"content"${colon}${literal}}`,
        }),
      },
      context,
      document,
    ),
};

function detect(head: Head): number {
  if (head.framing !== 'json' || arrayAt(head.document, 'messages') === undefined) return 0;
  const format = stringAt(head.document, 'trajectory_format');
  return format?.startsWith('mini-swe-agent') === true ? 95 : 0;
}

class MiniReader {
  readonly #chat = new ChatReader();
  #steps = 0;
  /** Commands of the last reply that its text holds and nobody has answered. */
  #open: string[] = [];

  readonly read = (value: unknown, record: number, drafts: Drafts): ReadMessage | undefined => {
    // The last message only says how the run ended; no model sees it.
    if (!isObject(value) || value['role'] === 'exit') return undefined;
    if (value['type'] === 'function_call_output') return output(value, record, drafts);
    if (value['object'] === 'response') return response(value, record, drafts);
    const callId = value['role'] === 'user' && !isNotice(value) ? this.#open.shift() : undefined;
    if (callId !== undefined) return observation(value, record, drafts, callId);
    const read = this.#chat.read(value, record, drafts);
    return read === undefined ? undefined : this.#completed(value, record, drafts, read);
  };

  #completed(value: Json, record: number, drafts: Drafts, read: ReadMessage): ReadMessage {
    const { draft } = read;
    if (value['role'] === 'tool')
      return { ...read, draft: { ...draft, blocks: draft.blocks.map(withStatus(value)) } };
    if (value['role'] === 'user') return { draft: { ...draft, real: isPerson(value) } };
    if (value['role'] !== 'assistant') return read;
    this.#open = [];
    if (draft.blocks.some(({ kind }) => kind === 'toolCall')) return read;
    return {
      draft: { ...draft, blocks: [...draft.blocks, ...this.#commands(value, record, drafts)] },
    };
  }

  /** The commands in a reply's text: calls without tokens of their own. */
  #commands(value: Json, record: number, drafts: Drafts): BlockDraft[] {
    const listed = arrayAt(value, 'extra', 'actions');
    const count = listed?.length ?? (/^```/m.test(stringAt(value, 'content') ?? '') ? 1 : 0);
    return Array.from({ length: count }, (_, index) => {
      const callId = `step ${this.#steps}`;
      this.#steps += 1;
      this.#open.push(callId);
      const pointer = listed === undefined ? {} : { pointer: `/extra/actions/${index}` };
      return drafts.sealed('toolCall', record, 0, { tool: 'bash', callId, ...pointer });
    });
  }
}

/** A user message that answers nothing: a wrong form, a limit, a person who breaks in. */
function isNotice(value: Json): boolean {
  return stringAt(value, 'extra', 'interrupt_type') !== undefined;
}

function isPerson(value: Json): boolean {
  return [undefined, 'UserInterruption'].includes(stringAt(value, 'extra', 'interrupt_type'));
}

function observation(value: Json, record: number, drafts: Drafts, callId: string): ReadMessage {
  const status = statusOf(value);
  const block = drafts.result(value['content'], {
    record,
    pointer: '/content',
    callId,
    ...(status === undefined ? {} : { isError: status }),
  });
  return { draft: { role: 'user', blocks: [block], records: [record] } };
}

/** A result of the Responses API; those of one reply stay messages of their own. */
function output(value: Json, record: number, drafts: Drafts): ReadMessage {
  const status = statusOf(value);
  const block = drafts.result(value['output'], {
    record,
    pointer: '/output',
    callId: stringAt(value, 'call_id') ?? '',
    ...(status === undefined ? {} : { isError: status }),
  });
  return { draft: { role: 'user', blocks: [block], records: [record] } };
}

/** A whole answer of the Responses API. */
function response(value: Json, record: number, drafts: Drafts): ReadMessage {
  const blocks = (arrayAt(value, 'output') ?? []).map((item, index) => {
    if (stringAt(item, 'type') !== 'function_call')
      return drafts.sealed('opaque', record, drafts.meter.json(item));
    const tool = stringAt(item, 'name') ?? '';
    const tokens = drafts.meter.text(tool) + drafts.meter.text(stringAt(item, 'arguments') ?? '');
    return drafts.sealed('toolCall', record, tokens, {
      tool,
      callId: stringAt(item, 'call_id') ?? '',
      pointer: `/output/${index}/arguments`,
    });
  });
  return { draft: { role: 'assistant', blocks, records: [record] } satisfies MessageDraft };
}

function withStatus(value: Json): (block: BlockDraft) => BlockDraft {
  const status = statusOf(value);
  return (block) => (status === undefined ? block : { ...block, isError: status });
}

/** The exit code that the client recorded, or wrote in front of an output. */
function statusOf(value: Json): boolean | undefined {
  if (objectAt(value, 'extra')?.['exception_info'] !== undefined) return true;
  const recorded = valueAt(value, 'extra', 'returncode');
  if (typeof recorded === 'number') return recorded !== 0;
  const written = /^<returncode>(-?\d+)<\/returncode>/.exec(stringAt(value, 'content') ?? '');
  return written === null ? undefined : written[1] !== '0';
}
