// LangChain messages in their spellings, and the state of a LangGraph thread.
import { sealed, token, uuid } from './dice.mjs';
import { answer, RECEIPT, SYSTEM } from './story.mjs';

const MODEL = 'claude-sonnet-4-5';

/** Name and arguments of a call. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'run_command', args: { command: run } };
  if (read) return { name: 'read_file', args: { path: read } };
  return { name: 'replace_in_file', args: { path: edit, from, to } };
}

const fields = (name, content, label, more = {}) => ({
  content,
  additional_kwargs: {},
  response_metadata: {},
  type: name,
  name: null,
  id: uuid(`langchain/${label}`),
  ...more,
});

function humanOf({ user, picture }, index) {
  const url = `data:image/png;base64,${RECEIPT}`;
  const blocks = [
    { type: 'text', text: user },
    { type: 'image_url', image_url: { url } },
  ];
  return fields('human', picture ? blocks : user, `human/${index}`, { example: false });
}

/** A reply as langchain-anthropic keeps it: the content repeats the calls. */
function replyOf({ think, say, calls = [] }, index, callId) {
  const blocks = [
    ...(think ? [{ type: 'thinking', thinking: think, signature: sealed(`lc/${index}`) }] : []),
    { type: 'text', text: say },
    ...calls.map((call, place) => {
      const { name, args: input } = use(call);
      return { type: 'tool_use', id: callId(place), name, input };
    }),
  ];
  const content = calls.length === 0 && !think ? say : blocks;
  const input_tokens = 2100 + index * 1900;
  return fields('ai', content, `ai/${index}`, {
    response_metadata: { id: `msg_01${token(`lc/${index}`, 22)}`, model_name: MODEL },
    example: false,
    tool_calls: calls.map((call, place) => ({
      ...use(call),
      id: callId(place),
      type: 'tool_call',
    })),
    invalid_tool_calls: [],
    usage_metadata: { input_tokens, output_tokens: 90, total_tokens: input_tokens + 90 },
  });
}

function toolOf(call, index, place, tool_call_id) {
  const text = answer(call);
  const content = place === 0 ? text : [{ type: 'text', text }];
  return fields('tool', content, `tool/${index}/${place}`, {
    name: use(call).name,
    tool_call_id,
    artifact: call.run ? { stdout: text, duration_ms: call.ms } : null,
    status: call.exit ? 'error' : 'success',
  });
}

/** Messages as `model_dump` gives them, which is also what the LangGraph API sends. */
function flat(turns) {
  return [
    fields('system', SYSTEM, 'system'),
    ...turns.flatMap((turn, index) => {
      if (turn.user) return [humanOf(turn, index)];
      const callId = (place) => `toolu_01${token(`lc/${index}/${place}`, 22)}`;
      const results = (turn.calls ?? []).map((call, place) =>
        toolOf(call, index, place, callId(place)),
      );
      return [replyOf(turn, index, callId), ...results];
    }),
  ];
}

/** The state of a thread, as `GET /threads/ID/state` gives it. */
export const state = (turns) => ({
  values: { messages: flat(turns) },
  next: [],
  tasks: [],
  metadata: { source: 'loop', step: 21, parents: {} },
  created_at: '2026-09-01T08:31:12.412093+00:00',
  checkpoint: {
    checkpoint_id: uuid('langchain/checkpoint', 6),
    thread_id: uuid('langchain/thread'),
    checkpoint_ns: '',
  },
});

/** `messages_to_dict`. */
export const dicts = (turns) => flat(turns).map((data) => ({ type: data.type, data }));

const CLASSES = {
  system: 'SystemMessage',
  human: 'HumanMessage',
  ai: 'AIMessage',
  tool: 'ToolMessage',
};

/** `dumpd`: the constructors with what differs from their defaults. */
export const dumped = (turns) =>
  flat(turns).map(({ additional_kwargs: _a, example: _e, name, artifact, ...kwargs }) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', CLASSES[kwargs.type]],
    kwargs: { ...kwargs, ...(name ? { name } : {}), ...(artifact ? { artifact } : {}) },
  }));
