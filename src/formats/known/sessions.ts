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
    name: 'opencode',
    title: 'OpenCode export',
    detect: document(
      (root) =>
        stringAt(root, 'info', 'id')?.startsWith('ses_') === true &&
        arrayAt(root, 'messages') !== undefined,
    ),
  },
  {
    name: 'pi',
    title: 'pi session',
    detect: anyRecord((record) => record['type'] === 'session' && record['cwd'] !== undefined),
  },
  {
    name: 'copilot-cli',
    title: 'GitHub Copilot CLI events',
    detect: anyRecord(
      (record) =>
        /^(session|user|assistant|tool|hook|system)\.[a-z_]+$/.test(
          stringAt(record, 'type') ?? '',
        ) && isObject(record['data']),
    ),
  },
  {
    name: 'factory-droid',
    title: 'Factory Droid session',
    detect: anyRecord((record) => record['type'] === 'session_start'),
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
    name: 'cline',
    title: 'Cline or Roo Code history',
    detect: either(
      anyElement((element) => typeIn(element, ['say', 'ask']) && element['ts'] !== undefined),
      anyElement(
        (element) =>
          element['role'] !== undefined &&
          (element['ts'] !== undefined || element['modelInfo'] !== undefined),
      ),
      document(
        (root) =>
          root['system_prompt'] !== undefined &&
          root['sessionId'] !== undefined &&
          arrayAt(root, 'messages') !== undefined,
      ),
    ),
  },
  {
    name: 'goose',
    title: 'Goose session',
    detect: either(
      anyRecord(
        (record) =>
          record['created'] !== undefined &&
          arrayAt(record, 'content')?.some((part) =>
            typeIn(part, ['toolRequest', 'toolResponse']),
          ) === true,
      ),
      document(
        (root) =>
          firstOf(root, 'messages')?.['created'] !== undefined ||
          firstOf(root, 'conversation')?.['created'] !== undefined,
      ),
    ),
  },
];
