import { describe, expect, it } from 'vitest';
import { plan, type Step } from '../../src/index.ts';
import { orphans, texts } from '../support/read.ts';
import { OPTIONS, outcomes, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  pinned,
  result,
  strandsTs,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const sequence = (bytes: Uint8Array) => texts(bytes).map(unref);

describe('timing and safety', () => {
  it('F4: a bare strategy warns in the plan, before anything is changed', async () => {
    const bytes = claudeCode([
      user('task'),
      call('t1', 'Bash'),
      result('t1', long('r')),
      user('x'),
    ]);
    for (const target of [
      'toolResults',
      'toolResultErrors',
      'assistantText',
      'userText',
      'tool::Bash',
    ]) {
      const prepared = await plan(bytes, { ...OPTIONS, steps: [['drop', target]] });
      expect(prepared.warnings.map(({ code }) => code)).toContain('bare-strategy');
    }
    const calm = await plan(bytes, {
      ...OPTIONS,
      steps: [['drop', 'toolResults:preserveRecent=1']],
    });
    expect(calm.warnings).toEqual([]);
  });

  it('F4: a trailing user message that nobody has answered is protected', async () => {
    for (const build of Object.values(BUILDERS)) {
      const turns = [
        user('task'),
        assistant('a1'),
        user(long('u2')),
        assistant('a3'),
        user(long('u4')),
      ];
      const done = await run(build(turns), [['drop', 'userText']]);
      expect(sequence(done.bytes)).toEqual([
        'task',
        'a1',
        '[Dropped: ~100 tokens] [ref: …]',
        'a3',
        long('u4'),
      ]);
    }
  });

  it('F4: a trailing tool result that nobody has answered is protected, with its call', async () => {
    for (const build of Object.values(BUILDERS)) {
      const turns = [
        user('task'),
        call('t1', 'Bash'),
        result('t1', long('r1')),
        call('t2', 'Bash', { command: long('c') }),
        result('t2', long('r2')),
      ];
      const bare = await run(build(turns), [['drop', 'toolResults']]);
      expect(sequence(bare.bytes).at(-1)).toBe(long('r2'));
      expect(sequence(bare.bytes)).toContain('[Dropped: ~100 tokens] [ref: …]');
      const whole = await run(build(turns), [['drop', '*:blockThreshold=10']]);
      expect(sequence(whole.bytes).at(-1)).toBe(long('r2'));
      expect(orphans(whole.bytes)).toEqual([]);
    }
  });

  it('F4: a trailing call that has no result yet is protected', async () => {
    for (const build of [claudeCode, BUILDERS.anthropic, BUILDERS['openai-chat']]) {
      const turns = [
        user('task'),
        assistant(long('a1')),
        user(long('u2')),
        assistant(long('a3')),
        call('t1', 'Bash'),
      ];
      const done = await run(build(turns), [['drop', 'assistantText']]);
      expect(sequence(done.bytes)).toEqual([
        'task',
        '[Dropped: ~100 tokens] [ref: …]',
        long('u2'),
        long('a3'),
        '',
      ]);
    }
  });

  it('F5: a bare drop of texts acts, with a warning that names it', async () => {
    const bytes = claudeCode([user('task'), assistant(long('a1')), user('u2')]);
    const done = await run(bytes, [['drop', 'assistantText']]);
    expect(done.report.warnings).toEqual([
      { code: 'bare-strategy', text: expect.stringContaining("--drop 'assistantText'") },
    ]);
    expect(sequence(done.bytes)[1]).toBe('[Dropped: ~100 tokens] [ref: …]');
  });

  it('F6: the task prompt is protected from block strategies too, unless asked', async () => {
    for (const build of Object.values(BUILDERS)) {
      const turns = [
        user(long('task')),
        assistant('a1'),
        user(long('u2')),
        assistant('a3'),
        user('end'),
      ];
      const done = await run(build(turns), [
        ['truncate', 'userText:blockThreshold=50,previewTokens=20'],
      ]);
      expect(texts(done.bytes)[0]).toBe(long('task'));
      expect(texts(done.bytes)[2]).toMatch(/^\[Truncated: /);
      expect(outcomes(done, 0)).toEqual(['kept first-message']);
      const asked = await run(build(turns), [['drop', 'userText']], { protectEnds: false });
      expect(sequence(asked.bytes)[0]).toBe('[Dropped: ~100 tokens] [ref: …]');
      expect(asked.report.warnings.map(({ code }) => code)).toContain('ends-not-protected');
    }
  });

  it('F6: the head reaches up to the first real user message', async () => {
    const bytes = BUILDERS['openai-chat']([
      assistant(long('hello')),
      user(long('task')),
      assistant('a'),
      user('b'),
    ]);
    const done = await run(bytes, [['drop', '*:blockThreshold=50']]);
    expect(done.bytes.equals(bytes)).toBe(true);
  });

  it('F7: a summarizer that fails for one run leaves that run, the others go on', async () => {
    let asked = 0;
    const summarizer = {
      name: 'flaky',
      summarize: async () => {
        asked += 1;
        if (asked === 1) throw new Error('no model today');
        return 'what was done';
      },
    };
    const bytes = strandsTs([
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      pinned(assistant('pin')),
      user(long('u4')),
      assistant(long('a5')),
      user('last'),
    ]);
    const done = await run(bytes, [['summarize', '*:preserveRecent=1']], { summarizer } as object);
    expect(sequence(done.bytes)).toEqual([
      'task',
      long('a1'),
      long('u2'),
      'pin',
      '[Summarized: 2 messages, ~200 tokens] [ref: …]\n\nwhat was done',
      'last',
    ]);
    expect(done.report.warnings).toEqual([
      { code: 'summary-failed', text: expect.stringContaining('no model today') },
    ]);
    expect(outcomes(done, 1)).toEqual(['kept summary-failed']);
  });

  it('F7: an empty summary leaves its block as it is', async () => {
    const summarizer = { name: 'mute', summarize: async () => ' \n' };
    const bytes = claudeCode([
      user('task'),
      call('t1', 'Bash'),
      result('t1', long('r')),
      user('x'),
    ]);
    const done = await run(bytes, [['summarize', 'toolResults']], { summarizer } as object);
    expect(done.bytes.equals(bytes)).toBe(true);
    expect(outcomes(done, 2)).toEqual(['kept summary-failed']);
  });

  it('F8: the last message stays whatever a * strategy takes', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      assistant('a3'),
      user(long('u4')),
    ];
    const specs: Step[] = [
      ['drop', '*:blockThreshold=10'],
      ['drop', '*:contextUtilization=1%'],
      ['truncate', '*:contextUtilization=1%,previewTokens=0'],
    ];
    for (const build of Object.values(BUILDERS))
      for (const step of specs) {
        const done = await run(build(turns), [step], { window: 1000 });
        expect(texts(done.bytes).at(-1)).toBe(long('u4'));
        expect(texts(done.bytes)).not.toContain(long('a1'));
      }
  });

  it('F10: a token contextUtilization is compared with tokens, not with an assumed window', async () => {
    const turns = [user('task'), assistant(filler(1499)), user('last')];
    const { window: _known, ...assumed } = OPTIONS;
    const bytes = BUILDERS.anthropic(turns);
    const at = (spec: string) => plan(bytes, { ...assumed, steps: [['drop', spec]] });
    // 1 + 1,499 + 1 tokens of a window that nothing names.
    expect((await at('*:contextUtilization=1501')).plan.decisions).toHaveLength(1);
    expect((await at('*:contextUtilization=1502')).plan.decisions).toEqual([]);
    expect((await at('*:contextUtilization=1501')).window).toEqual({
      tokens: 200_000,
      source: 'default',
      model: expect.anything(),
    });
  });
});
