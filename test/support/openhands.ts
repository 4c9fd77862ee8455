/** Hand-made events of OpenHands. */

/** An action or observation of OpenHands 0.x that belongs to an answer of the model with two calls. */
const metadata = (tool_call_id: string) => ({
  function_name: 'execute_bash',
  tool_call_id,
  model_response: {
    id: 'r1',
    model: 'gpt-4.1',
    choices: [
      {
        message: {
          content: 'both',
          tool_calls: ['a', 'b'].map((id) => ({
            id,
            function: { name: 'x', arguments: '{"n":1}' },
          })),
        },
      },
    ],
  },
});

/** A session of OpenHands 0.x: two calls of one answer, and one without function calling. */
export const EVENTS: readonly object[] = [
  { id: 0, source: 'agent', action: 'system', args: { content: 'rules', tools: [] } },
  {
    id: 1,
    source: 'user',
    action: 'message',
    message: 'task',
    args: { content: 'task', image_urls: ['u'] },
  },
  { id: 2, source: 'environment', observation: 'recall', content: 'Added', extras: { date: 'd' } },
  {
    id: 3,
    source: 'agent',
    action: 'run',
    args: { command: 'ls' },
    tool_call_metadata: metadata('a'),
  },
  {
    id: 4,
    source: 'agent',
    observation: 'run',
    content: 'one',
    cause: 3,
    extras: { metadata: { exit_code: 0 } },
    tool_call_metadata: metadata('a'),
  },
  {
    id: 5,
    source: 'agent',
    action: 'run',
    args: { command: 'ls' },
    tool_call_metadata: metadata('b'),
  },
  {
    id: 6,
    source: 'agent',
    observation: 'error',
    content: 'two',
    cause: 5,
    extras: {},
    tool_call_metadata: metadata('b'),
  },
  { id: 7, source: 'environment', observation: 'agent_state_changed', content: '', extras: {} },
  { id: 8, source: 'agent', action: 'run_ipython', args: { code: '1' } },
  { id: 9, source: 'agent', observation: 'run_ipython', content: 'three', cause: 8, extras: {} },
  { id: 10, source: 'agent', action: 'finish', args: { thought: 'end' } },
];

const text = (value: string) => [{ type: 'text', text: value }];
const act = (id: string, call: string, reply: string, thought: string) => ({
  id,
  kind: 'ActionEvent',
  source: 'agent',
  thought: text(thought),
  thinking_blocks: thought === '' ? [] : [{ type: 'thinking', thinking: 'hm', signature: 's' }],
  tool_name: 'bash',
  tool_call_id: call,
  tool_call: { id: call, name: 'bash', arguments: '{"command":"ls"}' },
  llm_response_id: reply,
});
const observe = (id: string, call: string, observation: object) => ({
  id,
  kind: 'ObservationEvent',
  source: 'environment',
  tool_name: 'bash',
  tool_call_id: call,
  action_id: 'x',
  observation,
});
/** A session of the SDK: two calls of one answer, one with an old observation. */
export const SDK: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[] = [
  {
    id: 'e0',
    kind: 'SystemPromptEvent',
    source: 'agent',
    system_prompt: { type: 'text', text: 'rules' },
    tools: [],
  },
  {
    id: 'e1',
    kind: 'MessageEvent',
    source: 'user',
    llm_message: { role: 'user', content: [...text('task'), { type: 'image', image_urls: ['u'] }] },
    extended_content: text('hint'),
  },
  act('e2', 'a', 'r1', 'both'),
  act('e3', 'b', 'r1', ''),
  observe('e4', 'a', { content: text('one'), is_error: false, exit_code: 1 }),
  {
    id: 'e5',
    kind: 'AgentErrorEvent',
    source: 'agent',
    tool_name: 'bash',
    tool_call_id: 'b',
    error: 'no',
  },
  { id: 'e6', kind: 'PauseEvent', source: 'user' },
  act('e7', 'c', 'r2', 'old'),
  observe('e8', 'c', {
    output: 'the longest text',
    exit_code: 0,
    path: '/a',
    kind: 'ExecuteBashObservation',
  }),
];
