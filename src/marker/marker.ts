import type { MediaKind, OffloadMethod } from '../model/conversation.ts';

/**
 * All wording that ctx leaves in a transcript, and its parser. The first line says what was taken, how large it
 * was and the ref that brings it back; a preview or a summary follows after a blank line.
 */

/** What a marker adds on how to fetch the original. */
export type MarkerHint = 'none' | 'cli';

export interface MarkerSpec {
  readonly form: MarkerForm;
  /** Tokens of the original; 0 when unknown. */
  readonly tokens: number;
  readonly ref: string;
  readonly hint?: MarkerHint;
}

export type MarkerForm =
  | { readonly type: 'dropped-block'; readonly media: readonly MediaKind[] }
  | { readonly type: 'dropped-messages'; readonly messages: number }
  | { readonly type: 'elided-messages'; readonly messages: number }
  | { readonly type: 'truncated'; readonly blocks: number }
  | { readonly type: 'offloaded-media'; readonly media: readonly MediaKind[] }
  | {
      readonly type: 'summarized-block';
      readonly what: 'tool result' | 'text block' | 'media block';
    }
  | { readonly type: 'summarized-messages'; readonly messages: number }
  | {
      readonly type: 'masked';
      readonly tool: string;
      readonly lines: number;
      readonly failed: boolean;
    }
  | { readonly type: 'indexed-messages'; readonly messages: number }
  | { readonly type: 'capsule'; readonly messages: number }
  /** `of` says where the same text stands: `the result of CALL`, `message 12`. */
  | { readonly type: 'duplicate'; readonly of: string }
  | { readonly type: 'superseded'; readonly path: string; readonly by: 'written' | 'read again' }
  | { readonly type: 'copy'; readonly bytes: number }
  | { readonly type: 'folded'; readonly lines: number };

export interface ParsedMarker {
  readonly method: OffloadMethod;
  readonly ref: string;
  readonly tokens: number;
  /** Messages that a gap marker stands for. */
  readonly messages?: number;
  /** The first line, without hint. */
  readonly line: string;
}

const VIEWED = 'removed from context after it was viewed';

/** The first line of a marker, ref included. */
export function markerLine(spec: MarkerSpec): string {
  const hint = spec.hint === 'cli' ? ` (original: ctx retrieve ${spec.ref})` : '';
  return `${label(spec)} [ref: ${spec.ref}]${hint}`;
}

/** The marker without its ref, as typed identities carry it (`preview`). */
export function withoutRef(text: string): string {
  return text.replace(/ \[ref: [^\]\s]+\](?: \(original: ctx retrieve [^\s)]+\))?/, '');
}

/** The line that stands for what a preview leaves out. Lines are 1-based and inclusive. */
export function elisionLine(chars: number, fromLine: number, toLine: number): string {
  const lines = fromLine === toLine ? `line ${fromLine}` : `lines ${fromLine}-${toLine}`;
  return `[... ${commas(chars)} chars elided (${lines}) ...]`;
}

/** Reads a marker with a ref off a text, or undefined when the text has not the full grammar. */
export function parseMarker(text: string): ParsedMarker | undefined {
  if (!text.startsWith('[')) return undefined;
  const lineEnd = text.indexOf('\n');
  const first = lineEnd < 0 ? text : text.slice(0, lineEnd);
  if (first.length > 400) return undefined;
  const match = LINE.exec(first);
  if (match?.groups === undefined) return undefined;
  const { label: title = '', ref = '' } = match.groups;
  const found = GRAMMARS.map((grammar) => readHead(grammar, title)).find(
    (read) => read !== undefined,
  );
  if (found === undefined) return undefined;
  const rest = lineEnd < 0 ? '' : text.slice(lineEnd, lineEnd + 2);
  if (rest !== (found.body ? '\n\n' : '')) return undefined;
  const line = `${title} [ref: ${ref}]`;
  const messages = found.messages === undefined ? {} : { messages: found.messages };
  return { method: found.method, ref, tokens: found.tokens, line, ...messages };
}

/** A whole number with en-US thousands separators, whatever the host's locale. */
export function commas(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** "1 message", "3 messages". */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${commas(count)} ${count === 1 ? noun : many}`;
}

interface Grammar {
  readonly method: OffloadMethod;
  /** A blank line and a body follow the first line. */
  readonly body: boolean;
  readonly head: RegExp;
}

interface HeadRead {
  readonly method: OffloadMethod;
  readonly body: boolean;
  readonly tokens: number;
  readonly messages?: number;
}

const LINE =
  /^(?<label>\[[^\]]{1,200}\]) \[ref: (?<ref>[^\]\s]{1,200})\](?: \(original: ctx retrieve [^\s)]+\))?$/;
const NUMBER = '[0-9,]+';
const TOKENS = `(?:, )?~(?<tokens>${NUMBER}) tokens?`;
const MEDIA = '(?:(?:image|document|video|audio)(?:, (?:image|document|video|audio))*)';
const MESSAGES = `(?<messages>${NUMBER}) messages?`;

const GRAMMARS: readonly Grammar[] = [
  { method: 'drop', body: false, head: head(`Dropped(?:: (?:${TOKENS})?)?`) },
  { method: 'drop', body: false, head: head(`Dropped: ${MEDIA}(?:${TOKENS})?, ${VIEWED}`) },
  { method: 'drop', body: false, head: head(`Dropped: ${MESSAGES}(?:${TOKENS})?`) },
  { method: 'truncate', body: false, head: head(String.raw`\.\.\. ${MESSAGES} elided \.\.\.`) },
  { method: 'truncate', body: true, head: head(`Truncated: ${NUMBER} blocks?(?:${TOKENS})?`) },
  { method: 'truncate', body: false, head: head(`Offloaded: ${MEDIA}(?:${TOKENS})?, ${VIEWED}`) },
  {
    method: 'summarize',
    body: true,
    head: head(`Summarized: (?:tool result|text block|media block)(?:${TOKENS})?`),
  },
  { method: 'summarize', body: true, head: head(`Summarized: ${MESSAGES}(?:${TOKENS})?`) },
  {
    method: 'mask',
    body: false,
    head: head(
      String.raw`Masked: [^\[\]]{1,128} result, ${NUMBER} lines?(?:${TOKENS})?, (?:ok|error)`,
    ),
  },
  { method: 'drop', body: true, head: head(`Offloaded: ${MESSAGES}(?:${TOKENS})?`) },
  {
    method: 'dedupe',
    body: false,
    head: head(String.raw`Duplicate: (?:${TOKENS}, )?same as [^\[\]]{1,100}`),
  },
  {
    method: 'drop',
    body: false,
    head: head(String.raw`Superseded: [^\[\]]{1,140}(?:${TOKENS})?, (?:written|read again) later`),
  },
  { method: 'drop', body: false, head: head(`Offloaded: copy, ${NUMBER} bytes?`) },
  { method: 'truncate', body: true, head: head(`Folded: ${NUMBER} lines?`) },
  { method: 'capsule', body: true, head: head(`Capsule: ${NUMBER} messages?(?:${TOKENS})?`) },
];

function head(pattern: string): RegExp {
  return new RegExp(String.raw`^\[${pattern}\]$`);
}

function readHead(grammar: Grammar, text: string): HeadRead | undefined {
  const match = grammar.head.exec(text);
  if (match === null) return undefined;
  const { tokens, messages } = match.groups ?? {};
  return {
    method: grammar.method,
    body: grammar.body,
    tokens: tokens === undefined ? 0 : number(tokens),
    ...(messages === undefined ? {} : { messages: number(messages) }),
  };
}

function number(text: string): number {
  return Number(text.replaceAll(',', ''));
}

function label({ form, tokens }: MarkerSpec): string {
  const size = tokens > 0 ? `~${plural(tokens, 'token')}` : '';
  switch (form.type) {
    case 'dropped-block':
      if (form.media.length > 0) return `[Dropped: ${list([...form.media, size, VIEWED])}]`;
      return size === '' ? '[Dropped]' : `[Dropped: ${size}]`;
    case 'dropped-messages':
      return `[Dropped: ${list([plural(form.messages, 'message'), size])}]`;
    case 'elided-messages':
      return `[... ${plural(form.messages, 'message')} elided ...]`;
    case 'truncated':
      return `[Truncated: ${list([plural(form.blocks, 'block'), size])}]`;
    case 'offloaded-media':
      return `[Offloaded: ${list([...form.media, size, VIEWED])}]`;
    case 'summarized-block':
      return `[Summarized: ${list([form.what, size])}]`;
    case 'summarized-messages':
      return `[Summarized: ${list([plural(form.messages, 'message'), size])}]`;
    case 'masked':
      return `[Masked: ${list([`${toolLabel(form.tool)} result`, plural(form.lines, 'line'), size, form.failed ? 'error' : 'ok'])}]`;
    case 'indexed-messages':
      return `[Offloaded: ${list([plural(form.messages, 'message'), size])}]`;
    case 'duplicate':
      return `[Duplicate: ${list([size, `same as ${plainLabel(form.of, 90)}`])}]`;
    case 'superseded':
      return `[Superseded: ${list([plainLabel(form.path, 120), size, `${form.by} later`])}]`;
    case 'copy':
      return `[Offloaded: copy, ${plural(form.bytes, 'byte')}]`;
    case 'folded':
      return `[Folded: ${plural(form.lines, 'line')}]`;
    case 'capsule':
      return `[Capsule: ${list([plural(form.messages, 'message'), size])}]`;
    default:
      return form satisfies never;
  }
}

/** A tool's name as it can stand in a marker: short, on one line, without brackets. */
function toolLabel(name: string): string {
  return plainLabel(name, 64);
}

function plainLabel(name: string, most: number): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}[\]]/gu, '').trim();
  const points = Array.from(plain);
  return (points.length <= most ? plain : `…${points.slice(1 - most).join('')}`) || 'unknown';
}

function list(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
