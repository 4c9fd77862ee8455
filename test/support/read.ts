/** Reads transcripts back without the code under test. */

type Json = Record<string, unknown>;

export interface Seen {
  readonly role: string;
  readonly blocks: readonly SeenBlock[];
}

interface SeenBlock {
  readonly kind: 'text' | 'call' | 'result' | 'other';
  /** Text of the block; the texts of a result joined by a newline. */
  readonly text: string;
  /** Call id of a call or a result. */
  readonly id?: string;
  readonly raw: Json;
}

/** Messages as they lie in the file, in order. Lines of a Claude reply are separate. */
export function read(bytes: Uint8Array): Seen[] {
  const text = Buffer.from(bytes).toString('utf8');
  if (text.startsWith('{"timestamp"') || text.startsWith('{"parentUuid"'))
    return lines(text).flatMap(lineMessage);
  const root = JSON.parse(text) as Json | Json[];
  const list = Array.isArray(root)
    ? root
    : ((root['messages'] ?? (root['data'] as Json)['messages']) as Json[]);
  return list.map(message);
}

/** The records of a JSONL transcript. */
export function lines(text: string | Uint8Array): Json[] {
  return Buffer.from(text)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
}

/** All texts of a transcript, in order. */
export function texts(bytes: Uint8Array): string[] {
  return read(bytes).flatMap(({ blocks }) => blocks.map((block) => block.text));
}

/** Text of the result of a call. */
export function resultText(bytes: Uint8Array, id: string): string {
  const found = read(bytes)
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.kind === 'result' && block.id === id);
  if (found === undefined) throw new Error(`no result of ${id}`);
  return found.text;
}

/** Call ids without a result and result ids without a call. */
export function orphans(bytes: Uint8Array): string[] {
  const blocks = read(bytes).flatMap((seen) => seen.blocks);
  const ids = (kind: string) =>
    new Set(blocks.filter((block) => block.kind === kind).map(({ id }) => id ?? ''));
  const calls = ids('call');
  const results = ids('result');
  return [
    ...[...calls].filter((id) => !results.has(id)),
    ...[...results].filter((id) => !calls.has(id)),
  ];
}

/** Refs that the texts of a transcript name, in order. */
export function refs(bytes: Uint8Array): string[] {
  return texts(bytes).flatMap((text) =>
    [...text.matchAll(/\[ref: ([0-9a-f]+)\]/g)].map((match) => match[1] as string),
  );
}

function lineMessage(line: Json): Seen[] {
  const payload = line['payload'] as Json | undefined;
  if (payload === undefined) return [message(line['message'] as Json)];
  if (line['type'] !== 'response_item') return [];
  const { type, call_id: id } = payload;
  if (type === 'function_call')
    return [
      { role: 'assistant', blocks: [{ kind: 'call', text: '', id: id as string, raw: payload }] },
    ];
  if (type === 'function_call_output') {
    const text = payload['output'] as string;
    return [{ role: 'user', blocks: [{ kind: 'result', text, id: id as string, raw: payload }] }];
  }
  return [message(payload)];
}

function message(value: Json): Seen {
  const { role, content, tool_calls: calls, tool_call_id: answered } = value;
  const own = answered === undefined ? blocksOf(content) : [answer(value, content)];
  const called = ((calls ?? []) as Json[]).map(
    (raw): SeenBlock => ({ kind: 'call', text: '', id: raw['id'] as string, raw }),
  );
  return { role: role as string, blocks: [...own, ...called] };
}

function answer(raw: Json, content: unknown): SeenBlock {
  return { kind: 'result', text: plain(content), id: raw['tool_call_id'] as string, raw };
}

function blocksOf(content: unknown): SeenBlock[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content, raw: {} }];
  return ((content ?? []) as Json[]).map(block);
}

function block(raw: Json): SeenBlock {
  if (typeof raw['text'] === 'string') return { kind: 'text', text: raw['text'], raw };
  const use = (raw['type'] === 'tool_use' ? raw : raw['toolUse']) as Json | undefined;
  if (use !== undefined)
    return { kind: 'call', text: '', id: (use['id'] ?? use['toolUseId']) as string, raw };
  const got = (raw['type'] === 'tool_result' ? raw : raw['toolResult']) as Json | undefined;
  if (got === undefined) return { kind: 'other', text: '', raw };
  const id = (got['tool_use_id'] ?? got['toolUseId']) as string;
  return { kind: 'result', text: plain(got['content']), id, raw };
}

function plain(content: unknown): string {
  if (typeof content === 'string') return content;
  return ((content ?? []) as Json[])
    .flatMap((item) => (typeof item['text'] === 'string' ? [item['text']] : []))
    .join('\n');
}
