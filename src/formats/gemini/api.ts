import { arrayGapEditor } from '../array/gap.ts';
import { ArrayIndexer, type ReadMessage } from '../array/indexer.ts';
import type { Drafts, MessageDraft } from '../builder.ts';
import type { DocumentFormat, Head } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { GEMINI_PARTS, memberOf } from './dialect.ts';
import { CallIds, documentedError, readPart } from './parts.ts';

const ROLES: readonly unknown[] = ['user', 'model', 'function', 'system', undefined, null];
/** Where requests, logs of requests and checkpoints of clients keep the contents. */
const PLACES = ['/contents', '/request/contents', '/body/contents', '/history'];
/** What a part holds, one of them each. */
const KINDS = [
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
];

/** Gemini API contents: a bare list, or a request body around it. */
export const geminiApi: DocumentFormat = {
  name: 'gemini-api',
  title: 'Gemini API contents',
  layout: 'json',
  removal: true,
  // The API takes any order of roles; the older SDKs refuse two user contents in a row.
  strictAlternation: true,
  identity: 'stash',
  vendor: 'google',
  verified: 'public documentation',
  dialect: GEMINI_PARTS,
  detect,
  messagesAt: placeOf,
  indexer: (context, document) =>
    new ArrayIndexer(
      {
        dialect: GEMINI_PARTS,
        read: new Reader().read,
        overhead,
        model: (root) =>
          stringAt(root, 'model') ??
          stringAt(root, 'request', 'model') ??
          stringAt(root, 'body', 'model'),
        gaps: arrayGapEditor({
          block: (literal, _identity, _marker, { colon }) => `{"text"${colon}${literal}}`,
          message: (literal, _identity, _marker, { colon, comma }) =>
            `{"role"${colon}"user"${comma}"parts"${colon}[{"text"${colon}${literal}}]}`,
          leads: (element) =>
            /^\s*\{\s*"function_?[rR]esponse"/.test(
              Buffer.from(element.subarray(0, 60)).toString('latin1'),
            ),
        }),
      },
      context,
      document,
    ),
};

/** Pointer of the contents in a document, or undefined. */
function placeOf(document: unknown): string | undefined {
  if (Array.isArray(document)) return '';
  return PLACES.find((place) => listAt(document, place) !== undefined);
}

function listAt(document: unknown, place: string): readonly unknown[] | undefined {
  if (place === '') return Array.isArray(document) ? document : undefined;
  return arrayAt(document, ...place.slice(1).split('/'));
}

function detect(head: Head): number {
  const place = head.framing === 'json' ? placeOf(head.document) : undefined;
  const contents = place === undefined ? [] : (listAt(head.document, place) ?? []);
  if (contents.length === 0 || !contents.every(isContent)) return 0;
  return contents.some((content) => arrayAt(content, 'parts')?.some(isPart) === true) ? 90 : 0;
}

/** A content has parts and a role; another tool's message has more: an id, a type, parts with a type. */
function isContent(content: unknown): content is Json {
  if (!isObject(content) || !ROLES.includes(content['role'])) return false;
  if (content['id'] !== undefined || content['type'] !== undefined) return false;
  const { parts } = content;
  return Array.isArray(parts) && parts.every((part) => stringAt(part, 'type') === undefined);
}

function isPart(part: unknown): boolean {
  return (
    stringAt(part, 'text') !== undefined || KINDS.some((kind) => memberOf(part, kind) !== undefined)
  );
}

function overhead(document: unknown, { meter }: Drafts): number {
  const root = valueAt(document, 'request') ?? valueAt(document, 'body') ?? document;
  const settings = [root, valueAt(root, 'config')];
  const held = (names: readonly string[]) =>
    settings.flatMap((at) => names.map((name) => valueAt(at, name))).find((value) => value);
  const system = held(['systemInstruction', 'system_instruction']);
  const tools = held(['tools']);
  const parts = arrayAt(system, 'parts') ?? (Array.isArray(system) ? system : [system]);
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : (stringAt(part, 'text') ?? ''),
  );
  const prompt = texts.reduce((sum, text) => sum + meter.text(text), 0);
  return prompt + (tools === undefined ? 0 : meter.json(tools));
}

/** Reads contents in order: a response without an id answers the calls before it. */
class Reader {
  readonly #ids = new CallIds();
  #lastResult = -2;

  readonly read = (value: unknown, record: number, drafts: Drafts): ReadMessage | undefined => {
    if (!isObject(value)) return undefined;
    const role =
      value['role'] === 'model' ? 'assistant' : value['role'] === 'system' ? 'system' : 'user';
    const place = { record, typed: undefined, drafts, ids: this.#ids, errorOf: documentedError };
    const parts = arrayAt(value, 'parts') ?? [];
    const blocks = parts.flatMap((part, index) =>
      readPart(part, { ...place, pointer: `/parts/${index}` }).map(({ block }) => block),
    );
    const answers = blocks.some(({ kind }) => kind === 'toolResult');
    const join = answers && this.#lastResult === record - 1;
    if (answers) this.#lastResult = record;
    const draft: MessageDraft = {
      role,
      blocks,
      records: [record],
      real: role === 'user' && !answers,
      ...(role === 'system' ? { fixed: 'system-message' } : {}),
    };
    return { draft, join };
  };
}
