// Event log of GitHub Copilot CLI: a compaction, parallel calls that end out of order, a subagent's reply.
import { sealed, token, uuid } from './dice.mjs';
import { answer, FOLDER, RECEIPT, SYSTEM } from './story.mjs';

const MODEL = 'claude-sonnet-4.5';
const START = Date.parse('2026-09-01T08:30:00.000Z');

/** Name and arguments of a call, with the names of the client's tools. */
function use({ run, what, read, edit, from, to }) {
  if (run) return { name: 'bash', arguments: { command: run, description: what } };
  if (read) return { name: 'view', arguments: { path: `${FOLDER}/${read}` } };
  return { name: 'edit', arguments: { path: `${FOLDER}/${edit}`, old_str: from, new_str: to } };
}

const shown = (call) =>
  call.run
    ? `${answer(call)}\n<shellId: 1 completed with exit code ${call.exit ?? 0}>`
    : answer(call);

/** The events of a session. */
export function copilot(turns) {
  const events = [];
  let now = START;
  let replies = 0;
  let interactionId;
  const add = (type, data, more = {}) => {
    now += 5;
    const id = uuid(`copilot/event/${events.length}`);
    const parentId = events.at(-1)?.id ?? null;
    events.push({ type, data, id, timestamp: new Date(now).toISOString(), parentId, ...more });
  };

  const ask = (text, picture) => {
    interactionId = uuid(`copilot/interaction/${events.length}`);
    const stamp = `<current_datetime>${new Date(now).toISOString()}</current_datetime>`;
    const blob = { type: 'blob', data: RECEIPT, mimeType: 'image/png', displayName: 'receipt.png' };
    add('user.message', {
      content: text,
      transformedContent: `${stamp}\n\n${text}`,
      attachments: picture ? [blob] : [],
      messageId: uuid(`copilot/message/${events.length}`),
      delivery: 'idle',
      interactionId,
    });
  };

  const complete = (call, toolCallId, turnId) => {
    now += call.ms;
    const text = shown(call);
    add('tool.execution_complete', {
      toolCallId,
      model: MODEL,
      interactionId,
      turnId,
      ...(call.run ? { shellExecution: { exitCode: call.exit ?? 0 } } : {}),
      success: true,
      result: {
        content: text,
        ...(call.edit ? { detailedContent: `${call.from}\n${call.to}` } : {}),
      },
      toolTelemetry: { metrics: { commandTimeout: 30_000, resultLength: text.length } },
    });
  };

  const reply = ({ think, say, calls = [] }) => {
    const turnId = String(replies);
    replies += 1;
    now += 1900;
    add('assistant.turn_start', { turnId, interactionId });
    const inputTokens = 5200 + replies * 1300;
    add('session.usage_record', {
      usage: { model: MODEL, inputTokens, outputTokens: 80, cost: 0 },
    });
    const signature = sealed(`copilot/${replies}`);
    const blocks = [{ type: 'thinking', thinking: think, signature }];
    const reasoning = {
      reasoningOpaque: signature,
      reasoningText: think,
      reasoningBlocks: { provider: 'anthropic-messages', blocks },
    };
    const requests = calls.map((call, place) => ({
      toolCallId: `toolu_01${token(`copilot/${replies}/${place}`, 22)}`,
      ...use(call),
      type: 'function',
    }));
    add('assistant.message', {
      messageId: uuid(`copilot/reply/${replies}`),
      model: MODEL,
      content: say,
      toolRequests: requests,
      interactionId,
      turnId,
      ...(think ? reasoning : {}),
      apiCallId: `msg_01${token(`copilot/api/${replies}`, 22)}`,
    });
    for (const { toolCallId, name, arguments: input } of requests) {
      add('tool.execution_start', { toolCallId, toolName: name, arguments: input, turnId });
      add('hook.start', { hookType: 'preToolUse', input: { toolName: name, toolArgs: input } });
      add('hook.end', { hookType: 'preToolUse', success: true });
    }
    const ended = requests.map(({ toolCallId }, place) => [calls[place], toolCallId]).toReversed();
    for (const [call, toolCallId] of ended) complete(call, toolCallId, turnId);
    add('assistant.turn_end', { turnId });
  };

  add('session.start', {
    sessionId: uuid('copilot/session'),
    version: 1,
    producer: 'copilot-agent',
    copilotVersion: '1.0.102',
    startTime: new Date(START).toISOString(),
    selectedModel: MODEL,
    context: { cwd: FOLDER },
  });
  ask('What is in this folder?');
  add('system.message', { role: 'system', content: SYSTEM });
  reply({
    say: 'A small web shop: src/ has the prices, test/ the tests, logs/ what they printed.',
  });
  add('session.compaction_start', {});
  add('session.compaction_complete', {
    success: true,
    summaryContent: 'The person asked what is in the folder: a small web shop.',
    preCompactionMessagesLength: 2,
    messagesRemoved: 2,
  });
  for (const [index, turn] of turns.entries()) {
    if (turn.user) ask(turn.user, turn.picture);
    else reply(turn);
    if (index !== 8) continue;
    const agentId = 'agent-review';
    const content = 'The change to toCents() is right; nothing else rounds.';
    add('assistant.message', { messageId: uuid('copilot/review'), content }, { agentId });
    const note =
      '<system_notification>\nAgent "agent-review" has completed.\n</system_notification>';
    add('system.notification', { content: note, kind: { type: 'agent_completed', agentId } });
  }
  add('session.shutdown', { shutdownType: 'routine', totalPremiumRequests: 0 });
  return events;
}
