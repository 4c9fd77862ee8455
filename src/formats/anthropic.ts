import { anthropicBlock } from './anthropic-blocks.ts';
import { arrayGapEditor } from './array/gap.ts';
import { ArrayIndexer, type ReadMessage } from './array/indexer.ts';
import type { BlockDraft, Drafts, MessageDraft } from './builder.ts';
import { ANTHROPIC_ITEMS } from './dialects.ts';
import type { DocumentFormat, Head } from './format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from './value.ts';

const BLOCKS = [
  'text',
  'image',
  'document',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'compaction',
];
const SIGNS = [
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'image',
  'document',
];

/** Anthropic Messages API: an array of messages, or a request body with system, messages and tools. */
export const anthropic: DocumentFormat = {
  name: 'anthropic',
  title: 'Anthropic Messages',
  layout: 'json',
  removal: true,
  editableInputs: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'anthropic',
  verified: 'public documentation',
  dialect: ANTHROPIC_ITEMS,
  detect,
  messagesAt: (document) => {
    if (Array.isArray(document)) return '';
    if (arrayAt(document, 'messages') !== undefined) return '/messages';
    return arrayAt(document, 'body', 'messages') === undefined ? undefined : '/body/messages';
  },
  indexer: (context, document) =>
    new ArrayIndexer(
      {
        dialect: ANTHROPIC_ITEMS,
        read: readMessage,
        overhead,
        model: (root) => stringAt(root, 'model') ?? stringAt(root, 'body', 'model'),
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
  if (head.framing !== 'json') return 0;
  const root = head.document;
  const list = Array.isArray(root)
    ? root
    : (arrayAt(root, 'messages') ?? arrayAt(root, 'body', 'messages'));
  const messages = (list ?? []).filter(isObject);
  if (messages.length === 0 || messages.some(({ role }) => role !== 'user' && role !== 'assistant'))
    return 0;
  // A stored time or model on each message is another tool's wrapping of the same blocks.
  if (messages.some((message) => message['ts'] !== undefined || message['parts'] !== undefined))
    return 0;
  const types = messages.flatMap((message) =>
    (arrayAt(message, 'content') ?? []).map((block) => stringAt(block, 'type') ?? ''),
  );
  if (types.some((type) => type === 'image_url' || type.includes('-') || type === '')) return 0;
  if (types.some((type) => SIGNS.includes(type))) return 90;
  if (valueAt(root, 'system') !== undefined) return 75;
  return types.length > 0 && types.every((type) => BLOCKS.includes(type)) ? 50 : 0;
}

function overhead(document: unknown, { meter }: Drafts): number {
  const root = valueAt(document, 'body') ?? document;
  const system = valueAt(root, 'system');
  const parts = Array.isArray(system) ? system : [system];
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : (stringAt(part, 'text') ?? ''),
  );
  const tools = valueAt(root, 'tools');
  return texts.reduce(
    (sum, text) => sum + meter.text(text),
    tools === undefined ? 0 : meter.json(tools),
  );
}

function readMessage(value: unknown, record: number, drafts: Drafts): ReadMessage | undefined {
  if (!isObject(value)) return undefined;
  const role = value['role'] === 'assistant' ? 'assistant' : 'user';
  const blocks = contentBlocks(value, record, drafts);
  const answers = blocks.some((block) => block.kind === 'toolResult');
  const draft: MessageDraft = {
    role,
    blocks,
    records: [record],
    real: role === 'user' && !answers,
  };
  return { draft };
}

function contentBlocks(value: Json, record: number, drafts: Drafts): BlockDraft[] {
  const content = value['content'];
  if (typeof content === 'string') return [drafts.text(content, { record, pointer: '/content' })];
  if (!Array.isArray(content)) return [];
  return content.map((block, index) => anthropicBlock(block, record, `/content/${index}`, drafts));
}
