// Session files of pi: entries that name their parent, with a compaction, an abandoned branch and a shell command.
import { hex, sealed, token, uuid } from './dice.mjs';
import { answer, FOLDER, RECEIPT } from './story.mjs';

const MODEL = 'claude-sonnet-4-5';
const START = Date.parse('2026-09-01T08:30:00.000Z');
const PRICE = { input: 0.000003, output: 0.000015 };

/** Name and arguments of a call, with the names of the client's tools. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'bash', arguments: { command: run } };
  if (read) return { name: 'read', arguments: { path: read } };
  return { name: 'edit', arguments: { path: edit, oldText: from, newText: to } };
}

/** What came back, and the state that the client keeps for its own screen. */
function outcome(call) {
  const text = answer(call);
  if (call.edit) {
    const diff = `-12 ${call.from}\n+12 ${call.to}`;
    return { text, details: { diff, firstChangedLine: 12 }, isError: false };
  }
  const shown = call.exit ? `${text}\n\nCommand exited with code ${call.exit}` : text;
  return { text: shown, details: {}, isError: Boolean(call.exit) };
}

/** Appends entries; each names the one before it, unless the tree went back to an earlier one. */
function writer(name) {
  const entries = [];
  let now = START;
  let leaf = null;
  return {
    entries,
    leaf: () => leaf,
    goBack(id) {
      leaf = id;
    },
    now: () => now,
    wait(ms) {
      now += ms;
    },
    add(type, fields) {
      now += 7;
      const id = hex(`${name}/entry/${entries.length}`, 8);
      const timestamp = new Date(now).toISOString();
      entries.push({ type, id, parentId: leaf, timestamp, ...fields });
      leaf = id;
      return id;
    },
  };
}

function talk(write, name) {
  let replies = 0;
  const message = (fields) =>
    write.add('message', { message: { ...fields, timestamp: write.now() } });
  return {
    message,
    user(text, picture) {
      const image = { type: 'image', data: RECEIPT, mimeType: 'image/png' };
      const content = [{ type: 'text', text }, ...(picture ? [image] : [])];
      return message({ role: 'user', content });
    },
    reply({ think, say, calls = [] }) {
      replies += 1;
      write.wait(2100);
      const id = (place) => `toolu_01${token(`${name}/${replies}/${place}`, 22)}`;
      const input = 1800 + replies * 1400;
      const cost = { input: input * PRICE.input, output: 80 * PRICE.output };
      const last = message({
        role: 'assistant',
        content: [
          ...(think
            ? [
                {
                  type: 'thinking',
                  thinking: think,
                  thinkingSignature: sealed(`${name}/${replies}`),
                },
              ]
            : []),
          { type: 'text', text: say },
          ...calls.map((call, place) => ({ type: 'toolCall', id: id(place), ...use(call) })),
        ],
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: MODEL,
        usage: {
          input: 12,
          output: 80,
          cacheRead: input,
          cacheWrite: 400,
          totalTokens: input + 492,
          cost: { ...cost, cacheRead: 0, cacheWrite: 0, total: cost.input + cost.output },
        },
        stopReason: calls.length > 0 ? 'toolUse' : 'stop',
        responseId: `msg_01${token(`${name}/reply/${replies}`, 22)}`,
      });
      for (const [place, call] of calls.entries()) {
        write.wait(call.ms);
        const { text, details, isError } = outcome(call);
        message({
          role: 'toolResult',
          toolCallId: id(place),
          toolName: use(call).name,
          content: [{ type: 'text', text }],
          details,
          isError,
        });
      }
      return last;
    },
  };
}

const header = (name, version) => ({
  type: 'session',
  ...(version === undefined ? {} : { version }),
  id: uuid(`${name}/session`, 7),
  timestamp: new Date(START).toISOString(),
  cwd: FOLDER,
});

/** The entries of a session of version 3. */
export function pi(turns, name = 'pi') {
  const write = writer(name);
  const { user, reply, message } = talk(write, name);
  write.add('model_change', { provider: 'anthropic', modelId: MODEL });
  write.add('thinking_level_change', { thinkingLevel: 'medium' });
  user('What is in this folder?');
  reply({
    say: 'A small web shop: src/ has the prices, test/ the tests, logs/ what they printed.',
  });
  const [first, ...rest] = turns;
  const kept = user(first.user);
  for (const [index, turn] of rest.entries()) {
    if (turn.user) {
      const fork = write.leaf();
      user('Please write a long release note for this.');
      const left = reply({
        say: 'The release note would start with the order that was one cent short.',
      });
      write.goBack(fork);
      write.add('branch_summary', { fromId: left, summary: 'A release note was begun and left.' });
      message({
        role: 'bashExecution',
        command: 'git status --short',
        output: ' M src/money.js\n',
        exitCode: 0,
        cancelled: false,
        truncated: false,
      });
      user(turn.user, turn.picture);
    } else reply(turn);
    if (index === 7) {
      write.add('compaction', {
        summary: 'The person asked what is in the folder: a small web shop.',
        firstKeptEntryId: kept,
        tokensBefore: 24_310,
        details: { readFiles: [], modifiedFiles: [] },
      });
      write.add('custom', { customType: 'todo', data: { open: ['CHANGELOG.md'] } });
      write.add('label', { targetId: kept, label: 'the task' });
    }
  }
  return [header(name, 3), ...write.entries];
}

/** The same in a fork that keeps a title of fixed length before the header. */
export function piOmp(turns) {
  const title = 'Fix the rounding of A-4471';
  const line = { type: 'title', v: 1, title, updatedAt: '2026-09-01T08:30:41.000Z' };
  return [{ ...line, pad: ' '.repeat(200 - title.length) }, ...pi(turns, 'pi-omp')];
}

/** A session of version 1: no ids, and a compaction that counts lines. */
export function piV1(turns) {
  const write = writer('pi-v1');
  const { user, reply } = talk(write, 'pi-v1');
  write.add('model_change', { provider: 'anthropic', modelId: MODEL });
  user('What is in this folder?');
  reply({ say: 'A small web shop.' });
  for (const [index, turn] of turns.entries()) {
    if (turn.user) user(turn.user, turn.picture);
    else reply(turn);
    if (index === 8) {
      write.add('compaction', {
        summary: 'The person asked what is in the folder: a small web shop.',
        firstKeptEntryIndex: 4,
        tokensBefore: 24_310,
      });
    }
  }
  const entries = write.entries.map(({ id: _id, parentId: _parent, ...entry }) => entry);
  return [header('pi-v1'), ...entries];
}
