// Task histories of Cline and Roo Code (api_conversation_history.json), and a session file of Cline's SDK.
import { sealed, token } from './dice.mjs';
import { answer, FOLDER, RECEIPT, SYSTEM } from './story.mjs';

const START = Date.UTC(2026, 8, 1, 8, 30, 4);
const MODEL = 'claude-sonnet-4-5';

/** Name and input of a call, with the names of Cline's tools. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'execute_command', input: { command: run, requires_approval: false } };
  if (read) return { name: 'read_file', input: { path: read } };
  const diff = `------- SEARCH\n${from}\n=======\n${to}\n+++++++ REPLACE`;
  return { name: 'replace_in_file', input: { path: edit, diff } };
}

const DETAILS = `<environment_details>\n# Visual Studio Code Visible Files\nsrc/pricing.js\n\n# Current Working Directory (${FOLDER}) Files\nCHANGELOG.md\npackage.json\nsrc/money.js\nsrc/pricing.js\ntest/pricing.tests.js\n\n# Current Mode\nACT MODE\n</environment_details>`;

const result = (call) =>
  call.exit
    ? `The tool execution failed with the following error:\n<error>\nExit code ${call.exit}\n${answer(call)}\n</error>`
    : answer(call);

/** One step of the clock for every message. */
const clock = () => {
  let now = START;
  return () => {
    now += 4100;
    return now;
  };
};

/** Messages as the extension stores them. */
function taskMessages(turns, { label, own = () => ({}), before = () => [] }) {
  const tick = clock();
  const messages = [];
  for (const [index, turn] of turns.entries()) {
    const { user, picture, think, say, calls = [] } = turn;
    if (user) {
      const source = { type: 'base64', media_type: 'image/png', data: RECEIPT };
      const text = index === 0 ? `<task>\n${user}\n</task>` : `<feedback>\n${user}\n</feedback>`;
      const content = [
        { type: 'text', text },
        ...(picture ? [{ type: 'image', source }] : []),
        { type: 'text', text: DETAILS },
      ];
      messages.push({ role: 'user', content, ts: tick() });
      continue;
    }
    const id = (place) => `toolu_01${token(`${label}/${index}/${place}`, 22)}`;
    const content = [
      ...(think
        ? [{ type: 'thinking', thinking: think, signature: sealed(`${label}/${index}`) }]
        : []),
      { type: 'text', text: say },
      ...calls.map((call, place) => ({ type: 'tool_use', id: id(place), ...use(call) })),
    ];
    messages.push(...before(turn, index, tick));
    messages.push({ role: 'assistant', content, ts: tick(), ...own(turn, index) });
    if (calls.length === 0) continue;
    const results = calls.map((call, place) => ({
      type: 'tool_result',
      tool_use_id: id(place),
      content: place === 0 ? result(call) : [{ type: 'text', text: result(call) }],
      ...(call.exit ? { is_error: true } : {}),
    }));
    messages.push({
      role: 'user',
      content: [...results, { type: 'text', text: DETAILS }],
      ts: tick(),
    });
  }
  return messages;
}

/** A task of Cline. */
export const cline = (turns) =>
  taskMessages(turns, {
    label: 'cline',
    own: (_turn, index) => ({
      modelInfo: { modelId: MODEL, providerId: 'anthropic', mode: 'act' },
      metrics: {
        tokens: { prompt: 2100 + index * 1900, completion: 74, cached: index * 1700 },
        cost: 0.0123,
      },
    }),
  });

const OLDER = 'c0ffee12-0001-4000-8000-000000000001';
const HIDDEN = 'c0ffee12-0002-4000-8000-000000000002';

const text = (value) => [{ type: 'text', text: value }];
const tag = (message, at) => ({ ...message, ts: START - 90_000 + at * 1000 });

/** What went before in the same task: condensed by the client into a summary, then a truncation. */
function earlier() {
  const call = { type: 'tool_use', id: 'toolu_01old', name: 'list_files', input: { path: 'src' } };
  const listing = Array.from({ length: 60 }, (_, n) => `src/part-${n + 1}.js`).join('\n');
  return [
    {
      role: 'user',
      content: text('<task>\nWhere are prices made?\n</task>'),
      condenseParent: OLDER,
    },
    {
      role: 'assistant',
      content: [...text('I will look at the sources.'), call],
      condenseParent: OLDER,
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call.id, content: listing }],
      condenseParent: OLDER,
    },
    {
      role: 'user',
      content: text('Conversation summary: prices are made in src/pricing.js, in whole cents.'),
      isSummary: true,
      condenseId: OLDER,
    },
    { role: 'assistant', content: text('Understood.'), truncationParent: HIDDEN },
    {
      role: 'user',
      content: text('[Sliding window truncation: 1 message hidden to reduce context]'),
      isTruncationMarker: true,
      truncationId: HIDDEN,
    },
  ].map(tag);
}

/** A task of Roo Code, with what it has condensed and hidden before; reasoning is an item of its own. */
export function rooCode(turns) {
  const messages = taskMessages(
    turns.map(({ think, ...turn }) => ({ ...turn, reasons: think })),
    {
      label: 'roo',
      before: ({ reasons }, index, tick) =>
        reasons
          ? [
              {
                role: 'assistant',
                type: 'reasoning',
                summary: [],
                encrypted_content: sealed(`roo/${index}`),
                id: `rs_${token(`roo/${index}`, 32)}`,
                content: [],
                ts: tick(),
              },
            ]
          : [],
    },
  );
  return [...earlier(), ...messages];
}

/** A session of Cline's SDK: tool results are named, may be JSON, and files lie beside the prompt. */
export function clineSdk(turns) {
  const tick = clock();
  const messages = [];
  const add = (role, content, more = {}) =>
    messages.push({ id: token(`cline-sdk/${messages.length}`, 21), role, content, ...more });
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const file = {
        type: 'file',
        path: `${FOLDER}/package.json`,
        content: '{\n  "name": "shop",\n  "type": "module"\n}\n',
      };
      const image = { type: 'image', data: RECEIPT, mediaType: 'image/png' };
      const more = index === 0 ? [file] : picture ? [image] : [];
      add('user', [{ type: 'text', text: user }, ...more]);
      continue;
    }
    const id = (place) => `toolu_01${token(`cline-sdk/${index}/${place}`, 22)}`;
    const content = [
      ...(think
        ? [{ type: 'thinking', thinking: think, signature: sealed(`cline-sdk/${index}`) }]
        : []),
      { type: 'text', text: say },
      ...calls.map((call, place) => ({ type: 'tool_use', id: id(place), ...use(call) })),
    ];
    const metrics = {
      inputTokens: 400 + index,
      outputTokens: 74,
      cacheReadTokens: index * 1700,
      cacheWriteTokens: 1200,
      cost: 0.0123,
    };
    const modelInfo = { id: MODEL, provider: 'anthropic', family: 'claude-sonnet-4' };
    add('assistant', content, { ts: tick(), modelInfo, ...(calls.length > 0 ? {} : { metrics }) });
    if (calls.length === 0) continue;
    const results = calls.map((call, place) => ({
      type: 'tool_result',
      tool_use_id: id(place),
      name: use(call).name,
      content: call.run
        ? [{ query: call.run, result: answer(call), success: !call.exit }]
        : answer(call),
      is_error: Boolean(call.exit),
    }));
    add('user', results);
  }
  return {
    version: 1,
    updated_at: new Date(START + 900_000).toISOString(),
    agent: 'lead',
    sessionId: `1788251404000_${token('cline-sdk/session', 5).toLowerCase()}`,
    messages,
    system_prompt: SYSTEM,
  };
}
