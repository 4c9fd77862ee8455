import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PlanFile } from '../../src/plan/plan-file.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, names, put, useFolder } from '../support/cli.ts';
import { edited, session } from './rounds.ts';
import { FIXED, reportOf } from './support.ts';

useFolder();

const PRESETS = [
  'auto',
  'agentic',
  'proactiveSummarization',
  'largeToolOffloading',
  'overflowProtection',
  'staleToolCleanup',
  'observation-masking',
  'observation-masking-agentic',
  'structured-summary',
  'algorithmic',
  'native-history',
  'lossless',
  'lean',
  'archive',
];

/** Repeats, outdated reads, large outputs and several turns: every preset finds something in it. */
function busy(): Buffer {
  const made = new Session().user('Go through the shop.');
  for (let round = 0; round < 14; round += 1) {
    made.read(`${round % 5}.ts`, tokensOf(2600, `v_${round % 3}`));
    made.says(`Round ${round} is over. ${tokensOf(80, 'talk')}`);
  }
  return made.user('And?').says('Done.').user('Thanks.').says('Welcome.').bytes;
}

describe.each(PRESETS)('explain --preset %s', (preset) => {
  const small = ['--counter', 'heuristic', '--window', '4200', '--json'];
  it('decides what compact does, block by block, and writes nothing (report 99)', async () => {
    const name = 's.json';
    const input = busy();
    put(name, input);
    const shown = await ctx(['explain', name, '--preset', preset, ...small]);
    expect([shown.code, names()]).toEqual([0, [name]]);
    const planned = await ctx(['explain', name, '--preset', preset, ...small, '--plan-out', 'p']);
    const done = await ctx(['compact', name, '-o', 'direct', '--preset', preset, ...small]);
    const { blocks, tokens, strategies, budget, cache } = reportOf(done);
    expect(blocks.some(({ action }) => action !== 'kept')).toBe(true);
    for (const ran of [shown, planned])
      expect(reportOf(ran)).toMatchObject({ blocks, tokens, strategies, budget, cache });
    expect((await ctx(['compact', name, '-o', 'applied', '--plan', 'p'])).code).toBe(0);
    expect(readFileSync('applied').equals(readFileSync('direct'))).toBe(true);
    expect(readFileSync(name).equals(input)).toBe(true);
  });
});

describe('an edited plan', () => {
  /** The plan of a drop of six results, with every action as `edit` gives it. */
  async function planned(edit: (entry: PlanFile['entries'][number]) => string): Promise<Session> {
    const input = session();
    put('s.json', input.bytes);
    const argv = ['--drop', 'toolResults:preserveRecent=2', ...FIXED];
    await ctx(['explain', 's.json', ...argv, '--plan-out', 'p.json']);
    const plan = JSON.parse(readFileSync('p.json', 'utf8')) as PlanFile;
    const entries = plan.entries.map((entry) => ({ ...entry, action: edit(entry) }));
    writeFileSync('p.json', JSON.stringify({ ...plan, entries }));
    return input;
  }

  it('does what was edited and nothing else (report 99)', async () => {
    const edits = new Map([
      [5, 'kept'],
      [11, 'kept'],
      [20, 'dropped'],
      [23, 'truncated'],
    ]);
    const input = await planned(({ message, action }) => edits.get(message ?? -1) ?? action);
    const ran = await ctx(['compact', 's.json', '-o', 'o', '--plan', 'p.json', '--json']);
    expect(ran.code).toBe(0);
    // A preview of 1,000 tokens of a result of 507 saves nothing.
    expect(edited(input, readFileSync('o', 'utf8'))).toEqual([2, 8, 14, 17, 20]);
    const rows = reportOf(ran).blocks.filter(({ action }) => action !== 'kept');
    expect(rows.map(({ message, reason }) => [message, reason])).toEqual([
      [2, 'not-recent'],
      [8, 'not-recent'],
      [14, 'not-recent'],
      [17, 'not-recent'],
      [20, 'planned'],
    ]);
  });

  it('that declines everything changes nothing (report 99)', async () => {
    await planned(() => 'kept');
    const ran = await ctx(['compact', 's.json', '--plan', 'p.json']);
    expect([ran.code, names()]).toEqual([0, ['p.json', 's.json']]);
  });

  it('is refused for a file of other bytes (report 99)', async () => {
    const input = await planned(({ action }) => action);
    put('s.json', input.user('One more.').bytes);
    const ran = await ctx(['compact', 's.json', '--plan', 'p.json']);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toContain('other bytes');
    expect(existsSync('s.compact.json')).toBe(false);
  });
});
