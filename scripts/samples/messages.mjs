// OpenAI Chat Completions and Anthropic Messages: request bodies as an application logs them.
import { sealed, token } from './dice.mjs';
import { answer, RECEIPT, SYSTEM } from './story.mjs';

const TOOLS = [
  {
    name: 'run_command',
    description: 'Runs a shell command in the folder of the project and returns what it prints.',
    parameters: { command: 'The command line' },
  },
  {
    name: 'read_file',
    description: 'Returns the text of a file.',
    parameters: { path: 'Path, relative to the project' },
  },
  {
    name: 'replace_in_file',
    description: 'Replaces a text that occurs once in a file.',
    parameters: { path: 'Path', from: 'The text to replace', to: 'The new text' },
  },
];

const schema = (parameters) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(parameters).map(([name, description]) => [
      name,
      { type: 'string', description },
    ]),
  ),
  required: Object.keys(parameters),
});

/** Name and input of a call. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'run_command', input: { command: run } };
  if (read) return { name: 'read_file', input: { path: read } };
  return { name: 'replace_in_file', input: { path: edit, from, to } };
}

/** What came back; a failed command says so, since the API has no other place for it. */
const result = (call) => (call.exit ? `${answer(call)}\n[exit code ${call.exit}]` : answer(call));

/** Messages of Chat Completions. */
export function openaiMessages(turns) {
  const messages = [{ role: 'system', content: SYSTEM }];
  for (const [index, { user, picture, say, calls = [] }] of turns.entries()) {
    if (user) {
      const url = `data:image/png;base64,${RECEIPT}`;
      const parts = [
        { type: 'text', text: user },
        { type: 'image_url', image_url: { url, detail: 'low' } },
      ];
      messages.push({ role: 'user', content: picture ? parts : user });
      continue;
    }
    const id = (place) => `call_${token(`openai/${index}/${place}`, 24)}`;
    const toolCalls = calls.map((call, place) => {
      const { name, input } = use(call);
      return {
        id: id(place),
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      };
    });
    messages.push({
      role: 'assistant',
      content: say,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    });
    for (const [place, call] of calls.entries())
      messages.push({ role: 'tool', tool_call_id: id(place), content: result(call) });
  }
  return messages;
}

/** A request body of Chat Completions. */
export function openaiBody(turns) {
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: schema(parameters) },
  }));
  return { model: 'gpt-4.1', messages: openaiMessages(turns), tools };
}

function anthropicMessages(turns) {
  const messages = [];
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const source = { type: 'base64', media_type: 'image/png', data: RECEIPT };
      const blocks = [
        { type: 'image', source },
        { type: 'text', text: user },
      ];
      messages.push({ role: 'user', content: picture ? blocks : user });
      continue;
    }
    const id = (place) => `toolu_01${token(`anthropic/${index}/${place}`, 22)}`;
    const signature = sealed(`anthropic/${index}`);
    messages.push({
      role: 'assistant',
      content: [
        ...(think ? [{ type: 'thinking', thinking: think, signature }] : []),
        { type: 'text', text: say },
        ...calls.map((call, place) => ({ type: 'tool_use', id: id(place), ...use(call) })),
      ],
    });
    if (calls.length === 0) continue;
    messages.push({
      role: 'user',
      content: calls.map((call, place) => ({
        type: 'tool_result',
        tool_use_id: id(place),
        content: place === 0 ? result(call) : [{ type: 'text', text: result(call) }],
        ...(call.exit ? { is_error: true } : {}),
      })),
    });
  }
  return messages;
}

/** A request body of the Messages API. */
export function anthropicBody(turns) {
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: schema(parameters),
  }));
  return {
    model: 'claude-sonnet-4-5',
    max_tokens: 16_000,
    thinking: { type: 'enabled', budget_tokens: 8000 },
    system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
    tools,
    messages: anthropicMessages(turns),
  };
}
