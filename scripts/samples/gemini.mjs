// Gemini CLI sessions (one record a line, and the older JSON document) and Gemini API contents.
import { hex, sealed, uuid } from './dice.mjs';
import { answer, FOLDER, RECEIPT, SYSTEM } from './story.mjs';

const START = Date.UTC(2026, 8, 1, 8, 30, 4);
export const GO_ON = 'Please go on where you stopped.';

/** Name and arguments of a call, with the names of the clients' tools. */
export function use({ run, what, read, edit, from, to }) {
  if (run) return { name: 'run_shell_command', args: { command: run, description: what } };
  if (read) return { name: 'read_file', args: { file_path: `${FOLDER}/${read}` } };
  return {
    name: 'replace',
    args: { file_path: `${FOLDER}/${edit}`, old_string: from, new_string: to },
  };
}

export const shown = ({ run, read, edit }) => run ?? read ?? edit;

/** What the client makes of an output: a command's exit code stands at its end, when it failed. */
function output(call) {
  if (!call.run) return answer(call);
  const code = call.exit ? `Exit Code: ${call.exit}\n` : '';
  return `<untrusted_context>\nOutput: ${answer(call)}\n${code}Process Group PGID: 4711\n</untrusted_context>`;
}

export const response = (id, call) => ({
  functionResponse: { id, name: use(call).name, response: { output: output(call) } },
});

const image = { inlineData: { data: RECEIPT, mimeType: 'image/png' } };
export const promptParts = ({ user, picture }) => [{ text: user }, ...(picture ? [image] : [])];

export function clock() {
  let now = START;
  return () => {
    now += 1730;
    return new Date(now).toISOString();
  };
}

const SESSION = uuid('gemini/session');
const MODEL = 'gemini-2.5-pro';
const head = (startTime) => ({
  sessionId: SESSION,
  projectHash: hex('gemini/project', 64),
  startTime,
  lastUpdated: startTime,
  kind: 'main',
});
const CONTEXT = `<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\nToday's date is Tuesday, September 1, 2026 (formatted according to the user's locale).\nMy operating system is: linux\n- **Workspace Directories:**\n  - ${FOLDER}\n</session_context>`;
const contextMessage = (timestamp) => ({
  id: hex('gemini/context', 32),
  timestamp,
  type: 'user',
  content: [{ text: CONTEXT }],
});

/** A stored reply; its second version has the calls with their results. */
function reply({ think, say, calls = [] }, index, timestamp) {
  const message = {
    id: uuid(`gemini/reply/${index}`),
    timestamp,
    type: 'gemini',
    content: say,
    thoughts: think ? [{ subject: 'Looking at the totals', description: think, timestamp }] : [],
    tokens: { input: 4000 + index * 900, output: 90, cached: 0, thoughts: 0, tool: 0, total: 4090 },
    model: MODEL,
  };
  if (calls.length === 0) return { message };
  const toolCalls = calls.map((call, place) => {
    const id = `${use(call).name}__${use(call).name}_${1_788_251_404 + index}_${place}`;
    return {
      id,
      ...use(call),
      result: [response(id, call)],
      status: 'success',
      timestamp,
      resultDisplay: call.run ? answer(call) : '',
      description: shown(call),
      displayName: call.run ? 'Shell' : call.read ? 'ReadFile' : 'Edit',
      renderOutputAsMarkdown: !call.run,
    };
  });
  return { message, full: { ...message, toolCalls } };
}

function page(text = '') {
  const lines = text.split('\n');
  const middle = text.length > 4000 && text.length < 12_000;
  return middle ? lines.slice(0, Math.ceil(lines.length * 0.8)).join('\n') : text;
}

/** Each result is sent from two places, so that the longer ones are read by pages here. */
function paged(turns) {
  return turns.map((turn) =>
    turn.calls
      ? { ...turn, calls: turn.calls.map((call) => ({ ...call, output: page(call.output) })) }
      : turn,
  );
}

/** The records of a session that was resumed once and rewound once. */
export function geminiCli(story) {
  const turns = paged(story);
  const tick = clock();
  const records = [head(tick())];
  const update = (fields) => records.push({ $set: { ...fields, lastUpdated: tick() } });
  const add = (message) => {
    records.push(message);
    update({});
  };
  const prompt = (label, parts) =>
    add({ id: uuid(`gemini/user/${label}`), timestamp: tick(), type: 'user', content: parts });
  let known = [];
  update({ messages: [contextMessage(tick())] });
  for (const [index, turn] of turns.entries()) {
    if (turn.user) {
      if (turn.picture) {
        prompt('detour', [{ text: 'Please rename src/money.js to src/cents.js as well.' }]);
        add(
          reply({ say: 'I would have to touch every import. Shall I?' }, 'detour', tick()).message,
        );
        records.push({ $rewindTo: uuid('gemini/user/detour') });
      }
      prompt(index, promptParts(turn));
      known.push({ id: uuid(`gemini/user/${index}`), type: 'user', content: promptParts(turn) });
      continue;
    }
    const { message, full } = reply(turn, index, tick());
    add(message);
    if (full === undefined) continue;
    records.push(full);
    const answers = full.toolCalls.flatMap(({ result }) => result);
    const id = uuid(`gemini/results/${index}`);
    add({ id, timestamp: tick(), type: 'user', content: answers });
    if (index !== 1) continue;
    const calls = full.toolCalls.map(({ id: call, name, args }) => ({
      functionCall: { id: call, name, args },
    }));
    const thought = turn.think ? [{ text: turn.think, thought: true }] : [];
    known.push(
      { id: full.id, type: 'gemini', content: [...thought, { text: turn.say }, ...calls] },
      { id: `${full.id}_response`, type: 'user', content: answers },
      { id, type: 'user', content: answers },
    );
    // The client stops here and is resumed: it writes what it read as one record.
    records.push(head(tick()));
    update({ sessionId: SESSION });
    const timestamp = tick();
    known = known.map((kept) => ({ id: kept.id, timestamp, ...kept }));
    update({ messages: [contextMessage(timestamp), ...known] });
    prompt('resumed', [{ text: GO_ON }]);
  }
  return records;
}

/** The document that versions before the lines wrote: each result once, with its call. */
export function geminiCliJson(turns) {
  const tick = clock();
  const messages = turns.map((turn, index) => {
    if (turn.user)
      return {
        id: uuid(`gemini/user/${index}`),
        timestamp: tick(),
        type: 'user',
        content: turn.picture ? promptParts(turn) : turn.user,
      };
    const { message, full } = reply(turn, index, tick());
    return full ?? message;
  });
  const note = { id: uuid('gemini/info'), timestamp: tick(), type: 'info', content: 'Saved.' };
  const { kind: _kind, ...rest } = head(new Date(START).toISOString());
  return { ...rest, messages: [...messages, note] };
}

/** A request body of the Gemini API: calls have no ids, the first of a step is signed. */
export function geminiApi(turns) {
  const contents = [];
  for (const [index, turn] of turns.entries()) {
    if (turn.user) {
      contents.push({ role: 'user', parts: promptParts(turn) });
      continue;
    }
    const { think, say, calls = [] } = turn;
    contents.push({
      role: 'model',
      parts: [
        ...(think ? [{ text: think, thought: true }] : []),
        { text: say },
        ...calls.map((call, place) => ({
          functionCall: use(call),
          ...(place === 0 ? { thoughtSignature: sealed(`gemini/api/${index}`, 1) } : {}),
        })),
      ],
    });
    if (calls.length === 0) continue;
    const parts = calls.map((call) => ({
      functionResponse: {
        name: use(call).name,
        response: call.exit
          ? { error: answer(call) }
          : call.run
            ? { output: answer(call), exitCode: 0, durationMs: call.ms }
            : { output: answer(call) },
      },
    }));
    contents.push({ role: 'user', parts });
  }
  const functionDeclarations = ['run_shell_command', 'read_file', 'replace'].map((name) => ({
    name,
    description: `The tool ${name} of the shop's agent.`,
    parameters: { type: 'OBJECT', properties: { command: { type: 'STRING' } } },
  }));
  return {
    model: MODEL,
    systemInstruction: { parts: [{ text: SYSTEM }] },
    tools: [{ functionDeclarations }],
    contents,
  };
}
