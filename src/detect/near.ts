import type { Head } from '../formats/format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../formats/value.ts';

/** A file that lies beside sessions or looks like one and holds no conversation. */
interface NearMiss {
  readonly what: string;
  /** Where the conversation is. */
  readonly instead: string;
  readonly test: (first: Json, head: Head) => boolean;
}

const has =
  (...keys: readonly string[]) =>
  (first: Json): boolean =>
    keys.every((key) => first[key] !== undefined);

const NEAR_MISSES: readonly NearMiss[] = [
  {
    what: 'the prompt history of Claude Code',
    instead: 'its sessions are in ~/.claude/projects/<project>/*.jsonl',
    test: has('display', 'pastedContents', 'project'),
  },
  {
    what: 'the prompt history of Codex',
    instead: 'its sessions are in ~/.codex/sessions/',
    test: (first) => has('session_id', 'ts', 'text')(first),
  },
  {
    what: 'the index of sessions of Codex',
    instead: 'the sessions are in ~/.codex/sessions/',
    test: has('id', 'thread_name', 'updated_at'),
  },
  {
    what: 'the prompt log of Gemini CLI',
    instead: 'its sessions are in ~/.gemini/tmp/<project>/chats/',
    test: has('sessionId', 'messageId', 'message', 'timestamp'),
  },
  {
    what: 'a stash of ctx',
    instead: 'name the transcript that it belongs to; `ctx retrieve` reads the stash',
    test: (first) => first['ctx'] === 'stash',
  },
  {
    what: 'a report of ctx',
    instead: 'name the transcript that it is about',
    test: (first) => stringAt(first, 'schema')?.startsWith('ctx.') === true,
  },
  {
    what: 'settings of Claude Code',
    instead: 'its sessions are in ~/.claude/projects/<project>/*.jsonl',
    test: (first) => valueAt(first, 'permissions', 'allow') !== undefined || has('hooks')(first),
  },
  {
    what: 'a list of tool definitions',
    instead: 'name the file that holds the messages',
    test: (first) => has('name', 'input_schema')(first) || has('type', 'function')(first),
  },
  {
    what: 'a single message',
    instead: 'name the file that holds the whole conversation',
    test: (first, head) => !Array.isArray(head.document) && has('role', 'content')(first),
  },
  {
    what: 'a document without messages in it',
    instead: 'its messages array is empty',
    test: (first) =>
      ['messages', 'contents', 'conversations'].some((key) => arrayAt(first, key)?.length === 0),
  },
];

/** What a file that no format takes is, when that can be told. */
export function nearMiss(
  head: Head,
): { readonly what: string; readonly instead: string } | undefined {
  const document = Array.isArray(head.document) ? head.document[0] : head.document;
  const first = [document, head.records[0]].find(isObject);
  return first === undefined ? undefined : NEAR_MISSES.find(({ test }) => test(first, head));
}
