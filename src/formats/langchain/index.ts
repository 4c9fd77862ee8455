import { type JsonStyle, jsonLiteral } from '../../json/literal.ts';
import type { Identity } from '../../model/splice.ts';
import { arrayGapEditor } from '../array/gap.ts';
import { ArrayIndexer, type ReadMessage } from '../array/indexer.ts';
import type { BlockDraft, Drafts } from '../builder.ts';
import type { DocumentFormat, Head } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { callBlocks, contentBlocks, resultBlock } from './blocks.ts';
import { LANGCHAIN_ITEMS } from './items.ts';
import { type Shape, shapeOf } from './shapes.ts';

/** Where messages are: a bare list, a prompt value, the state of a graph, a checkpoint. */
const PLACES = [
  '/messages',
  '/values/messages',
  '/kwargs/messages',
  '/state/messages',
  '/channel_values/messages',
  '/checkpoint/channel_values/messages',
];

/** LangChain messages as `dumpd`, `messages_to_dict` or `model_dump` write them, and the state of a LangGraph thread. */
export const langchain: DocumentFormat = {
  name: 'langchain',
  title: 'LangChain or LangGraph messages',
  layout: 'json',
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'other',
  verified: 'langchain-core 1.6.5, @langchain/core 1.4.0',
  dialect: LANGCHAIN_ITEMS,
  detect,
  messagesAt: placeOf,
  indexer: (context, document) => {
    const reader = new Reader();
    return new ArrayIndexer(
      {
        dialect: LANGCHAIN_ITEMS,
        read: reader.read,
        overhead: () => 0,
        model: () => reader.model,
        usage: () => reader.usage,
        gaps: arrayGapEditor({ message: reader.marker }),
      },
      context,
      document,
    );
  },
};

function placeOf(document: unknown): string | undefined {
  if (Array.isArray(document)) return '';
  return PLACES.find((place) => Array.isArray(listAt(document, place)));
}

function listAt(document: unknown, place: string): unknown {
  return place === '' ? document : valueAt(document, ...place.slice(1).split('/'));
}

function detect(head: Head): number {
  const place = head.framing === 'json' ? placeOf(head.document) : undefined;
  if (place === undefined) return 0;
  const messages = (listAt(head.document, place) as readonly unknown[]).filter(isObject);
  const shapes = messages.map(shapeOf);
  if (shapes.length === 0 || shapes.includes(undefined)) return 0;
  const spellings = new Set(shapes.map((shape) => shape?.spelling));
  if (spellings.has('constructor') || spellings.has('data')) return 95;
  if (spellings.has('type'))
    return shapes.some((shape) => shape?.type === 'human' || shape?.type === 'ai') ? 93 : 0;
  return messages.some(hasOwnCalls) ? 93 : 0;
}

/** Calls with `args`, which no API has. */
function hasOwnCalls(message: Json): boolean {
  return (arrayAt(message, 'tool_calls') ?? []).some(
    (call) => valueAt(call, 'args') !== undefined && valueAt(call, 'function') === undefined,
  );
}

/** Reads messages in order; the function calls of old models have no ids and are paired by position. */
class Reader {
  model: string | undefined;
  usage: number | undefined;
  #functions = 0;
  #lastResult = -2;
  /** What a message of this file looks like, for the marker. */
  #example: { readonly shape: Shape; readonly value: Json } | undefined;

  readonly read = (value: unknown, record: number, drafts: Drafts): ReadMessage | undefined => {
    const shape = shapeOf(value);
    if (shape === undefined || shape.type === 'remove') return undefined;
    if (this.#example === undefined || shape.type === 'human')
      this.#example = { shape, value: value as Json };
    if (shape.type === 'tool' || shape.type === 'function') {
      const block = resultBlock(shape, record, `function ${this.#functions}`, drafts);
      const joined = this.#lastResult === record - 1;
      this.#lastResult = record;
      return { draft: { role: 'user', blocks: [block], records: [record] }, join: joined };
    }
    const blocks = contentBlocks(shape, record, drafts);
    if (shape.type === 'ai') {
      const all = [...blocks, ...this.#replyBlocks(shape, record, drafts)];
      return { draft: { role: 'assistant', blocks: all, records: [record] } };
    }
    return {
      draft:
        shape.type === 'human'
          ? { role: 'user', blocks, records: [record], real: true }
          : { role: 'system', blocks, records: [record], fixed: 'system-message' },
    };
  };

  #replyBlocks(shape: Shape, record: number, drafts: Drafts): BlockDraft[] {
    const { body } = shape;
    const about = body['response_metadata'];
    this.model = stringAt(about, 'model_name') ?? stringAt(about, 'model') ?? this.model;
    const used = valueAt(body, 'usage_metadata', 'input_tokens');
    if (typeof used === 'number') this.usage = used;
    if (valueAt(body, 'additional_kwargs', 'function_call') !== undefined) this.#functions += 1;
    const reasoning = stringAt(body, 'additional_kwargs', 'reasoning_content') ?? '';
    return [
      ...(reasoning === ''
        ? []
        : [drafts.sealed('thinking', record, drafts.meter.text(reasoning))]),
      ...callBlocks(shape, record, `function ${this.#functions}`, drafts),
    ];
  }

  /** A human message in the spelling of the file. */
  readonly marker = (
    literal: string,
    _identity: Identity,
    _marker: string,
    { colon, comma }: JsonStyle,
  ): string => {
    const content = `"content"${colon}${literal}`;
    const human = `"type"${colon}"human"`;
    const id = jsonLiteral(humanId(this.#example?.value ?? {}), { colon, comma, ascii: true });
    const spellings: Readonly<Record<Shape['spelling'], string>> = {
      constructor: `{"lc"${colon}1${comma}"type"${colon}"constructor"${comma}"id"${colon}${id}${comma}"kwargs"${colon}{${content}${comma}${human}}}`,
      data: `{${human}${comma}"data"${colon}{${content}${comma}${human}}}`,
      type: `{${content}${comma}${human}}`,
      role: `{"role"${colon}"user"${comma}${content}}`,
    };
    return spellings[this.#example?.shape.spelling ?? 'type'];
  };
}

/** Where the class is, as the file names it: Python and JavaScript differ in the first parts. */
function humanId(value: Json): string[] {
  const id = (arrayAt(value, 'id') ?? []).filter((part) => typeof part === 'string');
  return [...id.slice(0, -1), 'HumanMessage'];
}
