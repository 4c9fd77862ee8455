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

/** Sessions and logs of other clients. */
export const KNOWN_SESSIONS: readonly KnownFormat[] = [
  {
    name: 'gemini-cli',
    title: 'Gemini CLI session',
    detect: either(
      anyRecord(
        (record) =>
          record['$set'] !== undefined ||
          record['$rewindTo'] !== undefined ||
          (record['projectHash'] !== undefined && record['sessionId'] !== undefined),
      ),
      document(
        (root) => root['projectHash'] !== undefined && arrayAt(root, 'messages') !== undefined,
      ),
    ),
  },
  {
    name: 'gemini-api',
    title: 'Gemini API contents',
    detect: either(
      document((root) => arrayAt(firstOf(root, 'contents'), 'parts') !== undefined),
      anyElement(
        (element) =>
          arrayAt(element, 'parts')?.some(
            (part) =>
              isObject(part) &&
              ['text', 'functionCall', 'functionResponse', 'inlineData'].some(
                (key) => part[key] !== undefined,
              ) &&
              part['type'] === undefined,
          ) === true,
      ),
    ),
  },
  {
    name: 'qwen-code',
    title: 'Qwen Code session',
    detect: anyRecord(
      (record) => record['uuid'] !== undefined && arrayAt(record, 'message', 'parts') !== undefined,
    ),
  },
  {
    name: 'claude-stream-json',
    title: 'Claude Code stream-json log',
    advice: 'compact the session file of the client instead; a log can not be resumed',
    detect: anyRecord(
      (record) =>
        record['session_id'] !== undefined &&
        record['uuid'] === undefined &&
        typeIn(record, ['system', 'assistant', 'user', 'result']),
    ),
  },
  {
    name: 'codex-exec',
    title: 'codex exec --json log',
    advice: 'compact the rollout file of the client instead; a log can not be resumed',
    detect: anyRecord((record) =>
      /^(thread|turn|item)\.[a-z]+$/.test(stringAt(record, 'type') ?? ''),
    ),
  },
  {
    name: 'gemini-stream-json',
    title: 'Gemini CLI stream-json log',
    detect: anyRecord(
      (record) => typeIn(record, ['tool_use', 'tool_result']) && record['tool_id'] !== undefined,
    ),
  },
  {
    name: 'cline-ui',
    title: 'Cline or Roo Code ui_messages.json',
    advice:
      'it is what the screen shows and no model sees; compact api_conversation_history.json beside it',
    detect: anyElement((element) => typeIn(element, ['say', 'ask']) && element['ts'] !== undefined),
  },
];
