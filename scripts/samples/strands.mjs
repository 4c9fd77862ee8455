// Strands Agents (TypeScript snapshot, Python snapshot, Python message log) and bare Bedrock Converse messages.
import { sealed, token, uuid } from './dice.mjs';
import { answer, FOLDER, RECEIPT, SYSTEM } from './story.mjs';

const START = Date.UTC(2026, 8, 1, 8, 30, 12, 408);

/** Name and input of a call, with the names of the Strands tools. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'shell', input: { command: run } };
  if (read) return { name: 'file_read', input: { path: `${FOLDER}/${read}`, mode: 'view' } };
  const path = `${FOLDER}/${edit}`;
  return { name: 'editor', input: { command: 'str_replace', path, old_str: from, new_str: to } };
}

/**
 * Messages in the shape of the Converse API, which the SDKs share but for two blocks.
 * @param {object[]} turns
 * @param {{ reasoning?: (text: string, signature: string) => object, bytes: (data: string) => unknown,
 *   json?: boolean, reply?: (message: object, turn: object, index: number) => object }} dialect
 */
function converseMessages(turns, { reasoning, bytes, json = false, reply = (message) => message }) {
  const messages = [];
  for (const [index, turn] of turns.entries()) {
    const { user, picture, think, say, calls = [] } = turn;
    if (user) {
      const image = { image: { format: 'png', source: { bytes: bytes(RECEIPT) } } };
      messages.push({ role: 'user', content: [{ text: user }, ...(picture ? [image] : [])] });
      continue;
    }
    const id = (place) => `tooluse_${token(`strands/${index}/${place}`, 22)}`;
    const content = [
      ...(think && reasoning ? [reasoning(think, sealed(`strands/${index}`))] : []),
      { text: say },
      ...calls.map((call, place) => {
        const { name, input } = use(call);
        return { toolUse: { name, toolUseId: id(place), input } };
      }),
    ];
    messages.push(reply({ role: 'assistant', content }, turn, index));
    if (calls.length === 0) continue;
    const results = calls.map((call, place) => ({
      toolResult: {
        toolUseId: id(place),
        status: call.exit ? 'error' : 'success',
        content: [
          { text: answer(call) },
          ...(json && call.run
            ? [{ json: { exitCode: call.exit ?? 0, durationMs: call.ms } }]
            : []),
        ],
      },
    }));
    messages.push({ role: 'user', content: results });
  }
  return messages;
}

/** A bare list of Converse messages. */
export const converse = (turns) => converseMessages(turns, { bytes: (data) => data });

/** Usage and metrics of a reply, and the pin of the one that must stay. */
const withMetadata = (message, { pinned, calls = [] }, index) => {
  const inputTokens = 900 + index * 1700;
  const usage = { inputTokens, outputTokens: 74, totalTokens: inputTokens + 74 };
  const metrics = { latencyMs: 1200 + index * 35 + calls.length };
  const metadata = { usage, metrics, ...(pinned ? { custom: { pinned: true } } : {}) };
  return { ...message, metadata };
};

/** A snapshot as @strands-agents/sdk 1.19.0 writes it; one reply of the agent is pinned. */
export function strandsTs(turns) {
  const messages = converseMessages(turns, {
    reasoning: (text, signature) => ({ reasoning: { text, signature } }),
    bytes: (data) => data,
    json: true,
    reply: withMetadata,
  }).map(({ role, content, metadata }, index) => ({
    role,
    content,
    trackingId: uuid(`strands-ts/${index}`),
    ...(metadata ? { metadata } : {}),
  }));
  const data = {
    messages,
    state: { project: 'shop' },
    systemPrompt: SYSTEM,
    modelState: {},
    interrupts: { interrupts: {}, activated: false },
  };
  const createdAt = new Date(START).toISOString();
  return { scope: 'agent', schemaVersion: '1.0', createdAt, data, appData: {} };
}

const pythonMessages = (turns) =>
  converseMessages(turns, {
    reasoning: (text, signature) => ({ reasoningContent: { reasoningText: { text, signature } } }),
    bytes: (data) => ({ __bytes_encoded__: true, data }),
  });

/** As Python's datetime.isoformat() has it. */
const pythonTime = (ms) => `${new Date(ms).toISOString().slice(0, -1)}517+00:00`;
const INTERRUPTS = { interrupts: {}, context: {}, activated: false };
const MANAGER = { __name__: 'SlidingWindowConversationManager', removed_message_count: 0 };

/** A snapshot of the Python SDK. */
export function strandsPy(turns) {
  const data = {
    messages: pythonMessages(turns),
    state: { project: 'shop' },
    conversation_manager_state: MANAGER,
    interrupt_state: INTERRUPTS,
    system_prompt: SYSTEM,
    model_state: {},
  };
  return {
    scope: 'agent',
    schema_version: '1.0',
    created_at: pythonTime(START),
    data,
    app_data: {},
  };
}

/** Times of a file, in seconds after the start. */
const times = (seconds, last = seconds) => ({
  created_at: pythonTime(START + seconds * 1000),
  updated_at: pythonTime(START + last * 1000),
});

/** Files of FileSessionManager, by path. */
export function strandsLog(turns) {
  const messages = pythonMessages(turns);
  const files = new Map();
  files.set('session.json', { session_id: 'shop', session_type: 'AGENT', ...times(0) });
  files.set('agents/agent_default/agent.json', {
    agent_id: 'default',
    state: { project: 'shop' },
    conversation_manager_state: MANAGER,
    _internal_state: { interrupt_state: INTERRUPTS },
    ...times(0, messages.length * 4),
  });
  for (const [index, message] of messages.entries()) {
    files.set(`agents/agent_default/messages/message_${index}.json`, {
      message,
      message_id: index,
      redact_message: null,
      ...times(1 + index * 4),
    });
  }
  return files;
}

/** JSON as Python's json.dumps() writes it: a space after separators, ASCII only. */
export function pythonJson(value) {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).map(([key, member]) => `"${key}": ${pythonJson(member)}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value).replaceAll(
    /[^\0-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
