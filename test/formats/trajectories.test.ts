import { describe, expect, it } from 'vitest';
import { compact, restore } from '../../src/index.ts';
import { bytesOf, groups, index, only, outline, results } from '../support/index.ts';
import { atif, long, mini } from '../support/trajectories.ts';

describe('ATIF', () => {
  const conversation = only(
    index(
      atif(
        { source: 'system', message: 'rules' },
        {
          source: 'user',
          message: [
            { type: 'text', text: 'task' },
            { type: 'image', source: {} },
          ],
        },
        {
          source: 'agent',
          message: '',
          reasoning_content: 'hm',
          tool_calls: [
            { tool_call_id: 'c1', function_name: 'bash', arguments: { command: 'ls' } },
            { tool_call_id: 'c2', function_name: 'read', arguments: {} },
          ],
          observation: {
            results: [
              { source_call_id: 'c2', content: [{ type: 'text', text: 'two' }] },
              { source_call_id: 'c1', content: 'one' },
              { content: null },
            ],
          },
          metrics: { prompt_tokens: 12 },
        },
      ),
    ),
  );

  it('makes two messages of a step that calls, one group', () => {
    expect(outline(conversation)).toEqual([
      'system: text+',
      'real user: text+ image+',
      'assistant: thinking toolCall toolCall',
      'user: toolResult+ toolResult+ toolResult',
    ]);
    expect(groups(conversation)).toEqual([0, 1, 2, 2]);
    expect(conversation.messages.map(({ records }) => records)).toEqual([[0], [1], [2], [2]]);
  });

  it('names tools by id, and guesses no error', () => {
    expect(results(conversation).map(({ tool, isError }) => [tool, isError])).toEqual([
      ['read', undefined],
      ['bash', undefined],
      [undefined, undefined],
    ]);
  });

  it('counts tool definitions once and shows the own usage of the client', () => {
    expect(conversation).toMatchObject({ overhead: 17, model: 'gpt-4.1', usage: 12 });
  });
});

describe('mini-swe-agent', () => {
  it('pairs tool messages by id, with the recorded exit code', () => {
    const calls = ['a', 'b'].map((id) => ({
      id,
      type: 'function',
      function: { name: 'bash', arguments: '{"command":"ls"}' },
    }));
    const conversation = only(
      index(
        mini(
          { role: 'system', content: 'rules' },
          { role: 'user', content: 'task' },
          { role: 'assistant', content: 'go', tool_calls: calls },
          { role: 'tool', tool_call_id: 'a', content: 'one', extra: { returncode: 0 } },
          { role: 'tool', tool_call_id: 'b', content: 'two', extra: { returncode: 2 } },
          { role: 'user', content: 'format', extra: { interrupt_type: 'FormatError' } },
          { role: 'user', content: 'stop', extra: { interrupt_type: 'UserInterruption' } },
          { role: 'exit', content: 'Submitted' },
        ),
      ),
    );
    expect(outline(conversation)).toEqual([
      'system: text+',
      'real user: text+',
      'assistant: text+ toolCall toolCall',
      'user: toolResult+ toolResult+',
      'user: text+',
      'real user: text+',
    ]);
    expect(results(conversation).map(({ isError }) => isError)).toEqual([false, true]);
  });

  it('pairs commands in the text with the user message behind them', () => {
    const conversation = only(
      index(
        mini(
          { role: 'user', content: 'task' },
          { role: 'assistant', content: '```bash\nls\n```' },
          { role: 'user', content: '<returncode>1</returncode>\nno' },
          { role: 'assistant', content: 'only words' },
          { role: 'user', content: 'a person' },
        ),
      ),
    );
    expect(outline(conversation)).toEqual([
      'real user: text+',
      'assistant: text+ toolCall',
      'user: toolResult+',
      'assistant: text+',
      'real user: text+',
    ]);
    expect(results(conversation)[0]).toMatchObject({ tool: 'bash', isError: true });
  });

  it('reads answers and outputs of the Responses API', () => {
    const call = { type: 'function_call', name: 'bash', arguments: '{}', call_id: 'c' };
    const conversation = only(
      index(
        mini(
          { role: 'user', content: 'task' },
          { object: 'response', output: [{ type: 'reasoning', encrypted_content: 'x' }, call] },
          { type: 'function_call_output', call_id: 'c', output: 'out', extra: { returncode: 0 } },
        ),
      ),
    );
    expect(outline(conversation)).toEqual([
      'real user: text+',
      'assistant: opaque toolCall',
      'user: toolResult+',
    ]);
    expect(groups(conversation)).toEqual([0, 1, 1]);
  });

  it('removes messages and leaves a user message in their place', async () => {
    const words = (at: number) => ({ role: 'assistant', content: `${at} ${long('words')}` });
    const ask = { role: 'user', content: 'and?' };
    const input = bytesOf(mini({ role: 'user', content: 'task' }, words(1), ask, words(2), ask));
    const { bytes, stash } = await compact(input, { steps: [['drop', '*:preserveRecent=1']] });
    const { messages } = JSON.parse(bytes.toString());
    expect(messages).toHaveLength(3);
    expect(messages[1]).toMatchObject({ role: 'user', content: /^\[Dropped: 3 messages/ });
    expect(restore(bytes, stash as Buffer).equals(input)).toBe(true);
  });
});

describe('ShareGPT', () => {
  const turns = [
    { from: 'human', value: 'task' },
    { from: 'function_call', value: '[{"name":"a"},{"name":"b"}]' },
    { from: 'observation', value: 'one' },
    { from: 'observation', value: 'two' },
    { from: 'gpt', value: '<tool_call>{"name":"c"}</tool_call>' },
    { from: 'tool', value: 'three' },
    { from: 'human', value: '<image>what?' },
    { from: 'gpt', value: 'end' },
  ];
  const wrapped = { conversations: turns, system: 'rules', tools: '[]' };

  it.each([
    ['an object', wrapped, 7],
    ['a list of one', [wrapped], 7],
    ['bare turns', turns, 0],
  ] as const)('%s is one conversation, paired by position', (_, value, overhead) => {
    const conversation = only(index(value));
    expect(outline(conversation)).toEqual([
      'real user: text+',
      'assistant: toolCall toolCall',
      'user: toolResult+ toolResult+',
      'assistant: toolCall',
      'user: toolResult+',
      'real user: opaque',
      'assistant: text+',
    ]);
    expect(results(conversation).map(({ tool }) => tool)).toEqual(['a', 'b', 'c']);
    expect(groups(conversation)).toEqual([0, 1, 1, 3, 3, 5, 6]);
    expect(conversation.overhead).toBe(overhead);
  });

  it('ties one answer to a list of calls without inventing others', () => {
    const conversation = only(index(turns.toSpliced(3, 1)));
    const calls = conversation.blocks.filter(({ kind }) => kind === 'toolCall');
    expect(calls.map(({ tool, callId }) => [tool, callId])).toEqual([
      ['a', 'turn 0'],
      ['b', undefined],
      ['c', 'turn 1'],
    ]);
  });
});
