import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openStash, readRuns } from '../../src/stash/store.ts';
import { ctx, put, report, useFolder } from '../support/cli.ts';
import { claude } from '../support/session.ts';
import { firstChange, total, turns } from './figures.ts';

useFolder();

const FAST = ['--counter', 'heuristic'];
/** US dollars a token by the list of `claude-sonnet-4-5`: read from a cache, written to it. */
const READ = 0.3e-6;
const WRITE = 3.75e-6;

describe('edits for the sake of a cache', () => {
  it.each([0, 2, 5, 10])(
    '--keep-prefix %d: nothing up to that message changes, what is newer does (report 73)',
    async (prefix) => {
      const lines = turns();
      put('s.jsonl', claude(lines));
      const args = ['--drop', 'toolResults:blockThreshold=100', '--keep-prefix', String(prefix)];
      const done = report(await ctx(['compact', 's.jsonl', '--json', ...args, ...FAST]));
      const results = [2, 6, 10, 14];
      const written = readFileSync('s.compact.jsonl').toString().split('\n');
      expect(written.slice(0, prefix + 1)).toEqual(lines.slice(0, prefix + 1));
      expect(results.filter((line) => written[line] !== lines[line])).toEqual(
        results.filter((line) => line > prefix),
      );
      expect(done['cache']).toMatchObject({
        firstChangedMessage: results.find((line) => line > prefix),
      });
    },
  );

  it('steps that take different blocks are one run, and a second one changes nothing (report 73)', async () => {
    const lines = turns();
    put('s.jsonl', claude(lines));
    const steps = [
      '--truncate',
      'toolResults:blockThreshold=2000,previewTokens=500',
      '--drop',
      'tool::Bash:preserveRecent=2',
      ...FAST,
    ];
    const done = report(await ctx(['compact', 's.jsonl', '--json', ...steps]));
    expect(
      done.blocks.filter(({ kind }) => kind === 'toolResult').map(({ action }) => action),
    ).toEqual(['dropped', 'dropped', 'truncated', 'truncated']);
    const stash = openStash('s.compact.jsonl.stash');
    expect([readRuns(stash).length, stash.refs.size]).toEqual([1, 4]);
    stash.close();
    expect((await ctx(['compact', 's.compact.jsonl', ...steps])).out).toContain(
      'nothing to do, nothing written',
    );
  });

  it.each([
    ['much of a short rest', 'toolResults:blockThreshold=20000'],
    ['little of a long rest', 'tool::Bash:preserveRecent=3'],
  ])(
    '%s: break-even is the first number of requests that cost less (report 73)',
    async (_name, spec) => {
      const lines = turns();
      put('s.jsonl', claude(lines));
      const args = ['s.jsonl', '--drop', spec, ...FAST];
      const shown = (await ctx(['explain', ...args])).out;
      const done = report(await ctx(['compact', ...args, '--json']));
      const output = readFileSync('s.compact.jsonl');
      const [before, after] = [total(claude(lines)), total(output)];
      const prefix = total(claude(lines.slice(0, firstChange(output, lines))));
      const first = prefix * READ + (after - prefix) * WRITE;
      const dearer = (requests: number) =>
        first + (requests - 1) * after * READ > requests * before * READ;
      let requests = 1;
      while (dearer(requests)) requests += 1;
      expect(done['cache']).toMatchObject({
        cost: {
          warm: {
            before: expect.closeTo(before * READ, 9),
            first: expect.closeTo(first, 9),
            later: expect.closeTo(after * READ, 9),
          },
          turnsToPay: requests,
        },
      });
      expect(shown).toContain(`paid for after ${requests} request`);
    },
  );
});
