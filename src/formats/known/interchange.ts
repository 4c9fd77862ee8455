import { arrayAt, isObject, stringAt } from '../value.ts';
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
    name: 'openhands',
    title: 'OpenHands events',
    detect: either(
      anyElement(
        (element) =>
          element['source'] !== undefined &&
          (element['action'] !== undefined ||
            element['observation'] !== undefined ||
            element['kind'] !== undefined),
      ),
      anyRecord((record) => record['history'] !== undefined && record['instance_id'] !== undefined),
    ),
  },
  {
    name: 'swe-agent',
    title: 'SWE-agent trajectory',
    detect: document(
      (root) => arrayAt(root, 'trajectory') !== undefined && root['info'] !== undefined,
    ),
  },
  {
    name: 'mini-swe-agent',
    title: 'mini-swe-agent trajectory',
    detect: document(
      (root) => stringAt(root, 'trajectory_format')?.startsWith('mini-swe-agent') === true,
    ),
  },
  {
    name: 'atif',
    title: 'ATIF trajectory',
    detect: document((root) => stringAt(root, 'schema_version')?.startsWith('ATIF-') === true),
  },
  {
    name: 'sharegpt',
    title: 'ShareGPT dataset',
    detect: either(
      anyElement(
        (element) =>
          (element['from'] !== undefined && element['value'] !== undefined) ||
          arrayAt(element, 'conversations') !== undefined,
      ),
      document((root) => firstOf(root, 'conversations')?.['from'] !== undefined),
      anyRecord((record) => firstOf(record, 'conversations')?.['from'] !== undefined),
    ),
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
