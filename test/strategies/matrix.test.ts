import { describe, expect, it } from 'vitest';
import { type Method, plan, type Step } from '../../src/index.ts';
import { OPTIONS } from '../support/run.ts';
import { assistant, call, claudeCode, result, user } from '../support/transcripts.ts';

const BYTES = claudeCode([
  user('task'),
  call('t1', 'Bash'),
  result('t1', 'ok'),
  assistant('a'),
  user('end'),
]);

const METHODS: readonly Method[] = ['drop', 'truncate', 'summarize'];
const OTHERS = [
  'toolResults',
  'toolResultErrors',
  'assistantText',
  'userText',
  'tool::Bash',
  '!tool::Bash',
  'tool::Bash+tool::Read',
];
const B = 'blockThreshold=2000';
const U = 'contextUtilization=50%';
const P = 'preserveRecent=1';
/** preserveRecent of nothing is as if it were not set. */
const NONE = [[], ['preserveRecent=0'], ['preserveRecent=0%']];
const ONLY_B = NONE.map((none) => [B, ...none]);
const GATED = [
  [U],
  [P],
  ['preserveRecent=10%'],
  ['contextUtilization=1000'],
  [B, U],
  [B, P],
  [U, P],
  [B, U, P],
  [U, 'preserveRecent=0'],
];

type Cell = readonly [method: Method, target: string, conditions: readonly string[]];

const cells = (targets: readonly string[], sets: readonly (readonly string[])[]): Cell[] =>
  METHODS.flatMap((method) =>
    targets.flatMap((target) => sets.map((set) => [method, target, set] as const)),
  );

async function outcome([method, target, conditions]: Cell): Promise<string> {
  const spec = conditions.length === 0 ? target : `${target}:${conditions.join(',')}`;
  const steps: Step[] = [[method, spec]];
  try {
    const { warnings } = await plan(BYTES, { ...OPTIONS, steps });
    // That the transcript lacks a tool is a matter of the transcript, not of the combination.
    const codes = warnings.map(({ code }) => code).filter((code) => code !== 'unknown-tool');
    return codes.join(' ') || 'ok';
  } catch (cause) {
    const { exitCode, hint } = cause as { exitCode: number; hint: string };
    return `exit ${exitCode}: ${hint}`;
  }
}

describe('the combination matrix of targets and conditions', () => {
  it.each(cells(['*'], NONE))('%s %s %j needs a condition', async (...cell) => {
    const hint = 'contextUtilization, blockThreshold, or preserveRecent above 0';
    expect(await outcome(cell)).toBe(`exit 2: set ${hint}`);
  });

  it.each(cells(['*'], [...ONLY_B, ...GATED]))('%s %s %j runs', async (...cell) => {
    expect(await outcome(cell)).toBe('ok');
  });

  it.each(cells(['media'], [...NONE, ...ONLY_B]))(
    '%s %s %j would take media before they are seen',
    async (...cell) => {
      expect(await outcome(cell)).toBe('exit 2: set contextUtilization, or preserveRecent above 0');
    },
  );

  it.each(cells(['media'], GATED))('%s %s %j runs', async (...cell) => {
    expect(await outcome(cell)).toBe('ok');
  });

  it.each(cells(OTHERS, NONE))('%s %s %j runs with one warning', async (...cell) => {
    expect(await outcome(cell)).toBe('bare-strategy');
  });

  it.each(cells(OTHERS, [...ONLY_B, ...GATED]))('%s %s %j runs', async (...cell) => {
    expect(await outcome(cell)).toBe('ok');
  });

  it.each(['*', ...OTHERS])(
    'truncate %s needs a blockThreshold above previewTokens',
    async (target) => {
      const hint = 'exit 2: raise blockThreshold or lower previewTokens';
      const at = (options: string) => outcome(['truncate', target, [options]]);
      expect(await at('blockThreshold=999')).toBe(hint);
      // The default of previewTokens is 1000; equality is an error.
      expect(await at('blockThreshold=1000')).toBe(hint);
      expect(await at('blockThreshold=1001')).toBe('ok');
      expect(await at('blockThreshold=50,previewTokens=50')).toBe(hint);
      expect(await at('blockThreshold=51,previewTokens=50')).toBe('ok');
      // 1% of 100,000 tokens.
      expect(await at('blockThreshold=1%')).toBe(hint);
      expect(await at('blockThreshold=1.01%')).toBe('ok');
    },
  );

  it('a preview may have no tokens, and the other methods have none', async () => {
    expect(await outcome(['truncate', 'toolResults', ['blockThreshold=1,previewTokens=0']])).toBe(
      'ok',
    );
    expect(await outcome(['drop', 'toolResults', ['blockThreshold=1']])).toBe('ok');
    expect(await outcome(['drop', 'toolResults', ['previewTokens=10']])).toMatch(/^exit 2: /);
    expect(await outcome(['summarize', 'toolResults', ['preview=head']])).toMatch(/^exit 2: /);
  });

  it.each([
    'blockThreshold=0',
    'blockThreshold=0%',
    'blockThreshold=100%',
    'blockThreshold=-5',
    'blockThreshold=0.5',
    'blockThreshold=NaN',
    'blockThreshold=true',
    'contextUtilization=999',
    'contextUtilization=80',
    'contextUtilization=1',
    'contextUtilization=0.85',
    'contextUtilization=105%',
    'contextUtilization=-5%',
    'contextUtilization=0%',
    'contextUtilization=',
    'contextUtilization=abc%',
    'contextUtilization= 5 %',
    'preserveRecent=1.5',
    'preserveRecent=100%',
    'preserveRecent=-1',
    'utilisation=50%',
    'threshold=50',
    'utilization=50%',
  ])('%s is refused', async (condition) => {
    expect(await outcome(['drop', 'toolResults', [condition]])).toMatch(/^exit 2: /);
  });

  it.each([
    ['contextUtilization=0.85', '85%'],
    ['contextUtilization=80', '80%'],
    ['blockThreshold=0.05', '5%'],
    ['preserveRecent=0.7', '70%'],
  ])('%s is answered with the share to write', async (condition, share) => {
    expect(await outcome(['drop', 'toolResults', [condition]])).toContain(share);
  });

  it.each([
    'blockThreshold=1',
    'blockThreshold=12.5%',
    'blockThreshold=99.9%',
    'contextUtilization=1000',
    'contextUtilization=100%',
    'preserveRecent=99%',
  ])('%s is accepted', async (condition) => {
    expect(await outcome(['drop', 'toolResults', [condition]])).toBe('ok');
  });

  it('a tool list that matches nothing is refused', async () => {
    expect(await outcome(['drop', '', ['preserveRecent=1']])).toMatch(/^exit 2: /);
    expect(await outcome(['drop', 'tool::bash+!tool::bash', []])).toMatch(/^exit 2: /);
    expect(await outcome(['drop', 'nothing', []])).toMatch(/^exit 2: /);
  });
});
