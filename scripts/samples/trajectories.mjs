// Trajectories for study and training: SWE-agent, mini-swe-agent, ATIF and ShareGPT.
import { token, uuid } from './dice.mjs';
import { answer, RECEIPT, SYSTEM } from './story.mjs';

const START = Date.UTC(2026, 8, 1, 8, 30, 12, 408);
const URL = `data:image/png;base64,${RECEIPT}`;

/** A call as one shell command: these agents have no other tool. */
const command = ({ run, read, edit, from, to }) => {
  if (run) return run;
  if (read) return `cat ${read}`;
  return `sed -i 's/${from.trim()}/${to.trim()}/' ${edit}`;
};

const functionCall = (id, name, input) => ({
  function: { arguments: JSON.stringify(input), name },
  id,
  type: 'function',
});

/** One call a step, as SWE-agent wants it: parallel calls of the story become steps of their own. */
function steps(turns) {
  return turns.flatMap((turn) => {
    if (turn.user) return [turn];
    const calls = turn.calls ?? [];
    if (calls.length === 0) return [turn];
    return calls.map((call, index) => ({ say: index === 0 ? turn.say : 'Next.', call }));
  });
}

/** What the model sees of an older observation: the tool leaves the newest two as they are. */
function elided(history, at) {
  const seen = history.slice(0, at);
  const results = seen.filter(({ role }) => role === 'tool');
  const old = new Set(results.slice(0, Math.max(0, results.length - 2)));
  return seen.map((message) => {
    if (!old.has(message)) return message;
    const lines = message.content[0].text.split('\n').length;
    return { ...message, content: `Old environment output: (${lines} lines omitted)` };
  });
}

/** A trajectory of SWE-agent 1.1 with function calling; each step repeats the prompt that was sent in it. */
export function sweAgent(turns) {
  const agent = 'main';
  const history = [{ role: 'system', content: SYSTEM, agent, message_type: 'system_prompt' }];
  const trajectory = [];
  for (const [index, { user, say, call }] of steps(turns).entries()) {
    if (user) {
      const content = [{ type: 'text', text: user }];
      history.push({ role: 'user', content, agent, message_type: 'observation' });
      continue;
    }
    const action = call ? command(call) : 'submit';
    const id = `call_${token(`swe/${index}`, 24)}`;
    const query = elided(history, history.length);
    history.push({
      role: 'assistant',
      content: say,
      thought: say,
      action,
      agent,
      tool_calls: [functionCall(id, call ? 'bash' : 'submit', call ? { command: action } : {})],
      message_type: 'action',
      thinking_blocks: [],
    });
    const observation = call ? answer(call) : '';
    history.push({
      role: 'tool',
      content: [{ type: 'text', text: `OBSERVATION:\n${observation}` }],
      agent,
      message_type: 'observation',
      tool_call_ids: [id],
    });
    trajectory.push({
      action,
      observation,
      response: say,
      thought: say,
      execution_time: (call?.ms ?? 3) / 1000,
      state: { working_dir: '/home/dev/shop', diff: '' },
      query,
      extra_info: {},
    });
  }
  return {
    trajectory,
    history,
    info: {
      swe_agent_version: '1.1.0',
      exit_status: 'submitted',
      submission: 'diff --git a/src/money.js b/src/money.js\n',
      model_stats: {
        instance_cost: 0.31,
        tokens_sent: 214302,
        tokens_received: 1210,
        api_calls: trajectory.length,
      },
    },
    replay_config: JSON.stringify({ agent: { model: { name: 'gpt-4.1' } } }),
    environment: 'shop__shop-4471',
  };
}

/** A trajectory of mini-swe-agent 2, with tool calls. */
export function miniSweAgent(turns) {
  const messages = [{ role: 'system', content: SYSTEM }];
  let seconds = START / 1000;
  for (const [index, { user, picture, say, calls = [] }] of turns.entries()) {
    seconds += 4;
    if (user) {
      const parts = [
        { type: 'text', text: user },
        { type: 'image_url', image_url: { url: URL } },
      ];
      const extra = index === 0 ? {} : { extra: { interrupt_type: 'UserInterruption' } };
      messages.push({ role: 'user', content: picture ? parts : user, ...extra });
      continue;
    }
    const actions = calls.map((call, place) => ({
      command: command(call),
      tool_call_id: `call_${token(`mini/${index}/${place}`, 24)}`,
    }));
    const toolCalls = actions.map((action) =>
      functionCall(action.tool_call_id, 'bash', { command: action.command }),
    );
    const reply = {
      role: 'assistant',
      content: say,
      tool_calls: actions.length > 0 ? toolCalls : null,
    };
    const response = {
      id: `chatcmpl-${token(`mini/${index}`, 29)}`,
      object: 'chat.completion',
      choices: [{ index: 0, message: reply }],
    };
    messages.push({ ...reply, extra: { actions, response, cost: 0.012, timestamp: seconds } });
    for (const [place, call] of calls.entries()) {
      const returncode = call.exit ?? 0;
      messages.push({
        content: `<returncode>${returncode}</returncode>\n<output>\n${answer(call)}</output>`,
        extra: { raw_output: answer(call), returncode, timestamp: seconds + call.ms / 1000 },
        tool_call_id: actions[place].tool_call_id,
        role: 'tool',
      });
    }
  }
  messages.push({ role: 'exit', content: '', extra: { exit_status: 'Submitted', submission: '' } });
  return {
    info: {
      model_stats: { instance_cost: 0.12, api_calls: 10 },
      config: {
        agent: { step_limit: 0, cost_limit: 3.5 },
        model: { model_name: 'openai/gpt-4.1' },
      },
      mini_version: '2.0.0',
      exit_status: 'Submitted',
      submission: '',
    },
    messages,
    trajectory_format: 'mini-swe-agent-1.1',
  };
}

const timestamp = (index) => new Date(START + index * 4000).toISOString();

/** An ATIF document; one observation has parts. */
export function atif(turns) {
  const list = [{ source: 'system', message: SYSTEM }];
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const source = { media_type: 'image/png', path: 'images/receipt.png' };
      const parts = [
        { type: 'text', text: user },
        { type: 'image', source },
      ];
      list.push({ source: 'user', message: picture ? parts : user });
      continue;
    }
    const id = (place) => `call_${token(`atif/${index}/${place}`, 12)}`;
    const results = calls.map((call, place) => ({
      source_call_id: id(place),
      content: place === 0 ? answer(call) : [{ type: 'text', text: answer(call) }],
    }));
    const toolCalls = calls.map((call, place) => ({
      tool_call_id: id(place),
      function_name: 'bash',
      arguments: { command: command(call) },
    }));
    list.push({
      source: 'agent',
      model_name: 'gpt-4.1',
      message: say,
      ...(think ? { reasoning_content: think } : {}),
      ...(calls.length > 0 ? { tool_calls: toolCalls, observation: { results } } : {}),
      metrics: { prompt_tokens: 900 + index * 1700, completion_tokens: 74, cost_usd: 0.01 },
    });
  }
  return {
    schema_version: 'ATIF-v1.6',
    session_id: uuid('atif/session'),
    agent: { name: 'shop-agent', version: '1.0.0', model_name: 'gpt-4.1' },
    steps: list.map((step, index) => ({
      step_id: index + 1,
      timestamp: timestamp(index),
      ...step,
    })),
    final_metrics: {
      total_prompt_tokens: 83_110,
      total_completion_tokens: 912,
      total_steps: list.length,
    },
  };
}

/** A ShareGPT conversation with tools; parallel calls are one list, and each answer is a turn. */
export function sharegpt(turns) {
  const conversations = [];
  for (const { user, picture, say, calls = [] } of turns) {
    if (user) conversations.push({ from: 'human', value: picture ? `<image>${user}` : user });
    else if (calls.length === 0) conversations.push({ from: 'gpt', value: say });
    else {
      const list = calls.map((call) => ({ name: 'bash', arguments: { command: command(call) } }));
      const value = JSON.stringify(list.length === 1 ? list[0] : list);
      conversations.push({ from: 'function_call', value });
      for (const call of calls) conversations.push({ from: 'observation', value: answer(call) });
    }
  }
  const tool = { name: 'bash', description: 'Runs a shell command', parameters: {} };
  return { conversations, system: SYSTEM, tools: JSON.stringify([tool]), images: ['receipt.png'] };
}
