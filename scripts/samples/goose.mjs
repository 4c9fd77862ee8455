// Goose: a session file of lines, and the export of a session that was compacted before.
import { hex, token } from './dice.mjs';
import { answer, FOLDER, RECEIPT } from './story.mjs';

const START = 1_767_600_000;
const BOTH = { userVisible: true, agentVisible: true };

function use({ run, read, edit, from, to }) {
  if (run) return { name: 'developer__shell', arguments: { command: run } };
  const path = `${FOLDER}/${read ?? edit}`;
  if (read) return { name: 'developer__text_editor', arguments: { command: 'view', path } };
  const args = { command: 'str_replace', path, old_str: from, new_str: to };
  return { name: 'developer__text_editor', arguments: args };
}

/** A failed call in the words of the client; a success as items for the agent, with a short one for the screen. */
function toolResult(call, modern) {
  if (call.exit) return { status: 'error', error: `Execution failed: ${answer(call)}` };
  const content = [
    { type: 'text', text: answer(call), annotations: { audience: ['assistant'] } },
    {
      type: 'text',
      text: `${use(call).name}: done`,
      annotations: { audience: ['user'], priority: 0 },
    },
  ];
  return { status: 'success', value: modern ? { content, isError: false } : content };
}

function gooseMessages(turns, modern) {
  const messages = [];
  const add = (role, content, metadata = BOTH) => {
    const order = messages.length + 1;
    const id = modern ? { id: `msg_${token(`goose/${order}`, 20)}` } : {};
    messages.push({ ...id, role, created: START + order * 4, content, metadata });
  };
  if (modern) before(add);
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const image = { type: 'image', data: RECEIPT, mimeType: 'image/png' };
      add('user', [{ type: 'text', text: user }, ...(picture ? [image] : [])]);
      continue;
    }
    const id = (place) => `toolu_${token(`goose/${index}/${place}`, 24)}`;
    const signature = hex(`goose/${index}`, 64);
    add('assistant', [
      ...(think ? [{ type: 'thinking', thinking: think, signature }] : []),
      { type: 'text', text: say },
      ...calls.map((call, place) => ({
        type: 'toolRequest',
        id: id(place),
        toolCall: { status: 'success', value: use(call) },
      })),
    ]);
    if (calls.length === 0) continue;
    add(
      'user',
      calls.map((call, place) => ({
        type: 'toolResponse',
        id: id(place),
        toolResult: toolResult(call, modern),
      })),
    );
  }
  return messages;
}

/** Messages from before a compaction, which the person alone sees, and what the agent sees in their place. */
function before(add) {
  const hidden = { userVisible: true, agentVisible: false };
  add('user', [{ type: 'text', text: 'Which node version does this shop need?' }], hidden);
  add('assistant', [{ type: 'text', text: 'Node 20.12 or later, says .nvmrc.' }], hidden);
  const summary = 'The shop in /home/dev/shop runs on Node 20.12 or later.';
  add('user', [{ type: 'text', text: summary }], { userVisible: false, agentVisible: true });
  const notice = { type: 'systemNotification', notificationType: 'inlineMessage' };
  add('assistant', [{ ...notice, msg: 'Compaction complete' }], hidden);
  add('assistant', [{ type: 'text', text: 'I go on from here.' }], {
    userVisible: false,
    agentVisible: true,
  });
}

/** Lines of a session file. */
export function goose(turns) {
  const messages = gooseMessages(turns, false);
  const about = {
    working_dir: FOLDER,
    description: 'One cent too little',
    schedule_id: null,
    message_count: messages.length,
    total_tokens: 15_120,
    input_tokens: 14_800,
    output_tokens: 320,
  };
  return [about, ...messages];
}

/** The document that `goose session export --format json` writes. */
export function gooseExport(turns) {
  const conversation = gooseMessages(turns, true);
  return {
    id: '20260105_1',
    working_dir: FOLDER,
    name: 'One cent too little',
    created_at: '2026-01-05T08:00:00Z',
    updated_at: '2026-01-05T08:02:00Z',
    extension_data: {},
    total_tokens: 15_120,
    input_tokens: 14_800,
    output_tokens: 320,
    provider_name: 'anthropic',
    model_config: { model_name: 'claude-sonnet-4-5', context_limit: 200_000 },
    conversation,
    message_count: conversation.length,
  };
}
