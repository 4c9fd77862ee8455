import type { Head } from './format.ts';
import { arrayAt, isObject, stringAt, valueAt, type Json } from './value.ts';

/** A format that ctx recognises by name and does not read. */
export interface KnownFormat {
  readonly name: string;
  readonly title: string;
  /** What to do instead, when there is something. */
  readonly advice?: string;
  detect(head: Head): boolean;
}

const anyRecord = (test: (record: Json) => boolean) => (head: Head) =>
  head.framing === 'jsonl' && head.records.some((record) => isObject(record) && test(record));
const anyElement = (test: (element: Json) => boolean) => (head: Head) =>
  Array.isArray(head.document) && head.document.some((element) => isObject(element) && test(element));
const document = (test: (root: Json) => boolean) => (head: Head) => isObject(head.document) && test(head.document);
const firstOf = (root: Json, key: string) => (arrayAt(root, key) ?? []).find(isObject);
const typeIn = (value: unknown, types: readonly string[]) => types.includes(stringAt(value, 'type') ?? '');

const RESPONSE_ITEMS = ['function_call', 'function_call_output', 'reasoning', 'computer_call', 'web_search_call'];

/** Formats of other tools, so that a file of theirs is named and not misread. */
export const KNOWN_FORMATS: readonly KnownFormat[] = [
  { name: 'gemini-cli', title: 'Gemini CLI session', detect: either(
    anyRecord((record) => record['$set'] !== undefined || record['$rewindTo'] !== undefined || (record['projectHash'] !== undefined && record['sessionId'] !== undefined)),
    document((root) => root['projectHash'] !== undefined && arrayAt(root, 'messages') !== undefined)) },
  { name: 'gemini-api', title: 'Gemini API contents', detect: either(
    document((root) => arrayAt(firstOf(root, 'contents'), 'parts') !== undefined),
    anyElement((element) => arrayAt(element, 'parts')?.some((part) => isObject(part) && ['text', 'functionCall', 'functionResponse', 'inlineData'].some((key) => part[key] !== undefined) && part['type'] === undefined) === true)) },
  { name: 'opencode', title: 'OpenCode export', detect: document((root) => stringAt(root, 'info', 'id')?.startsWith('ses_') === true && arrayAt(root, 'messages') !== undefined) },
  { name: 'pi', title: 'pi session', detect: anyRecord((record) => record['type'] === 'session' && record['cwd'] !== undefined) },
  { name: 'qwen-code', title: 'Qwen Code session', detect: anyRecord((record) => record['uuid'] !== undefined && arrayAt(record, 'message', 'parts') !== undefined) },
  { name: 'copilot-cli', title: 'GitHub Copilot CLI events', detect: anyRecord((record) => /^(session|user|assistant|tool|hook|system)\.[a-z_]+$/.test(stringAt(record, 'type') ?? '') && isObject(record['data'])) },
  { name: 'factory-droid', title: 'Factory Droid session', detect: anyRecord((record) => record['type'] === 'session_start') },
  { name: 'claude-stream-json', title: 'Claude Code stream-json log', advice: 'compact the session file of the client instead; a log can not be resumed', detect: anyRecord((record) => record['session_id'] !== undefined && record['uuid'] === undefined && typeIn(record, ['system', 'assistant', 'user', 'result'])) },
  { name: 'codex-exec', title: 'codex exec --json log', advice: 'compact the rollout file of the client instead; a log can not be resumed', detect: anyRecord((record) => /^(thread|turn|item)\.[a-z]+$/.test(stringAt(record, 'type') ?? '')) },
  { name: 'gemini-stream-json', title: 'Gemini CLI stream-json log', detect: anyRecord((record) => typeIn(record, ['tool_use', 'tool_result']) && record['tool_id'] !== undefined) },
  { name: 'cline', title: 'Cline or Roo Code history', detect: either(
    anyElement((element) => typeIn(element, ['say', 'ask']) && element['ts'] !== undefined),
    anyElement((element) => element['role'] !== undefined && (element['ts'] !== undefined || element['modelInfo'] !== undefined)),
    document((root) => root['system_prompt'] !== undefined && root['sessionId'] !== undefined && arrayAt(root, 'messages') !== undefined)) },
  { name: 'goose', title: 'Goose session', detect: either(
    anyRecord((record) => record['created'] !== undefined && arrayAt(record, 'content')?.some((part) => typeIn(part, ['toolRequest', 'toolResponse'])) === true),
    document((root) => firstOf(root, 'messages')?.['created'] !== undefined || firstOf(root, 'conversation')?.['created'] !== undefined)) },
  { name: 'openai-responses', title: 'OpenAI Responses items', detect: either(
    anyElement((element) => typeIn(element, RESPONSE_ITEMS)),
    document((root) => root['object'] === 'response' || (arrayAt(root, 'input')?.some((item) => isObject(item) && (item['role'] !== undefined || typeIn(item, RESPONSE_ITEMS))) ?? false))) },
  { name: 'vercel-ai', title: 'Vercel AI SDK messages', detect: (head) => {
    const list = (Array.isArray(head.document) ? head.document : arrayAt(head.document, 'messages')) ?? [];
    return list.some((message) => isObject(message) && message['role'] !== undefined && (
      message['toolInvocations'] !== undefined ||
      arrayAt(message, 'parts')?.some((part) => stringAt(part, 'type') !== undefined) === true ||
      arrayAt(message, 'content')?.some((part) => typeIn(part, ['tool-call', 'tool-result'])) === true));
  } },
  { name: 'langchain', title: 'LangChain or LangGraph messages', detect: either(
    anyElement((element) => element['lc'] === 1 || (typeIn(element, ['human', 'ai', 'system', 'tool', 'function']) && (isObject(element['data']) || element['content'] !== undefined))),
    document((root) => root['lc'] === 1 || arrayAt(root, 'values', 'messages') !== undefined || typeIn(firstOf(root, 'messages'), ['human', 'ai']))) },
  { name: 'openhands', title: 'OpenHands events', detect: either(
    anyElement((element) => element['source'] !== undefined && (element['action'] !== undefined || element['observation'] !== undefined || element['kind'] !== undefined)),
    anyRecord((record) => record['history'] !== undefined && record['instance_id'] !== undefined)) },
  { name: 'swe-agent', title: 'SWE-agent trajectory', detect: document((root) => arrayAt(root, 'trajectory') !== undefined && root['info'] !== undefined) },
  { name: 'mini-swe-agent', title: 'mini-swe-agent trajectory', detect: document((root) => stringAt(root, 'trajectory_format')?.startsWith('mini-swe-agent') === true) },
  { name: 'atif', title: 'ATIF trajectory', detect: document((root) => stringAt(root, 'schema_version')?.startsWith('ATIF-') === true) },
  { name: 'sharegpt', title: 'ShareGPT dataset', detect: either(
    anyElement((element) => (element['from'] !== undefined && element['value'] !== undefined) || arrayAt(element, 'conversations') !== undefined),
    document((root) => firstOf(root, 'conversations')?.['from'] !== undefined),
    anyRecord((record) => firstOf(record, 'conversations')?.['from'] !== undefined)) },
  { name: 'otel-genai', title: 'OpenTelemetry trace export', detect: document((root) => root['resourceSpans'] !== undefined || (root['trace'] !== undefined && root['observations'] !== undefined)) },
  { name: 'dataset-jsonl', title: 'dataset with one conversation a line', advice: 'split it into one JSON file a conversation', detect: (head) => head.framing === 'jsonl' && head.records.length > 1 && head.records.every((record) => ['messages', 'conversations', 'body', 'input'].some((key) => valueAt(record, key) !== undefined)) },
  { name: 'cursor', title: 'Cursor agent transcript', advice: 'it holds no ids and no results, so there is nothing to resume', detect: anyRecord((record) => record['role'] !== undefined && isObject(record['message']) && record['uuid'] === undefined && record['type'] === undefined) },
  { name: 'vscode-chat', title: 'VS Code chat session', detect: document((root) => arrayAt(root, 'requests') !== undefined) },
  { name: 'inspect', title: 'Inspect log', detect: document((root) => root['eval'] !== undefined && arrayAt(root, 'samples') !== undefined) },
  { name: 'chatgpt-export', title: 'ChatGPT export', detect: either(document((root) => isObject(root['mapping']) && root['current_node'] !== undefined), anyElement((element) => isObject(element['mapping']))) },
  { name: 'claude-ai-export', title: 'Claude.ai export', detect: either(document((root) => arrayAt(root, 'chat_messages') !== undefined), anyElement((element) => arrayAt(element, 'chat_messages') !== undefined)) },
];

function either(...tests: readonly ((head: Head) => boolean)[]): (head: Head) => boolean {
  return (head) => tests.some((test) => test(head));
}
