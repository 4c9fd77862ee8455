// OpenAI Responses: a request body that holds its whole input, and a session of the Agents SDK with an item a line.
import { hex, sealed, token } from './dice.mjs';
import { answer, RECEIPT, SYSTEM } from './story.mjs';

const MODEL = 'gpt-5.1';

/** Name and input of a call. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'run_command', input: { command: run } };
  if (read) return { name: 'read_file', input: { path: read } };
  return { name: 'replace_in_file', input: { path: edit, from, to } };
}

/** What came back; a failed command says so, since a function has no other place for it. */
const result = (call) => (call.exit ? `${answer(call)}\n[exit code ${call.exit}]` : answer(call));

const tool = (name, description, ...keys) => ({
  type: 'function',
  name,
  description,
  strict: true,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
    required: keys,
    additionalProperties: false,
  },
});

/** Items of one reply, with ids as the service gives them. */
function reply({ think, say, calls = [] }, index, label) {
  const id = (kind, place = 0) => `${kind}_${hex(`${label}/${index}/${kind}/${place}`, 48)}`;
  const reasoning = {
    id: id('rs'),
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: think ?? '' }],
    encrypted_content: `gAAAAAB${sealed(`${label}/${index}`, 6)}`,
  };
  const content = [{ type: 'output_text', text: say, annotations: [] }];
  const message = {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content,
  };
  return [
    ...(think ? [reasoning] : []),
    message,
    ...calls.map((call, place) => {
      const { name, input } = use(call);
      return {
        id: id('fc', place),
        type: 'function_call',
        status: 'completed',
        call_id: callId(label, index, place),
        name,
        arguments: JSON.stringify(input),
      };
    }),
  ];
}

const callId = (label, index, place) => `call_${token(`${label}/${index}/${place}`, 24)}`;

function items(turns, label) {
  const list = [];
  for (const [index, turn] of turns.entries()) {
    const { user, picture, calls = [] } = turn;
    if (user) {
      const image_url = `data:image/png;base64,${RECEIPT}`;
      const content = [
        { type: 'input_text', text: user },
        { type: 'input_image', image_url, detail: 'auto' },
      ];
      list.push(picture ? { role: 'user', content } : { role: 'user', content: user });
      continue;
    }
    list.push(...reply(turn, index, label));
    for (const [place, call] of calls.entries()) {
      const output = place === 0 ? result(call) : [{ type: 'input_text', text: result(call) }];
      list.push({ type: 'function_call_output', call_id: callId(label, index, place), output });
    }
  }
  return list;
}

/** A request body; what went before was compacted by the service. */
export function responsesBody(turns) {
  const compaction = {
    id: `cmp_${hex('responses/compaction', 48)}`,
    type: 'compaction',
    encrypted_content: `gAAAAAB${sealed('responses/compaction', 8)}`,
  };
  return {
    model: MODEL,
    instructions: SYSTEM,
    input: [compaction, ...items(turns, 'responses')],
    tools: [
      tool('run_command', 'Runs a shell command and returns what it prints.', 'command'),
      tool('read_file', 'Returns the text of a file.', 'path'),
      tool('replace_in_file', 'Replaces a text that occurs once.', 'path', 'from', 'to'),
    ],
    include: ['reasoning.encrypted_content'],
    store: false,
  };
}

/** The items of a session; one call has not ended. */
export function responsesSession(turns) {
  const call_id = callId('session', 'open', 0);
  const call = {
    type: 'function_call',
    id: `fc_${hex('session/open', 48)}`,
    status: 'in_progress',
    call_id,
    name: 'run_command',
    arguments: '{"command":"npm run deploy"}',
  };
  const output = { type: 'function_call_output', call_id, output: 'queued', status: 'in_progress' };
  return [
    ...items(turns, 'session'),
    { role: 'user', content: 'Deploy it.' },
    call,
    output,
    ...reply({ say: 'The deployment is queued.' }, 'last', 'session'),
  ];
}
