// OpenHands: events of 0.x as a list and as a session folder, events of the SDK (1.x) as a list and a folder.
import { sealed, token, uuid } from './dice.mjs';
import { answer, FOLDER, RECEIPT, SYSTEM } from './story.mjs';

const START = Date.UTC(2026, 8, 1, 8, 30, 12, 408);
const URL = `data:image/png;base64,${RECEIPT}`;
/** As Python's datetime.isoformat() has it. */
const time = (index) => `${new Date(START + index * 2500).toISOString().slice(0, -1)}517`;

const BASH = {
  name: 'execute_bash',
  description: 'Runs a shell command.',
  parameters: { type: 'object' },
};
const EDITOR = {
  name: 'str_replace_editor',
  description: 'Views and edits files.',
  parameters: { type: 'object' },
};

const texts = (text) => [{ cache_prompt: false, type: 'text', text }];

/** Name and input of a call. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'execute_bash', input: { command: run } };
  const path = `${FOLDER}/${read ?? edit}`;
  if (read) return { name: 'str_replace_editor', input: { command: 'view', path } };
  const input = { command: 'str_replace', path, old_str: from, new_str: to };
  return { name: 'str_replace_editor', input };
}

/** Events of OpenHands 0.x. */
export function openhandsEvents(turns, condensed) {
  const events = [];
  const add = (event) =>
    events.push({ id: events.length, timestamp: time(events.length), ...event });
  add({
    source: 'agent',
    message: SYSTEM,
    action: 'system',
    args: {
      content: SYSTEM,
      tools: [BASH, EDITOR],
      openhands_version: '0.59.0',
      agent_class: 'CodeActAgent',
    },
  });
  for (const [index, turn] of turns.entries()) {
    if (condensed !== undefined && index === condensed) {
      const summary =
        'USER_CONTEXT: order A-4471 was charged one cent too little. The tests were run with a log; one fails.';
      const args = {
        forgotten_events_start_id: 3,
        forgotten_events_end_id: 4,
        summary,
        summary_offset: 2,
      };
      add({ source: 'agent', message: summary, action: 'condensation', args });
    }
    if (turn.user) say(add, turn, index);
    else reply(add, events, turn, index);
  }
  return events;
}

function say(add, { user, picture }, index) {
  const args = {
    content: user,
    file_urls: [],
    image_urls: picture ? [URL] : [],
    wait_for_response: false,
  };
  add({ source: 'user', message: user, action: 'message', args });
  if (index > 0) return;
  const extras = {
    recall_type: 'workspace_context',
    repo_name: 'dev/shop',
    repo_directory: 'shop',
    date: '2026-09-01',
    microagent_knowledge: [],
  };
  add({
    source: 'environment',
    message: 'Added workspace context',
    observation: 'recall',
    content: 'Added workspace context',
    cause: 1,
    extras,
  });
}

function reply(add, events, { say: text, calls = [] }, index) {
  if (calls.length === 0) {
    const args = { content: text, image_urls: null, wait_for_response: true };
    add({ source: 'agent', message: text, action: 'message', args });
    add({
      source: 'environment',
      message: '',
      observation: 'agent_state_changed',
      content: '',
      extras: { agent_state: 'awaiting_user_input' },
    });
    return;
  }
  const id = (place) => `toolu_01${token(`openhands/${index}/${place}`, 22)}`;
  const toolCalls = calls.map((call, place) => {
    const { name, input } = use(call);
    return {
      index: place,
      function: { arguments: JSON.stringify(input), name },
      id: id(place),
      type: 'function',
    };
  });
  const message = { content: text, role: 'assistant', tool_calls: toolCalls, function_call: null };
  const model = {
    id: `chatcmpl-${uuid(`openhands/${index}`)}`,
    created: Math.floor(START / 1000) + index * 5,
    model: 'gpt-4.1',
    object: 'chat.completion',
    choices: [{ finish_reason: 'tool_calls', index: 0, message }],
    usage: { completion_tokens: 74, prompt_tokens: 900 + index * 1700 },
  };
  for (const [place, call] of calls.entries()) {
    const { name, input } = use(call);
    const tool_call_metadata = {
      function_name: name,
      tool_call_id: id(place),
      model_response: model,
      total_calls_in_response: calls.length,
    };
    const thought = place === 0 ? text : '';
    const action = call.run
      ? {
          message: `Running command: ${call.run}`,
          action: 'run',
          args: { command: call.run, is_input: false, thought, blocking: false },
        }
      : {
          message: `${call.read ? 'Reading' : 'Editing'} file: ${input.path}`,
          action: call.read ? 'read' : 'edit',
          args: { ...input, thought },
        };
    add({ source: 'agent', ...action, timeout: 120, tool_call_metadata });
    const cause = events.length - 1;
    const content = answer(call);
    const observed = call.run
      ? {
          message: `Command \`${call.run}\` executed with exit code ${call.exit ?? 0}.`,
          observation: 'run',
          content,
          extras: {
            command: call.run,
            metadata: { exit_code: call.exit ?? 0, working_dir: FOLDER, suffix: '' },
            hidden: false,
          },
          success: !call.exit,
        }
      : {
          message: `I ${call.read ? 'read' : 'edited'} the file ${input.path}.`,
          observation: call.read ? 'read' : 'edit',
          content,
          extras: { path: input.path, impl_source: 'oh_aci' },
        };
    add({ source: 'agent', ...observed, cause, tool_call_metadata });
  }
}

/** Files of a session of OpenHands 0.x, by path: events, and full pages of them again. */
export function openhandsLog(turns) {
  const events = openhandsEvents(turns, 3);
  const files = new Map();
  for (let start = 0; start + 25 <= events.length; start += 25)
    files.set(`event_cache/${start}-${start + 25}.json`, events.slice(start, start + 25));
  for (const event of events) files.set(`events/${event.id}.json`, event);
  files.set('metadata.json', {
    conversation_id: 'shop',
    title: 'One cent',
    selected_repository: 'dev/shop',
  });
  return files;
}

/** Events of the OpenHands SDK (1.x), with a condensation of the client's own. */
export function openhandsSdk(turns) {
  const events = [];
  const add = (event, kind) => {
    const id = uuid(`openhands-sdk/${events.length}`);
    events.push({ id, timestamp: time(events.length), ...event, kind });
    return id;
  };
  add(
    { source: 'agent', system_prompt: texts(SYSTEM)[0], tools: [BASH, EDITOR] },
    'SystemPromptEvent',
  );
  for (const [index, { user, picture, think, say: text, calls = [] }] of turns.entries()) {
    if (user) {
      const image = { cache_prompt: false, type: 'image', image_urls: [URL] };
      const content = [...texts(user), ...(picture ? [image] : [])];
      add(
        {
          source: 'user',
          llm_message: { role: 'user', content, tool_call_id: null },
          activated_skills: [],
          extended_content: [],
        },
        'MessageEvent',
      );
      continue;
    }
    if (calls.length === 0) {
      const message = { role: 'assistant', content: texts(text), thinking_blocks: [] };
      add(
        { source: 'agent', llm_message: message, activated_skills: [], extended_content: [] },
        'MessageEvent',
      );
      if (index < turns.length - 1) condense(events, add, index);
      continue;
    }
    const response = `msg_${token(`openhands-sdk/${index}`, 24)}`;
    const made = calls.map((call, place) => {
      const { name, input } = use(call);
      const callId = `toolu_01${token(`openhands-sdk/${index}/${place}`, 22)}`;
      const thinking =
        think && place === 0
          ? [{ type: 'thinking', thinking: think, signature: sealed(`openhands-sdk/${index}`) }]
          : [];
      const actionId = add(
        {
          source: 'agent',
          thought: place === 0 ? texts(text) : [],
          reasoning_content: null,
          thinking_blocks: thinking,
          action: { ...input, kind: call.run ? 'ExecuteBashAction' : 'FileEditorAction' },
          tool_name: name,
          tool_call_id: callId,
          tool_call: { id: callId, name, arguments: JSON.stringify(input), origin: 'completion' },
          llm_response_id: response,
          security_risk: 'LOW',
        },
        'ActionEvent',
      );
      return { call, name, callId, actionId };
    });
    for (const { call, name, callId, actionId } of made) {
      const kind = call.run ? 'ExecuteBashObservation' : 'FileEditorObservation';
      const status = call.run
        ? { command: call.run, exit_code: call.exit ?? 0, timeout: false }
        : { command: 'view' };
      const observation = {
        content: texts(answer(call)),
        is_error: Boolean(call.exit),
        ...status,
        kind,
      };
      add(
        {
          source: 'environment',
          tool_name: name,
          tool_call_id: callId,
          observation,
          action_id: actionId,
        },
        'ObservationEvent',
      );
    }
  }
  return events;
}

/** The client forgets the second half of the first task, and says so. */
function condense(events, add, index) {
  const forgotten = events.slice(-5, -1).map(({ id }) => id);
  const summary = 'The rounding in toCents() was corrected; all tests pass.';
  const condensation = {
    forgotten_event_ids: forgotten,
    summary,
    summary_offset: 4,
    llm_response_id: `msg_${token(`condense/${index}`, 24)}`,
  };
  add({ source: 'environment', ...condensation }, 'Condensation');
}

/** Files of a conversation of the SDK, by path. */
export function openhandsSdkLog(turns) {
  const events = openhandsSdk(turns);
  const files = new Map();
  files.set('base_state.json', {
    id: uuid('openhands-sdk/conversation'),
    agent: { kind: 'Agent', llm: { model: 'anthropic/claude-sonnet-4-5' } },
  });
  for (const [index, event] of events.entries())
    files.set(`events/event-${String(index).padStart(5, '0')}-${event.id}.json`, event);
  return files;
}
