// Session file of Factory Droid: blocks of the Messages API in lines, with a compaction.
import { sealed, token, uuid } from './dice.mjs';
import { answer, FOLDER, RECEIPT } from './story.mjs';

const START = Date.parse('2026-09-01T08:30:00.000Z');

/** Name and input of a call, with the names of the client's tools. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'Execute', input: { command: run, riskLevel: 'low' } };
  if (read) return { name: 'Read', input: { file_path: `${FOLDER}/${read}` } };
  return { name: 'Edit', input: { file_path: `${FOLDER}/${edit}`, old_str: from, new_str: to } };
}

const outcome = (call) =>
  call.exit ? `Command failed (exit code: ${call.exit})\n${answer(call)}` : answer(call);

const text = (value) => ({ type: 'text', text: value });

/** The lines of a session. */
export function droid(turns) {
  const lines = [
    {
      type: 'session_start',
      id: uuid('droid/session'),
      title: 'Find the missing cent',
      sessionTitle: 'Find the missing cent',
      owner: 'dev',
      version: 2,
      cwd: FOLDER,
    },
  ];
  let now = START;
  let parent;
  const add = (role, content) => {
    now += 1400;
    const id = uuid(`droid/${lines.length}`);
    const timestamp = new Date(now).toISOString();
    const linked = parent === undefined ? {} : { parentId: parent };
    lines.push({ type: 'message', id, timestamp, message: { role, content }, ...linked });
    parent = id;
    return id;
  };

  const reminder = `<system-reminder>\nUser system info\n% pwd\n${FOLDER}\n</system-reminder>`;
  add('user', [text(reminder), text('What is in this folder?')]);
  const anchor = add('assistant', [
    text('A small web shop: src/ has the prices, test/ the tests.'),
  ]);
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const source = { type: 'base64', media_type: 'image/png', data: RECEIPT };
      add('user', [...(picture ? [{ type: 'image', source }] : []), text(user)]);
    } else {
      const id = (place) => `toolu_01${token(`droid/${index}/${place}`, 22)}`;
      const signature = sealed(`droid/${index}`);
      add('assistant', [
        ...(think ? [{ type: 'thinking', thinking: think, signature }] : []),
        text(say),
        ...calls.map((call, place) => ({ type: 'tool_use', id: id(place), ...use(call) })),
      ]);
      const results = calls.map((call, place) => ({
        type: 'tool_result',
        tool_use_id: id(place),
        is_error: Boolean(call.exit),
        content: outcome(call),
      }));
      if (results.length > 0) add('user', results);
    }
    if (index === 9) {
      lines.push({
        type: 'compaction_state',
        id: uuid('droid/compaction'),
        timestamp: new Date(now).toISOString(),
        summaryText: 'The person asked what is in the folder: a small web shop.',
        summaryTokens: 14,
        summaryKind: 'llm_summary',
        anchorMessage: { id: anchor, index: 1 },
        removedCount: 2,
      });
      lines.push({ type: 'todo_state', todos: { todos: '1. [in_progress] CHANGELOG.md' } });
    }
  }
  return lines;
}
