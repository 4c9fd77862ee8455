import { stringAt } from '../value.ts';
import { anyElement, anyRecord, type KnownFormat, typeIn } from './tests.ts';

/** Sessions and logs of other clients. */
export const KNOWN_SESSIONS: readonly KnownFormat[] = [
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
