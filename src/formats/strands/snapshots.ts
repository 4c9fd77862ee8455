import { ArrayIndexer } from '../array/indexer.ts';
import type { Drafts } from '../builder.ts';
import type { DocumentFormat, Head } from '../format.ts';
import { arrayAt, isObject, objectAt, stringAt, valueAt } from '../value.ts';
import { CONVERSE_ITEMS, converseMessage, isConverseBlock } from './blocks.ts';
import { converseGaps } from './gap.ts';

/** Strands TypeScript snapshot: the home format. Placeholders carry `metadata.offloaded`, as the SDK writes it. */
export const strandsTs: DocumentFormat = converseDocument({
  name: 'strands-ts',
  title: 'Strands TypeScript snapshot',
  identity: 'block-metadata',
  verified: '@strands-agents/sdk 1.19.0',
  messagesAt: (document) =>
    arrayAt(document, 'data', 'messages') === undefined ? undefined : '/data/messages',
  detect: (head) => snapshotScore(head, 'schemaVersion'),
  system: (document) => valueAt(document, 'data', 'systemPrompt'),
});

/** Strands Python snapshot: the same layout with other field names. */
export const strandsPy: DocumentFormat = converseDocument({
  name: 'strands-py',
  title: 'Strands Python snapshot',
  identity: 'stash',
  verified: 'source of the Python SDK',
  messagesAt: (document) =>
    arrayAt(document, 'data', 'messages') === undefined ? undefined : '/data/messages',
  detect: (head) => snapshotScore(head, 'schema_version'),
  system: (document) => valueAt(document, 'data', 'system_prompt'),
});

/** A bare list of Bedrock Converse messages, or a Converse request body. */
export const converse: DocumentFormat = converseDocument({
  name: 'converse',
  title: 'Bedrock Converse messages',
  identity: 'stash',
  verified: 'public documentation',
  messagesAt: (document) => {
    if (Array.isArray(document)) return '';
    return arrayAt(document, 'messages') === undefined ? undefined : '/messages';
  },
  detect: (head) => {
    if (head.framing !== 'json') return 0;
    const root = head.document;
    const messages = (Array.isArray(root) ? root : (arrayAt(root, 'messages') ?? [])).filter(
      isObject,
    );
    if (messages.length === 0) return 0;
    const blocks = messages.flatMap((message) => arrayAt(message, 'content') ?? [null]);
    const roles = messages.every(({ role }) => role === 'user' || role === 'assistant');
    return roles && blocks.length > 0 && blocks.every(isConverseBlock) ? 90 : 0;
  },
  system: (document) => valueAt(document, 'system'),
});

interface ConverseDocument {
  readonly name: string;
  readonly title: string;
  readonly identity: DocumentFormat['identity'];
  readonly verified: string;
  readonly messagesAt: DocumentFormat['messagesAt'];
  readonly detect: DocumentFormat['detect'];
  readonly system: (document: unknown) => unknown;
}

function converseDocument(facts: ConverseDocument): DocumentFormat {
  const { system, ...rest } = facts;
  return {
    ...rest,
    layout: 'json',
    removal: true,
    strictAlternation: true,
    vendor: 'other',
    dialect: CONVERSE_ITEMS,
    indexer: (context, document) =>
      new ArrayIndexer(
        {
          dialect: CONVERSE_ITEMS,
          read: (value, record, drafts) => {
            const draft = converseMessage(value, record, '', drafts);
            return draft === undefined ? undefined : { draft };
          },
          overhead: (root, drafts) => promptTokens(system(root), drafts),
          model: modelOf,
          gaps: converseGaps(facts.identity === 'block-metadata'),
          ownRefs: stashKeys,
        },
        context,
        document,
      ),
  };
}

/** Keys of the stash that the SDK embeds in a snapshot (`data.stash`, location inline). */
function stashKeys(document: unknown): ReadonlySet<string> {
  return new Set(Object.keys(objectAt(document, 'data', 'stash', 'entries') ?? {}));
}

function modelOf(document: unknown): string | undefined {
  return stringAt(document, 'modelId') ?? stringAt(document, 'data', 'modelState', 'modelId');
}

function promptTokens(system: unknown, { meter }: Drafts): number {
  const parts = Array.isArray(system) ? system : [system];
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : (stringAt(part, 'text') ?? ''),
  );
  return texts.reduce((sum, text) => sum + meter.text(text), 0);
}

function snapshotScore(head: Head, version: string): number {
  if (head.framing !== 'json' || arrayAt(head.document, 'data', 'messages') === undefined) return 0;
  return stringAt(head.document, 'scope') !== undefined &&
    valueAt(head.document, version) !== undefined
    ? 95
    : 0;
}
