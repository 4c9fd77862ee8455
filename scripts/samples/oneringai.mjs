// A session file of OneRingAI, and the history journal beside it.
import { sealed, token } from './dice.mjs';
import { answer, RECEIPT, SYSTEM } from './story.mjs';

const START = Date.UTC(2026, 8, 1, 8, 30, 4);

/** Name and arguments of a call, with the names of the built-in tools. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'bash', input: { command: run } };
  if (read) return { name: 'read_file', input: { file_path: read } };
  return { name: 'edit_file', input: { file_path: edit, old_string: from, new_string: to } };
}

/** Messages in the order of the conversation. */
function conversation(turns) {
  let now = START;
  const items = [];
  const add = (role, content) => {
    now += 3100;
    const id = `${now}_${token(`oneringai/${items.length}`, 7).toLowerCase()}`;
    items.push({ type: 'message', id, role, content });
  };
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const image_url = { url: `data:image/png;base64,${RECEIPT}`, detail: 'auto' };
      const image = picture ? [{ type: 'input_image_url', image_url }] : [];
      add('user', [{ type: 'input_text', text: user }, ...image]);
      continue;
    }
    const id = (place) => `call_${token(`oneringai/${index}/${place}`, 24)}`;
    const signature = sealed(`oneringai/${index}`);
    add('assistant', [
      ...(think ? [{ type: 'thinking', thinking: think, signature, persistInHistory: true }] : []),
      { type: 'output_text', text: say, annotations: [] },
      ...calls.map((call, place) => {
        const { name, input } = use(call);
        return { type: 'tool_use', id: id(place), name, arguments: JSON.stringify(input) };
      }),
    ]);
    if (calls.length === 0) continue;
    const results = calls.map((call, place) => ({
      type: 'tool_result',
      tool_use_id: id(place),
      content: call.run
        ? JSON.stringify({ success: !call.exit, stdout: answer(call), exitCode: call.exit ?? 0 })
        : answer(call),
      ...(call.exit ? { error: `Command failed with exit code ${call.exit}` } : {}),
    }));
    add('user', results);
  }
  return items;
}

const message = (place, role, content) => ({
  type: 'message',
  id: `${START + 200_000 + place}_${token(`oneringai/late/${place}`, 7).toLowerCase()}`,
  role,
  content,
});
const text = (value) => [{ type: 'input_text', text: value }];

/** A call that ended later: its result came in a message of its own. */
function late() {
  const id = `call_${token('oneringai/late', 24)}`;
  const placeholder =
    'Tool "web_search" is executing asynchronously. The result will be delivered in a follow-up message. Continue with other work in the meantime.';
  return [
    message(1, 'user', text('Is there a rule for rounding cents in the EU?')),
    message(2, 'assistant', [
      { type: 'tool_use', id, name: 'web_search', arguments: '{"query":"EU rounding of cents"}' },
    ]),
    message(3, 'user', [{ type: 'tool_result', tool_use_id: id, content: placeholder }]),
    message(4, 'assistant', [{ type: 'output_text', text: 'I am looking it up.' }]),
    message(
      5,
      'user',
      text(
        `[Async Tool Results]\n\nTool "web_search" (${id}) completed:\nAmounts are rounded half up to the nearest cent.\n\nProcess these results and continue.`,
      ),
    ),
    message(6, 'assistant', [{ type: 'output_text', text: 'Yes: half up, to the nearest cent.' }]),
  ];
}

const compaction = () => ({
  type: 'compaction',
  id: `cmp_${token('oneringai/compaction', 24)}`,
  encrypted_content: sealed('oneringai/compaction', 8),
});

/** The session file. */
export function oneringai(turns) {
  const savedAt = START + 300_000;
  return {
    version: 1,
    sessionId: 'Shop.01',
    createdAt: new Date(START).toISOString(),
    lastSavedAt: new Date(savedAt).toISOString(),
    state: {
      conversation: [compaction(), ...conversation(turns), ...late()],
      pluginStates: {
        working_memory: {
          version: 1,
          entries: [
            {
              key: 'raw.tool_result.grep.00000007',
              description: 'grep(pattern="TODO")',
              value: 'src/tax.js:12: // TODO: reduced rates',
              scope: 'session',
              sizeBytes: 37,
              basePriority: 'low',
              pinned: false,
            },
          ],
        },
        in_context_memory: { entries: [] },
      },
      systemPrompt: SYSTEM,
      metadata: { savedAt, agentId: 'Shop Agent', model: 'gpt-4.1' },
    },
    metadata: { title: 'One cent too little' },
  };
}

/** The journal: one line a message. */
export function oneringaiJournal(turns) {
  let turnIndex = 0;
  return [...conversation(turns), ...late()].map((item) => {
    const results = item.content.some(({ type }) => type === 'tool_result');
    if (item.role === 'user' && !results) turnIndex += 1;
    const type = results ? 'tool_result' : item.role;
    return { timestamp: Number(item.id.split('_')[0]), type, item, turnIndex };
  });
}
