// A session file of Claude Code: records chained by parentUuid, one content block a record.
import { sealed, token, uuid } from './dice.mjs';
import { answer, FOLDER, SYSTEM } from './story.mjs';

const MODEL = 'claude-sonnet-4-5';
const sessionId = uuid('claude/session');
const ENVELOPE = {
  userType: 'external',
  entrypoint: 'sdk-cli',
  cwd: FOLDER,
  sessionId,
  version: '2.1.332',
  gitBranch: 'main',
};

/** Name and input of a call, with the names of the client's tools. */
function use({ run, what, read, edit, from, to }) {
  if (run) return { name: 'Bash', input: { command: run, description: what } };
  if (read) return { name: 'Read', input: { file_path: `${FOLDER}/${read}` } };
  const file_path = `${FOLDER}/${edit}`;
  return {
    name: 'Edit',
    input: { replace_all: false, file_path, old_string: from, new_string: to },
  };
}

const numbered = (text) =>
  text
    .split('\n')
    .map((line, index) => `${index + 1}\t${line}`)
    .join('\n');

/** What the model sees of a result, and the copy that the client keeps for its own screen. */
function result(call) {
  const text = answer(call);
  if (call.exit) {
    const content = `Exit code ${call.exit}\n${text}`;
    return { block: { content, is_error: true }, copy: `Error: ${content}` };
  }
  if (call.read) {
    const numLines = text.split('\n').length;
    const filePath = `${FOLDER}/${call.read}`;
    const file = { filePath, content: text, numLines, startLine: 1, totalLines: numLines };
    return { block: { content: numbered(text) }, copy: { type: 'text', file } };
  }
  if (call.edit) return { block: { content: text }, copy: editCopy(call) };
  const copy = { stdout: text, stderr: '', interrupted: false, isImage: false };
  return {
    block: { content: text, is_error: false },
    copy: { ...copy, noOutputExpected: false },
    own: { sandboxed: false },
  };
}

function editCopy({ edit, from, to, file }) {
  const lines = file.split('\n');
  const at = lines.indexOf(from);
  const around = (start, end) => lines.slice(start, end).map((line) => ` ${line}`);
  const hunk = {
    oldStart: at - 2,
    oldLines: 7,
    newStart: at - 2,
    newLines: 7,
    lines: [...around(at - 3, at), `-${from}`, `+${to}`, ...around(at + 1, at + 4)],
  };
  return {
    filePath: `${FOLDER}/${edit}`,
    oldString: from,
    newString: to,
    originalFile: file,
    structuredPatch: [hunk],
    userModified: false,
    replaceAll: false,
  };
}

const reminder = (text) => [{ content: `<system-reminder>\n${text}\n</system-reminder>` }];

const render = (text, renderedRole = 'system') => ({ rendered: reminder(text), renderedRole });

/** State of the machine, the model, the repository and the day, as the client attaches them to the first prompt. */
function attachments() {
  const snapshot = {
    workingDirectory: FOLDER,
    isWorktree: false,
    isGitRepo: true,
    additionalWorkingDirectories: [],
    platform: 'linux',
    shell: 'bash',
    osVersion: 'Linux 6.12.0',
  };
  const powered = `You are powered by the model named Sonnet 4.5. The exact model ID is ${MODEL}.`;
  const gitStatus = `This is the git status at the start of the conversation.\n\nCurrent branch: main\n\nStatus:\n(clean)\n\nRecent commits:\n4c1f0aa Ship to Malta\n91d2e7b Keep the basket after login`;
  return [
    [
      { type: 'environment', snapshot },
      render(
        `Working directory: ${FOLDER}\nIs a git repository: true\nPlatform: linux\nShell: bash`,
      ),
    ],
    [
      { type: 'model', identity: { modelId: MODEL, marketingName: 'Sonnet 4.5' }, text: powered },
      render(powered),
    ],
    [{ type: 'session_context', context: { gitStatus } }, render(gitStatus, 'user')],
    [{ type: 'date', date: '2026-09-01' }, render("Today's date is 2026-09-01.")],
    [promptSnapshot(), {}],
  ];
}

const promptSnapshot = (tools) => ({
  type: 'prompt_snapshot',
  systemPrompt: [SYSTEM, 'Answer briefly. Say what you did and what you did not do.'],
  ...(tools ? { tools } : {}),
  reminderFold: false,
  echoWireToolInputs: false,
  contextRendering: 'announced',
});

const tool = (name, description, ...names) => ({
  name,
  description,
  schema: {
    name,
    description,
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])),
      required: names,
      additionalProperties: false,
    },
  },
});

function toolSchemas() {
  return [
    tool('Bash', 'Runs a command in a shell.', 'command'),
    tool('Read', 'Reads a file from the disk, with line numbers.', 'file_path'),
    tool('Edit', 'Replaces a string in a file.', 'file_path', 'old_string', 'new_string'),
  ];
}

/** Usage as the API reports it; every record of a reply repeats it. */
const usageOf = (input_tokens, output_tokens) => ({
  input_tokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  inference_geo: '',
  iterations: [],
  speed: 'standard',
});

/** The records of a session. */
export function claudeCode(turns) {
  const records = [];
  let now = Date.UTC(2026, 8, 1, 8, 30, 4);
  let parent = null;
  let prompt;
  const time = (ms = 40) => {
    now += ms;
    return new Date(now).toISOString();
  };
  /** Adds a record to the chain below `above`. */
  const chain = (above, body, type, more = {}) => {
    const id = uuid(`claude/record/${records.length}`);
    const tail = { uuid: id, timestamp: time(), ...more, ...ENVELOPE };
    // The client puts `type` before the message of a user and after everything else.
    const own = type === 'user' ? { promptId: prompt.id, type, ...body } : { ...body, type };
    records.push({ parentUuid: above, isSidechain: false, ...own, ...tail });
    parent = id;
    return id;
  };
  const note = (type, fields) => records.push({ type, ...fields, sessionId });
  const latest = () => {
    note('last-prompt', { lastPrompt: prompt.text, leafUuid: parent });
    note('atis-latch', { atis: '' });
  };

  const operation = (name, extra) =>
    records.push({
      type: 'queue-operation',
      operation: name,
      timestamp: time(5200),
      sessionId,
      ...extra,
    });

  const ask = (text, index) => {
    prompt = { id: uuid(`claude/prompt/${index}`), text, turn: (prompt?.turn ?? 0) + 1 };
    operation('enqueue', { content: text });
    operation('dequeue', {});
    chain(parent, { message: { role: 'user', content: text } }, 'user', {
      permissionMode: 'acceptEdits',
      promptSource: 'sdk',
      sentAtMs: now,
      rowSource: 'local',
      turnOrigin: 'sdk',
      turnPosition: { promptIndex: 0, turnIndex: prompt.turn },
    });
    if (index > 0) return;
    for (const [attachment, rendered] of attachments())
      chain(parent, { attachment }, 'attachment', rendered);
    note('atis-latch', { atis: '' });
  };

  const reply = ({ think, say, calls = [] }, index) => {
    time(2300);
    const usage = usageOf(2100 + index * 1900, 60 + (think?.length ?? 0));
    const id = `msg_01${token(`claude/message/${index}`, 22)}`;
    const blocks = [
      ...(think
        ? [{ type: 'thinking', thinking: think, signature: sealed(`claude/${index}`) }]
        : []),
      { type: 'text', text: say },
      ...calls.map((call, place) => ({
        type: 'tool_use',
        id: `toolu_01${token(`claude/call/${index}/${place}`, 22)}`,
        ...use(call),
      })),
    ];
    return blocks.map((block, apiBlockIndex) => {
      const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [block],
        stop_reason,
        stop_sequence: null,
        usage,
        stop_details: null,
      };
      const requestId = `req_01${token(`claude/request/${index}`, 22)}`;
      const body = { message, apiBlockIndex, requestId, requestedModel: MODEL };
      return [block, chain(parent, body, 'assistant', { effort: 'medium', madeBy: 'model' })];
    });
  };

  /** Every result hangs below the record of its own call, also when two calls ran side by side. */
  const answers = (calls, written) => {
    const uses = written.filter(([{ type }]) => type === 'tool_use');
    for (const [place, call] of calls.entries()) {
      const [{ id: tool_use_id }, caller] = uses[place];
      const { block, copy, own = {} } = result(call);
      const start = { tool_use_id, type: 'tool_result' };
      const failed = { type: 'tool_result', ...block, tool_use_id };
      const content = [block.is_error ? failed : { ...start, ...block }];
      time(call.ms);
      chain(caller, { message: { role: 'user', content } }, 'user', {
        toolUseResult: copy,
        ...own,
        sourceToolAssistantUUID: caller,
        permissionDecision: { decision: 'accept', source: 'config', reasonType: 'mode' },
      });
    }
  };

  for (const [index, turn] of turns.entries()) {
    if (turn.user) {
      if (index > 0) note('tools-used', { tools: ['Bash', 'Read', 'Edit'] });
      ask(turn.user, index);
      continue;
    }
    const written = reply(turn, index);
    if (index % 3 === 1) latest();
    if (turn.calls) answers(turn.calls, written);
    if (index === 1) chain(parent, { attachment: promptSnapshot(toolSchemas()) }, 'attachment');
  }
  note('last-prompt', { lastPrompt: prompt.text, leafUuid: parent });
  note('mode', { mode: 'normal' });
  return records;
}
