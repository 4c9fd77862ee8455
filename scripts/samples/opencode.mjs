// OpenCode: a session with a compaction in front of the story, as an export and as the files of its storage.
import { hex, token } from './dice.mjs';
import { answer, FOLDER, RECEIPT } from './story.mjs';

const START = 1_767_600_000_000;
const PROJECT = hex('opencode/project', 40);
const MODEL = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' };

/** Ids sort by time: 12 hexadecimal digits, then letters that say nothing. */
const id = (prefix, order, label) =>
  `${prefix}_${(0x9b8c_5f00_0001 + order * 0x1000).toString(16)}${token(`opencode/${label}`, 14)}`;

const SESSION = id('ses', 0, 'session');

/** Name, input and title of a call. */
function use({ run, what, read, edit, from, to }) {
  if (run) return { tool: 'bash', input: { command: run, description: what }, title: what };
  if (read) return { tool: 'read', input: { filePath: `${FOLDER}/${read}` }, title: read };
  const input = { filePath: `${FOLDER}/${edit}`, oldString: from, newString: to };
  return { tool: 'edit', input, title: edit };
}

function toolState(call, start) {
  const { input, title } = use(call);
  const time = { start, end: start + call.ms };
  if (call.exit) return { status: 'error', input, error: answer(call), metadata: {}, time };
  const output = answer(call);
  const metadata = call.run ? { output: output.slice(0, 400), exit: 0 } : { preview: title };
  return { status: 'completed', input, output, title, metadata, time };
}

/** The document that `opencode export` writes. */
export function opencode(turns) {
  const messages = [];
  let order = 0;
  let parent = '';
  const add = (info, parts) => {
    order += 1;
    const created = START + order * 4000;
    const own = id('msg', order * 16, `message ${order}`);
    const stored = parts.map((part, place) => ({
      ...part,
      id: id('prt', order * 16 + place + 1, `part ${order} ${place}`),
      sessionID: SESSION,
      messageID: own,
    }));
    const time = info.role === 'user' ? { created } : { created, completed: created + 2100 };
    messages.push({ info: { ...info, time, id: own, sessionID: SESSION }, parts: stored });
    return own;
  };
  const ask = (parts) => {
    const info = { role: 'user', agent: 'build', model: MODEL, summary: { diffs: [] } };
    parent = add(info, parts);
  };
  const reply = (parts, extra = {}) => {
    const tokens = {
      input: 900 + order * 310,
      output: 140,
      reasoning: 0,
      cache: { read: 0, write: 0 },
    };
    const path = { cwd: FOLDER, root: FOLDER };
    const info = {
      parentID: parent,
      role: 'assistant',
      mode: 'build',
      agent: 'build',
      path,
      cost: 0,
      tokens,
    };
    const calls = parts.some(({ type }) => type === 'tool');
    const finish = calls ? 'tool-calls' : 'stop';
    const end = { type: 'step-finish', reason: finish, cost: 0, tokens };
    return add({ ...info, ...MODEL, finish, ...extra }, [{ type: 'step-start' }, ...parts, end]);
  };
  before(ask, reply, () => START + order * 4000);
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const url = `data:image/png;base64,${RECEIPT}`;
      const file = { type: 'file', mime: 'image/png', filename: 'receipt.png', url };
      ask([{ type: 'text', text: user }, ...(picture ? [file] : [])]);
      continue;
    }
    const start = START + order * 4000 + 900;
    const time = { start, end: start + 400 };
    const metadata = { anthropic: { signature: token(`opencode/thinking/${index}`, 60) } };
    reply([
      ...(think ? [{ type: 'reasoning', text: think, metadata, time }] : []),
      { type: 'text', text: say, time },
      ...calls.map((call, place) => ({
        type: 'tool',
        tool: use(call).tool,
        callID: `toolu_01${token(`opencode/${index}/${place}`, 22)}`,
        state: toolState(call, start),
      })),
    ]);
  }
  const info = {
    id: SESSION,
    slug: 'quiet-river',
    projectID: PROJECT,
    directory: FOLDER,
    title: 'One cent too little',
    version: '1.18.33',
    time: { created: START, updated: START + order * 4000 },
  };
  return { info, messages };
}

/** What the session was about before its compaction, and the summary; the first call of it was hidden before. */
function before(ask, reply, now) {
  ask([{ type: 'text', text: 'Which node version does this shop need?' }]);
  const call = { run: 'cat .nvmrc', what: 'Show the version', output: '20.12.0\n', ms: 7 };
  const state = toolState(call, now());
  reply([
    { type: 'text', text: 'I will look.' },
    {
      type: 'tool',
      tool: 'bash',
      callID: `toolu_01${token('opencode/before', 22)}`,
      state: { ...state, time: { ...state.time, compacted: now() + 3000 } },
    },
  ]);
  reply([{ type: 'text', text: 'Node 20.12 or later.' }]);
  ask([{ type: 'compaction', auto: false }]);
  reply(
    [{ type: 'text', text: 'Summary: the shop in /home/dev/shop runs on Node 20.12 or later.' }],
    {
      summary: true,
    },
  );
}

/** The same session as files of the storage folder, by path. */
export function opencodeStorage(turns) {
  const { info, messages } = opencode(turns);
  const files = new Map([[`session/${PROJECT}/${info.id}.json`, info]]);
  for (const message of messages) {
    files.set(`message/${info.id}/${message.info.id}.json`, message.info);
    for (const part of message.parts) files.set(`part/${part.messageID}/${part.id}.json`, part);
  }
  return files;
}
