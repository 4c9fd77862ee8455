import { expect, test } from 'vitest';
import { extractive } from '../../src/summarize/extractive.ts';
import { type CanaryKind, makeSession } from './sessions.ts';

const count = (text: string): number => Math.ceil(text.length / 4);

const AT_LEAST: Readonly<Record<CanaryKind, number>> = {
  rule: 0.95,
  decision: 0.9,
  error: 0.9,
  path: 0.9,
  id: 0.9,
  number: 0.9,
  open: 0.9,
};

test.each([
  { seed: 11, rounds: 3 },
  { seed: 12, rounds: 12 },
  { seed: 13, rounds: 40 },
])(
  '15 % of the tokens keep what matters (seed $seed, $rounds rounds)',
  async ({ seed, rounds }) => {
    const { items, canaries } = makeSession(seed, rounds);
    const total = count(items.map((item) => item.text).join('\n'));
    const maxTokens = Math.floor(total * 0.15);
    const kept = new Set(extractive.summarize({ items, maxTokens, count }).split('\n'));
    for (const [kind, least] of Object.entries(AT_LEAST)) {
      const lines = canaries.filter((canary) => canary.kind === kind).map((canary) => canary.line);
      const missing = lines.filter((line) => !kept.has(line));
      expect({ kind, enough: missing.length <= lines.length * (1 - least), missing }).toMatchObject(
        {
          enough: true,
        },
      );
    }
  },
);

test('decoys give way to what matters when there is little room', async () => {
  const { items, canaries } = makeSession(21, 8);
  const maxTokens = Math.floor(count(canaries.map((canary) => canary.line).join('\n')) * 1.2);
  const kept = extractive.summarize({ items, maxTokens, count }).split('\n');
  const decoy = /catch \(error\)|throw new Error|error\.\d+\.ts|0 errors|on error/;
  expect(kept.filter((line) => decoy.test(line))).toEqual([]);
  expect(canaries.filter(({ line }) => !kept.includes(line)).length).toBeLessThan(
    canaries.length / 10,
  );
});

test('one huge result does not take the room of the others', async () => {
  const huge = Array.from(
    { length: 20_000 },
    (_, at) => `ERROR attempt ${at} failed: upstream gave 503`,
  );
  const items = [
    { role: 'user', kind: 'text', real: true, text: 'Find out why uploads fail.' },
    { role: 'user', kind: 'toolResult', text: huge.join('\n') },
    {
      role: 'user',
      kind: 'toolResult',
      text: 'KeyError: tenant_12\nconfig read from /etc/relay/prod.toml',
    },
    { role: 'assistant', kind: 'text', text: 'Root cause: tenant 12 has no shard.' },
  ];
  const kept = extractive.summarize({ items, maxTokens: 300, count }).split('\n');
  expect(kept).toContain('Find out why uploads fail.');
  expect(kept).toContain('KeyError: tenant_12');
  expect(kept).toContain('config read from /etc/relay/prod.toml');
  expect(kept).toContain('Root cause: tenant 12 has no shard.');
});
