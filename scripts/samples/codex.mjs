// Codex rollouts: the wrapped form that the client writes now, and the bare items of its first versions.
import { hex, sealed, token, uuid } from './dice.mjs';
import { answer, FOLDER, SYSTEM } from './story.mjs';

const MODEL = 'gpt-5.1-codex';
const THREAD = uuid('codex/thread', 7);
const START = Date.UTC(2026, 8, 1, 8, 30, 4);

const PERMISSIONS =
  '<permissions instructions>\nFilesystem sandboxing defines which files can be read or written. `sandbox_mode` is `workspace-write`.\nApproval policy is currently never.\n</permissions instructions>';
const ENVIRONMENT = `<environment_context>\n  <cwd>${FOLDER}</cwd>\n  <shell>bash</shell>\n  <current_date>2026-09-01</current_date>\n  <timezone>Etc/UTC</timezone>\n</environment_context>`;

/** The command of a call: this client reads and edits through the shell as well. */
function commandOf({ run, read, edit, from, to }) {
  if (run) return run;
  if (read) return `cat ${read}`;
  return `sed -i 's/${from.trim()}/${to.trim()}/' ${edit}`;
}

const outputOf = (call) => (call.edit ? '' : answer(call));

/** JSON as the client writes it: a float keeps its fraction, also when that is zero. */
export const codexLine = (record) =>
  JSON.stringify(record).replaceAll(/"used_percent":(\d+)(?=[,}])/g, '"used_percent":$1.0');

/** The records of a rollout. */
export function codex(turns) {
  const records = [];
  let now = START;
  let sequence = 0;
  let sampled = 0;
  let inputs = 0;
  let turn;
  const spent = { all: 0, replies: 0 };
  const add = (type, payload, metadata) => {
    now += 6;
    const timestamp = new Date(now).toISOString();
    const record = { timestamp, ordinal: records.length, type, payload };
    records.push(metadata ? { ...record, metadata } : record);
  };
  const event = (type, fields) => add('event_msg', { type, ...fields });
  const completed = (item, started = now) =>
    event('item_completed', {
      thread_id: THREAD,
      turn_id: turn,
      item,
      started_at_ms: started,
      completed_at_ms: now,
    });
  /** A response item with what the client notes about its place in the history. */
  const item = (payload, passthrough = {}, more = {}) => {
    sequence += 1;
    add(
      'response_item',
      { ...payload, internal_chat_message_metadata_passthrough: { turn_id: turn, ...passthrough } },
      {
        history_sequence: sequence,
        sampled_through_sequence: sampled,
        client_authored: false,
        ...more,
        model_search_state: 'unused',
      },
    );
  };
  const given = (role, text, kind) => {
    const id = `msg_${uuid(`codex/message/${records.length}`, 7)}`;
    const passthrough = { create_time: now / 1000 + 0.0003, content_item_kinds: [kind] };
    item({ type: 'message', id, role, content: [{ type: 'input_text', text }] }, passthrough);
  };
  const usage = () => {
    const input_tokens = 5200 + spent.replies * 1600;
    const one = {
      input_tokens,
      cached_input_tokens: spent.replies * 1500,
      output_tokens: 90,
      reasoning_output_tokens: spent.reasoning,
      total_tokens: input_tokens + 90,
    };
    spent.replies += 1;
    spent.all += one.total_tokens;
    const total = { ...one, input_tokens: spent.all - 90, total_tokens: spent.all };
    return { one, total };
  };
  const context = {
    cwd: FOLDER,
    approval_policy: 'never',
    approvals_reviewer: 'user',
    permission_profile: { type: 'disabled' },
    model: MODEL,
    collaboration_mode: {
      mode: 'default',
      settings: { model: MODEL, reasoning_effort: null, developer_instructions: null },
    },
  };

  add('session_meta', {
    session_id: THREAD,
    id: THREAD,
    timestamp: new Date(START).toISOString(),
    cwd: FOLDER,
    runtime_workspace_roots: [FOLDER],
    originator: 'codex_exec',
    cli_version: '0.171.0',
    source: 'exec',
    thread_source: 'user',
    model_provider: 'openai',
    base_instructions: { text: SYSTEM, provenance: { type: 'model', model: MODEL } },
    history_mode: 'paginated',
    context_window: { window_id: uuid('codex/window', 7) },
    git: { commit_hash: hex('codex/commit', 40), branch: 'main' },
  });

  const ask = (text, index) => {
    turn = uuid(`codex/turn/${index}`, 7);
    const root = { turn_id: turn, root_turn_id: turn };
    const started_at = Math.floor(now / 1000);
    event('task_started', { ...root, started_at, model_context_window: 258_400 });
    if (index === 0) {
      given('developer', PERMISSIONS, 'permissions.instructions');
      given('user', ENVIRONMENT, 'environments.environment_context');
      const environments = { local: { cwd: FOLDER, status: 'available', shell: 'bash' } };
      add('world_state', { full: true, state: { environments: { environments }, model: MODEL } });
    }
    add('turn_context', { ...root, disabled_plugin_ids: [], ...context, summary: 'auto' });
    given('user', text, 'user.text');
    const id = uuid(`codex/user/${index}`, 7);
    completed({ type: 'UserMessage', id, content: [{ type: 'text', text, text_elements: [] }] });
  };

  const reply = ({ think, say, calls = [] }, index) => {
    sampled = sequence;
    now += 2300;
    spent.reasoning = think ? 64 : 0;
    if (think) {
      const id = `rs_${hex(`codex/reasoning/${index}`, 48)}`;
      const summary = `**${think.split('. ')[0]}**`;
      completed({ type: 'Reasoning', id, summary_text: [summary], raw_content: [] });
      item({
        type: 'reasoning',
        id,
        summary: [{ type: 'summary_text', text: summary }],
        content: null,
        encrypted_content: `gAAAAA${sealed(`codex/${index}`, 5)}`,
      });
    }
    const id = `msg_${hex(`codex/reply/${index}`, 48)}`;
    completed({ type: 'AgentMessage', id, content: [{ type: 'Text', text: say }] });
    inputs += 1;
    const content = [{ type: 'output_text', text: say, annotations: [] }];
    const message = { type: 'message', status: 'completed', id, role: 'assistant', content };
    item(message, { content_item_kinds: ['unknown'] }, { user_input_order: inputs });
    for (const [place, call] of calls.entries()) {
      inputs += 1;
      item(
        {
          type: 'function_call',
          status: 'completed',
          id: `fc_${hex(`codex/item/${index}/${place}`, 48)}`,
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: commandOf(call), max_output_tokens: 20_000 }),
          call_id: `call_${token(`codex/call/${index}/${place}`, 24)}`,
        },
        {},
        { user_input_order: inputs },
      );
    }
    const { one, total } = usage();
    const ids = { thread_id: THREAD, turn_id: turn, session_id: THREAD, root_turn_id: turn };
    const response_id = `resp_${hex(`codex/response/${index}`, 48)}`;
    add('token_usage_record', { ...ids, response_id, usage: one, thread_token_usage: total });
    for (const [place, call] of calls.entries()) {
      execute(call, `call_${token(`codex/call/${index}/${place}`, 24)}`);
    }
    const primary = {
      used_percent: 4 + spent.replies,
      window_minutes: 300,
      resets_at: 1_788_270_000,
    };
    event('token_count', {
      info: { total_token_usage: total, last_token_usage: one, model_context_window: 258_400 },
      rate_limits: { limit_id: 'codex', limit_name: null, primary, secondary: null, credits: null },
    });
  };

  /** The same output twice: in full for the client's screen, and as the item that the model sees. */
  const execute = (call, call_id) => {
    const started = now;
    now += call.ms;
    const cmd = commandOf(call);
    const output = outputOf(call);
    const exit_code = call.exit ?? 0;
    completed(
      {
        type: 'CommandExecution',
        id: call_id,
        process_id: String(4000 + records.length),
        command: ['/bin/bash', '-lc', cmd],
        cwd: `file://${FOLDER}`,
        parsed_cmd: [
          call.read
            ? { type: 'read', cmd, name: call.read.split('/').at(-1), path: call.read }
            : { type: 'unknown', cmd },
        ],
        source: 'unified_exec_startup',
        status: exit_code === 0 ? 'completed' : 'failed',
        aggregated_output: output,
        exit_code,
        duration: { secs: Math.floor(call.ms / 1000), nanos: (call.ms % 1000) * 1_000_000 },
      },
      started,
    );
    const head = [
      `Chunk ID: ${hex(`codex/chunk/${call_id}`, 6)}`,
      `Wall time: ${(call.ms / 1000).toFixed(4)} seconds`,
      `Process exited with code ${exit_code}`,
      `Original token count: ${Math.ceil(output.length / 4)}`,
      'Output:',
    ];
    const id = `fco_${uuid(`codex/output/${call_id}`, 7)}`;
    const text = [...head, output].join('\n');
    item(
      { type: 'function_call_output', id, call_id, output: text },
      { create_time: now / 1000 + 0.0003 },
    );
  };

  const finish = (say) => {
    const completed_at = Math.floor(now / 1000);
    event('task_complete', {
      root_turn_id: turn,
      turn_id: turn,
      last_agent_message: say,
      completed_at,
      duration_ms: 9400,
    });
  };

  for (const [index, { user, ...rest }] of turns.entries()) {
    if (user) ask(user, index);
    else reply(rest, index);
    if (!user && !rest.calls) finish(rest.say);
  }
  return records;
}

/** The records of a rollout of the first versions: bare items, outputs that are JSON in a string. */
export function codexOld(turns) {
  const state = { record_type: 'state' };
  const timestamp = '2025-07-14T08:30:04.512Z';
  const git = { commit_hash: hex('codex/old/commit', 40), branch: 'main' };
  const records = [{ id: uuid('codex/old'), timestamp, instructions: SYSTEM, git }, state];
  for (const [index, { user, think, say, calls = [] }] of turns.entries()) {
    const role = user ? 'user' : 'assistant';
    if (think) {
      const id = `rs_${hex(`codex/old/${index}`, 48)}`;
      const summary = [{ type: 'summary_text', text: `**${think.split('. ')[0]}**` }];
      const encrypted_content = `gAAAAA${sealed(`codex/old/${index}`, 5)}`;
      records.push({ type: 'reasoning', id, summary, encrypted_content });
    }
    const type = user ? 'input_text' : 'output_text';
    const text = user ?? say;
    records.push({ type: 'message', id: null, role, content: [{ type, text }] });
    for (const [place, call] of calls.entries()) {
      const call_id = `call_${token(`codex/old/${index}/${place}`, 24)}`;
      const command = ['bash', '-lc', commandOf(call)];
      const input = JSON.stringify({ command, workdir: FOLDER, timeout: 120_000 });
      const id = `fc_${hex(`codex/old/${index}/${place}`, 48)}`;
      records.push({ type: 'function_call', id, name: 'shell', arguments: input, call_id }, state);
      const duration_seconds = Number((call.ms / 1000).toFixed(1));
      const metadata = { exit_code: call.exit ?? 0, duration_seconds };
      const output = JSON.stringify({ output: outputOf(call), metadata });
      records.push({ type: 'function_call_output', call_id, output });
    }
    records.push(state);
  }
  return records;
}
