import type { BlockDraft, MessageDraft } from '../builder.ts';
import { isObject, stringAt, valueAt } from '../value.ts';
import type { ReadPart } from './parts.ts';

/** What a message's `info` says. */
export interface MessageInfo {
  readonly id: string;
  readonly role: string;
  readonly sessionID: string;
  readonly created: number;
  readonly agent: string;
  readonly providerID: string;
  readonly modelID: string;
  readonly parentID: string;
  readonly system: string;
  /** An assistant message that is the finished summary of a compaction. */
  readonly summary: boolean;
  /** An assistant message that failed: sent only when it was aborted with something in it. */
  readonly failed: boolean;
  readonly aborted: boolean;
  readonly usage?: number;
}

/** A message with its parts, and the records that hold it. */
export interface StoredMessage {
  readonly info: MessageInfo;
  readonly parts: readonly ReadPart[];
  readonly records: readonly number[];
}

export function readInfo(info: unknown): MessageInfo {
  const text = (...path: string[]) => stringAt(info, ...path) ?? '';
  const created = valueAt(info, 'time', 'created');
  const failed = isObject(valueAt(info, 'error'));
  const usage = usageOf(valueAt(info, 'tokens'));
  return {
    id: text('id'),
    role: text('role'),
    sessionID: text('sessionID'),
    created: typeof created === 'number' ? created : 0,
    agent: text('agent') || text('mode'),
    providerID: text('providerID') || text('model', 'providerID'),
    modelID: text('modelID') || text('model', 'modelID'),
    parentID: text('parentID'),
    system: text('system'),
    summary: valueAt(info, 'summary') === true && text('finish') !== '' && !failed,
    failed,
    aborted: text('error', 'name') === 'MessageAbortedError',
    ...(usage === undefined ? {} : { usage }),
  };
}

function usageOf(tokens: unknown): number | undefined {
  const parts = [['input'], ['cache', 'read'], ['cache', 'write']];
  const numbers = parts.map((path) => valueAt(tokens, ...path));
  const sum = numbers.reduce<number>((total, n) => total + (typeof n === 'number' ? n : 0), 0);
  return sum === 0 ? undefined : sum;
}

/**
 * The messages that the API would see. A reply holds its calls with their answers: each step of it is an assistant
 * message and, when it called tools, a user message with the results.
 */
export function messageDrafts(message: StoredMessage): MessageDraft[] {
  const { info, parts, records } = message;
  if (info.role === 'user') {
    const blocks = parts.flatMap(({ user }) => user ?? []);
    const compacts = parts.some(({ tail }) => tail !== undefined);
    const real = !compacts && parts.some(({ typed }) => typed);
    return blocks.length === 0 ? [] : [{ role: 'user', blocks, records: [...records], real }];
  }
  return info.role === 'assistant' && isSent(message) ? replyDrafts(parts, records) : [];
}

function isSent({ info, parts }: StoredMessage): boolean {
  const content = parts.some(({ type }) => type !== 'step-start' && type !== 'reasoning');
  return !info.failed || (info.aborted && content);
}

function replyDrafts(parts: readonly ReadPart[], records: readonly number[]): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  // Everything of one message stays together, also a step that calls nothing.
  const call = parts.find(({ result }) => result !== undefined)?.result?.callId;
  const links = call === undefined ? {} : { links: [call] };
  let blocks: BlockDraft[] = [];
  let results: BlockDraft[] = [];
  const close = () => {
    if (blocks.length > 0)
      drafts.push({ role: 'assistant', blocks, records: [...records], ...links });
    if (results.length > 0)
      drafts.push({ role: 'user', blocks: results, records: [...records], ...links });
    blocks = [];
    results = [];
  };
  for (const { type, assistant, result } of parts) {
    if (type === 'step-start' && results.length > 0) close();
    if (assistant !== undefined) blocks.push(assistant);
    if (result !== undefined) results.push(result);
  }
  close();
  return drafts;
}
