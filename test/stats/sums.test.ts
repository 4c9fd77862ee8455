/** Every sum of `ctx stats`, over the samples and the sessions of real clients. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Stats } from '../../src/index.ts';
import { ctx, useFolder } from '../support/cli.ts';
import { samples } from '../support/corpus.ts';

const REAL = fileURLToPath(new URL('../../../shared/transcripts', import.meta.url));
const FAST = ['--counter', 'heuristic'];

useFolder();
beforeAll(async () => {
  await import('../../src/cli/commands/stats.ts');
});

/** Every file of real clients, also of those whose format is not read; none when they are not there. */
function realFiles(): string[] {
  if (!existsSync(REAL)) return [];
  return readdirSync(REAL, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => join(REAL, name))
    .toSorted();
}

describe('sums', () => {
  const subjects = [...samples().map(({ path }) => path), ...realFiles()];

  it.each(subjects)('of %s add up to what explain prints', async (path) => {
    const explained = await ctx(['explain', path, '--json', ...FAST]);
    const ran = await ctx(['stats', path, '--json', '--top', '3', ...FAST]);
    expect([ran.code, ran.err]).toEqual([explained.code, explained.err]);
    if (ran.code !== 0) return;
    const { tokens } = JSON.parse(explained.out) as { tokens: { before: number } };
    const stats = JSON.parse(ran.out) as Stats;
    const all = (pick: (row: NonNullable<Stats['kinds']>['rows'][number]) => number) =>
      (stats.kinds?.rows ?? []).reduce((sum, row) => sum + pick(row), 0);
    expect(all((row) => row.tokens) + stats.tokens.overhead).toBe(tokens.before);
    expect(stats.tokens.total).toBe(tokens.before);
    expect(all((row) => row.deadTokens)).toBe(stats.tokens.dead);

    const { file, live, dead, copies, repeats, other } = stats.bytes;
    expect(live + dead + copies + repeats + other).toBe(file);
    expect(other).toBeGreaterThanOrEqual(0);
    expect([all((row) => row.bytes), all((row) => row.deadBytes)]).toEqual([live, dead]);

    for (const section of [stats.messages, stats.blocks]) {
      const rows = section?.rows ?? [];
      const lived = rows.filter((row) => row.live).reduce((sum, row) => sum + row.tokens, 0);
      expect(lived + (section?.rest.tokens ?? 0)).toBe(stats.tokens.messages);
    }
    const used = (stats.kinds?.rows ?? [])
      .filter(({ kind }) => kind === 'toolCall' || kind === 'toolResult')
      .reduce((sum, row) => sum + row.tokens, 0);
    const tools = (stats.tools?.rows ?? []).reduce((sum, row) => sum + row.tokens, 0);
    expect(tools + (stats.tools?.rest.tokens ?? 0)).toBe(used);
  });
});
