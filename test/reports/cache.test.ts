import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, put, report, useFolder } from '../support/cli.ts';
import { claude, longText, resultLine } from '../support/session.ts';
import { firstChange, total, turns } from './figures.ts';

useFolder();

const FAST = ['--counter', 'heuristic'];

describe('what a change costs a prompt cache', () => {
  it.each([
    ['toolResults:blockThreshold=20000', 10],
    ['toolResults:blockThreshold=300', 2],
    ['*:preserveRecent=6', 1],
  ])(
    '--drop %s: first changed message and tokens sent anew are told (report 72)',
    async (spec, first) => {
      const lines = turns();
      put('s.jsonl', claude(lines));
      const args = ['s.jsonl', '--drop', spec, ...FAST];
      const shown = (await ctx(['explain', ...args])).out;
      const done = report(await ctx(['compact', ...args, '--json']));
      expect(firstChange(readFileSync('s.compact.jsonl'), lines)).toBe(first);
      const keptPrefix = total(claude(lines.slice(0, first)));
      const invalidated = total(claude(lines)) - keptPrefix;
      const cache = { firstChangedMessage: first, keptPrefix, invalidated };
      expect(done['cache']).toMatchObject(cache);
      expect(shown).toContain(
        `cache    changes from message ${first} on: ${invalidated.toLocaleString('en-US')} tokens of a cached prefix are sent anew`,
      );
    },
  );

  it('a copy that no model sees costs nothing of it (report 72)', async () => {
    const copy = { raw: `"toolUseResult":{"stdout":${JSON.stringify(longText('r1', 50))}}` };
    const lines = turns();
    lines[2] = resultLine(3, 2, 't1', JSON.stringify(longText('r1', 50)), copy);
    put('s.jsonl', claude(lines));
    const done = report(await ctx(['compact', 's.jsonl', '--ui-copies', '--json', ...FAST]));
    expect(firstChange(readFileSync('s.compact.jsonl'), lines)).toBe(2);
    expect([done['cache'], done.tokens.saved]).toEqual([null, 0]);
  });

  it('--min-savings leaves a long prefix alone for the sake of a small saving (report 72)', async () => {
    put('s.jsonl', claude(turns()));
    const small = ['--drop', 'tool::Bash:preserveRecent=2', '--min-savings', '5000', ...FAST];
    const { cache, tokens } = report(await ctx(['compact', 's.jsonl', '--json', ...small]));
    expect([cache, tokens.saved, existsSync('s.compact.jsonl')]).toEqual([null, 0, false]);
    const large = ['--drop', 'tool::Bash:preserveRecent=1', '--min-savings', '5000', ...FAST];
    expect(
      report(await ctx(['compact', 's.jsonl', '--json', ...large])).tokens.saved,
    ).toBeGreaterThan(5000);
  });
});
