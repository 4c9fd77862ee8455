import { expect, it } from 'vitest';
import { plan } from '../../src/index.ts';

const BYTES = Buffer.from(
  JSON.stringify([
    { role: 'user', content: 'start' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
    { role: 'assistant', content: 'end' },
  ]),
);

it('warns of a tool that the transcript does not have, and names those that it has', async () => {
  const { warnings } = await plan(BYTES, { steps: [['drop', 'tool::Bsh:preserveRecent=1']] });
  expect(warnings).toEqual([
    { code: 'unknown-tool', text: 'no tool is named Bsh here; the transcript has Bash' },
  ]);
});

it('says nothing of a tool that is there', async () => {
  const { warnings } = await plan(BYTES, { steps: [['drop', 'tool::Bash:preserveRecent=1']] });
  expect(warnings).toEqual([]);
});
