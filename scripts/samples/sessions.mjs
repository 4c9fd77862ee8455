import { anthropicContent } from './messages.mjs';
import { PNG, STORY, SYSTEM } from './story.mjs';

// Writers of the session files that clients keep: lists of records, one a line.

const uuid = (number) => `5a3b1c00-0000-4000-8000-${String(number).padStart(12, '0')}`;
const time = (second) => new Date(Date.UTC(2026, 8, 1, 8, 0, second)).toISOString();

/** Claude Code: split replies, parallel calls, attachments, copies of results, bookkeeping. */
export function claudeCode() {
  const sessionId = '3f0e6a52-1111-4222-8333-944455566677';
  const envelope = {
    userType: 'external',
    entrypoint: 'cli',
    cwd: '/home/dev/shop',
    sessionId,
    version: '2.1.332',
    gitBranch: 'main',
  };
  const records = [];
  let count = 0;
  let parent = null;
  const chain = (type, body, own = {}) => {
    count += 1;
    const record = {
      parentUuid: parent,
      isSidechain: false,
      ...body,
      type,
      uuid: uuid(count),
      timestamp: time(count),
      ...own,
      ...envelope,
    };
    records.push(record);
    parent = record.uuid;
    return record.uuid;
  };
  const bare = (record) => records.push({ ...record, sessionId });
  bare({
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: time(0),
    content: STORY[0].user,
  });
  const callers = new Map();
  STORY.forEach((turn, index) => {
    if (turn.user) {
      chain(
        'user',
        { message: { role: 'user', content: turn.image ? anthropicContent(turn) : turn.user } },
        { promptId: `p${index}` },
      );
      if (index === 0) claudeAttachments(chain, bare);
    } else if (turn.results) {
      for (const answer of turn.results) {
        // Each parallel result hangs below its own call.
        parent = callers.get(answer.id);
        const [block] = anthropicContent({ results: [answer] });
        const copy = answer.isError
          ? answer.text
          : { stdout: answer.text, stderr: '', interrupted: false, isImage: false };
        chain(
          'user',
          { message: { role: 'user', content: [block] } },
          { toolUseResult: copy, sourceToolAssistantUUID: parent },
        );
      }
    } else {
      const id = `msg_01sample${String(index).padStart(4, '0')}`;
      const usage = {
        input_tokens: 1200 + index * 900,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 60,
      };
      for (const block of anthropicContent(turn)) {
        const message = {
          id,
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [block],
          stop_reason: turn.calls ? 'tool_use' : 'end_turn',
          stop_sequence: null,
          usage,
        };
        const own = chain('assistant', { message }, { requestId: `req_${index}` });
        if (block.type === 'tool_use') callers.set(block.id, own);
      }
    }
  });
  bare({ type: 'last-prompt', lastPrompt: STORY.at(-2).user, leafUuid: parent });
  return records;
}

const reminder = (text) => [{ content: `<system-reminder>\n${text}\n</system-reminder>` }];

function claudeAttachments(chain, bare) {
  chain(
    'attachment',
    { attachment: { type: 'date', date: '2026-09-01' } },
    { rendered: reminder("Today's date is 2026-09-01."), renderedRole: 'system' },
  );
  chain('attachment', {
    attachment: {
      type: 'prompt_snapshot',
      systemPrompt: [SYSTEM],
      tools: [{ name: 'Bash', description: 'Runs a shell command.' }],
    },
  });
  bare({ type: 'mode', mode: 'default' });
}

const encrypted = Buffer.from('sample '.repeat(90)).toString('base64');
const callArguments = ({ name, input }) => (name === 'Bash' ? { cmd: input.command } : input);

/** Codex, wrapped records with ordinals. */
export function codex() {
  const records = [];
  const add = (type, payload) =>
    records.push({ timestamp: time(records.length), ordinal: records.length, type, payload });
  const item = (payload) => add('response_item', payload);
  const say = (role, type, text) => item({ type: 'message', role, content: [{ type, text }] });
  add('session_meta', {
    id: '01a2-sample',
    timestamp: time(0),
    cwd: '/home/dev/shop',
    originator: 'codex_cli',
    cli_version: '0.171.0',
    base_instructions: { text: SYSTEM },
    history_mode: 'paginated',
  });
  say(
    'developer',
    'input_text',
    '<permissions instructions>\nAsk before network access.\n</permissions instructions>',
  );
  say(
    'user',
    'input_text',
    '<environment_context>\n  <cwd>/home/dev/shop</cwd>\n</environment_context>',
  );
  add('turn_context', { cwd: '/home/dev/shop', approval_policy: 'never', model: 'gpt-5.1-codex' });
  for (const turn of STORY) {
    if (turn.user) {
      const image = { type: 'input_image', image_url: `data:image/png;base64,${PNG}` };
      const content = [{ type: 'input_text', text: turn.user }, ...(turn.image ? [image] : [])];
      item({ type: 'message', role: 'user', content });
      add('event_msg', { type: 'user_message', message: turn.user });
    } else if (turn.results) {
      for (const { id, text, isError } of turn.results) {
        add('event_msg', {
          type: 'item_completed',
          item: {
            type: 'CommandExecution',
            id,
            aggregated_output: text,
            exit_code: isError ? 1 : 0,
          },
        });
        const head = `Chunk ID: ${id}\nWall time: 0.4000 seconds\nProcess exited with code ${isError ? 1 : 0}\nOutput:\n`;
        item({ type: 'function_call_output', call_id: id, output: head + text });
      }
      add('event_msg', {
        type: 'token_count',
        info: {
          last_token_usage: { input_tokens: 5200, reasoning_output_tokens: 0 },
          model_context_window: 258_400,
        },
      });
    } else {
      if (turn.thinking)
        item({
          type: 'reasoning',
          id: `rs_${records.length}`,
          summary: [],
          encrypted_content: encrypted,
        });
      say('assistant', 'output_text', turn.text);
      for (const call of turn.calls ?? []) {
        const name = call.name === 'Bash' ? 'exec_command' : call.name.toLowerCase();
        item({
          type: 'function_call',
          name,
          arguments: JSON.stringify(callArguments(call)),
          call_id: call.id,
        });
      }
    }
  }
  add('event_msg', {
    type: 'task_complete',
    turn_id: 'turn-1',
    last_agent_message: STORY.at(-1).text,
  });
  return records;
}

/** Codex before records were wrapped: bare items, outputs as JSON in a string. */
export function codexOld() {
  const records = [
    { id: '01a2-sample-old', timestamp: time(0), instructions: SYSTEM },
    { record_type: 'state' },
  ];
  for (const turn of STORY) {
    if (turn.user)
      records.push({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: turn.user }],
      });
    else if (turn.results) {
      for (const { id, text, isError } of turn.results) {
        const output = JSON.stringify({
          output: text,
          metadata: { exit_code: isError ? 1 : 0, duration_seconds: 0.4 },
        });
        records.push({ type: 'function_call_output', call_id: id, output });
      }
    } else {
      if (turn.thinking)
        records.push({ type: 'reasoning', summary: [], encrypted_content: encrypted });
      records.push({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: turn.text }],
      });
      for (const { id, name, input } of turn.calls ?? []) {
        records.push({
          type: 'function_call',
          name: name === 'Bash' ? 'shell' : name.toLowerCase(),
          arguments: JSON.stringify(input),
          call_id: id,
        });
      }
    }
    records.push({ record_type: 'state' });
  }
  return records;
}
