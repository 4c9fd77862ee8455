/** Hand-made trajectories. */

/** An ATIF document of these steps. */
export const atif = (...steps: readonly object[]): object => ({
  schema_version: 'ATIF-v1.6',
  agent: { name: 'a', version: '1', model_name: 'gpt-4.1', tool_definitions: [{ name: 'bash' }] },
  steps: steps.map((step, at) => ({ step_id: at + 1, ...step })),
});

/** A long text. */
export const long = (name: string): string => `${name} ${'line of output\n'.repeat(100)}`;

/** A trajectory of two steps: the prompt of the second one repeats the result of the first. */
export function sweAgent(wrapped: boolean): object {
  const text = (value: string) => (wrapped ? [{ type: 'text', text: value }] : value);
  const system = { role: 'system', content: 'rules', message_type: 'system_prompt' };
  const demo = { role: 'user', content: 'demo', is_demo: true };
  const task = { role: 'user', content: 'task', message_type: 'observation' };
  const action = (id: string) => ({
    role: 'assistant',
    content: `do ${id}`,
    action: 'ls',
    ...(wrapped
      ? { tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }] }
      : {}),
  });
  const result = (id: string, content: unknown) =>
    wrapped ? { role: 'tool', content, tool_call_ids: [id] } : { role: 'user', content };
  const first = [system, demo, task];
  const second = [...first, action('c1'), result('c1', long('first'))];
  const query = (prompt: readonly object[]) => ({
    action: 'ls',
    observation: 'raw',
    query: prompt,
  });
  return {
    trajectory: [query(first), query(second), query([...second, action('c2'), result('c2', 'x')])],
    history: [
      ...first,
      action('c1'),
      result('c1', text(long('first'))),
      action('c2'),
      result('c2', text('x')),
    ],
    info: { submission: 'diff' },
    replay_config: '{"agent":{"model":{"name":"gpt-4.1"}}}',
  };
}

/** A trajectory of mini-swe-agent with these messages. */
export const mini = (...messages: readonly object[]): object => ({
  info: { config: { model: { model_name: 'gpt-4.1' } } },
  messages,
  trajectory_format: 'mini-swe-agent-1.1',
});
