// Vercel AI SDK: what useChat stores (one message a run, versions 5 and 6; version 4), and model messages.
import { sealed, token } from './dice.mjs';
import { answer, RECEIPT, SYSTEM } from './story.mjs';

const PICTURE = `data:image/png;base64,${RECEIPT}`;
const TOOLS = { run: 'runCommand', read: 'readFile', edit: 'replaceInFile' };

/** Name and input of a call. */
function use({ run, read, edit, from, to }) {
  if (run) return { toolName: TOOLS.run, input: { command: run } };
  if (read) return { toolName: TOOLS.read, input: { path: read } };
  return { toolName: TOOLS.edit, input: { path: edit, from, to } };
}

/** What the tools of the application return: a command an object, a file its text. */
const output = (call) =>
  call.run ? { exitCode: 0, stdout: answer(call), durationMs: call.ms } : answer(call);

const callId = (index, place) => `call_${token(`vercel/${index}/${place}`, 24)}`;

/** Turns of the story as runs: what a person says, then everything that the agent does about it. */
function runsOf(turns) {
  const runs = [];
  for (const [index, turn] of turns.entries()) {
    if (turn.user) runs.push({ user: turn, steps: [] });
    else runs.at(-1).steps.push({ ...turn, index });
  }
  return runs;
}

const reasoning = (think, index) => ({
  type: 'reasoning',
  text: think,
  state: 'done',
  providerMetadata: { anthropic: { signature: sealed(`vercel/${String(index)}`) } },
});

function toolPart(call, index, place) {
  const { toolName, input } = use(call);
  // Tools of a server that is connected at run time are dynamic.
  const head = call.edit ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` };
  const toolCallId = callId(index, place);
  if (call.exit)
    return { ...head, toolCallId, state: 'output-error', input, errorText: answer(call) };
  return { ...head, toolCallId, state: 'output-available', input, output: output(call) };
}

/** Messages of versions 5 and 6. */
function uiMessages(turns) {
  return runsOf(turns).flatMap(({ user, steps }, run) => {
    const file = { type: 'file', mediaType: 'image/png', filename: 'receipt.png', url: PICTURE };
    const asked = [...(user.picture ? [file] : []), { type: 'text', text: user.user }];
    const done = steps.flatMap(({ think, say, calls = [], index }) => [
      { type: 'step-start' },
      ...(think ? [reasoning(think, index)] : []),
      { type: 'text', text: say, state: 'done' },
      ...calls.map((call, place) => toolPart(call, index, place)),
    ]);
    const id = (what) => token(`vercel/${what}/${run}`, 16);
    return [
      { id: id('user'), role: 'user', parts: asked },
      {
        id: id('assistant'),
        metadata: { model: 'claude-sonnet-4-5', createdAt: 1_788_251_404_000 + run * 90_000 },
        role: 'assistant',
        parts: done,
      },
    ];
  });
}

/** A stored chat of versions 5 and 6. */
export const uiChat = (turns) => ({
  id: token('vercel/chat', 16),
  title: 'A cent is missing',
  messages: uiMessages(turns),
});

/** Messages of version 4: `content` and `toolInvocations` repeat what the parts hold. */
export function uiMessagesV4(turns) {
  return runsOf(turns).flatMap(({ user, steps }, run) => {
    const parts = [];
    const toolInvocations = [];
    for (const [step, { think, say, calls = [], index }] of steps.entries()) {
      if (think) {
        const detail = {
          type: 'text',
          text: think,
          signature: sealed(['vercel', index].join('/')),
        };
        parts.push({ type: 'reasoning', reasoning: think, details: [detail] });
      }
      parts.push({ type: 'step-start' }, { type: 'text', text: say });
      for (const [place, call] of calls.entries()) {
        const { toolName, input: args } = use(call);
        const toolCallId = callId(index, place);
        const result = call.exit ? `Error: ${answer(call)}` : answer(call);
        const toolInvocation = { state: 'result', step, toolCallId, toolName, args, result };
        parts.push({ type: 'tool-invocation', toolInvocation });
        toolInvocations.push(toolInvocation);
      }
    }
    const id = (what) => `msg-${token(`vercel/4/${what}/${run}`, 24)}`;
    const at = (more) => new Date(1_740_000_000_000 + run * 90_000 + more).toISOString();
    const attached = { name: 'receipt.png', contentType: 'image/png', url: PICTURE };
    return [
      {
        id: id('user'),
        createdAt: at(0),
        role: 'user',
        content: user.user,
        ...(user.picture ? { experimental_attachments: [attached] } : {}),
        parts: [{ type: 'text', text: user.user }],
      },
      {
        id: id('assistant'),
        createdAt: at(4000),
        role: 'assistant',
        content: steps.map(({ say }) => say).join(''),
        toolInvocations,
        parts,
      },
    ];
  });
}

function toolResult(call, index, place) {
  const { toolName } = use(call);
  const head = { type: 'tool-result', toolCallId: callId(index, place), toolName };
  const text = answer(call);
  if (call.exit) return { ...head, output: { type: 'error-text', value: text } };
  if (call.run) return { ...head, output: { type: 'json', value: output(call) } };
  if (place === 0) return { ...head, output: { type: 'text', value: text } };
  return { ...head, output: { type: 'content', value: [{ type: 'text', text }] } };
}

/** Model messages of versions 5 and 6, as `response.messages` gives them. */
export function modelMessages(turns) {
  const messages = [{ role: 'system', content: SYSTEM }];
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const image = { type: 'image', image: RECEIPT, mediaType: 'image/png' };
      const parts = [image, { type: 'text', text: user }];
      messages.push({ role: 'user', content: picture ? parts : user });
      continue;
    }
    const providerOptions = { anthropic: { signature: sealed(`vercel/${index}`) } };
    messages.push({
      role: 'assistant',
      content: [
        ...(think ? [{ type: 'reasoning', text: think, providerOptions }] : []),
        { type: 'text', text: say },
        ...calls.map((call, place) => ({
          type: 'tool-call',
          toolCallId: callId(index, place),
          ...use(call),
        })),
      ],
    });
    if (calls.length > 0) {
      const content = calls.map((call, place) => toolResult(call, index, place));
      messages.push({ role: 'tool', content });
    }
  }
  return messages;
}
