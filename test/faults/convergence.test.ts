import { describe, expect, it } from 'vitest';
import { CtxError, type Step } from '../../src/index.ts';
import { refs, texts } from '../support/read.ts';
import { again, original, outcomes, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  failed,
  filler,
  png,
  result,
  strandsTs,
  type Turn,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const sequence = (bytes: Uint8Array) => texts(bytes).map(unref);

const SESSION: readonly Turn[] = [
  user('task'),
  assistant(long('a1')),
  user(long('u2')),
  call('t1', 'Bash'),
  result('t1', filler(3000, 'one')),
  assistant(long('a3')),
  user(long('u4')),
  call('t2', 'Read'),
  result('t2', filler(3000, 'two')),
  assistant(long('a5')),
  user(long('u6')),
  assistant('a7'),
  user('last'),
];

/** Appends turns to a Claude Code session as the client would. */
function appended(bytes: Uint8Array, turns: readonly Turn[]): Buffer {
  const old = Buffer.from(bytes).toString('utf8');
  const last = JSON.parse(old.trimEnd().split('\n').at(-1) as string) as { uuid: string };
  let parentUuid = last.uuid;
  const added = claudeCode(turns)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const uuid = `1${(JSON.parse(line) as { uuid: string }).uuid.slice(1)}`;
      const moved = { ...(JSON.parse(line) as object), parentUuid, uuid };
      parentUuid = uuid;
      return `${JSON.stringify(moved).replaceAll('"msg_', '"msg_1')}\n`;
    });
  return Buffer.from(old + added.join(''));
}

describe('convergence and counts', () => {
  it('F15: drop(*) does not drop its own marker, and the count stays', async () => {
    const steps: Step[] = [['drop', '*:preserveRecent=2']];
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(SESSION), steps);
      const more = await again(done, steps);
      expect(more.bytes.equals(done.bytes)).toBe(true);
      expect(more.stash).toBeNull();
      expect(texts(more.bytes).filter((text) => text.startsWith('[Dropped'))).toHaveLength(1);
    }
  });

  it('F15: drop(userText) does not take the marker of a gap', async () => {
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(SESSION), [['drop', '*:preserveRecent=2']]);
      const more = await again(done, [['drop', 'userText']]);
      expect(more.bytes.equals(done.bytes)).toBe(true);
    }
  });

  it('F16: a later removal leaves the earlier marker with its count, and both refs resolve', async () => {
    const steps: Step[] = [['drop', '*:preserveRecent=2']];
    const first = await run(claudeCode(SESSION), steps);
    const grown = appended(first.bytes, [
      assistant(long('b1')),
      user(long('v2')),
      assistant('b3'),
      user('end'),
    ]);
    const stash = first.stash as Buffer;
    const second = await run(grown, steps, { stash });
    expect(sequence(second.bytes)).toEqual([
      'task',
      expect.stringMatching(/^\[Dropped: 10 messages, ~[\d,]+ tokens\] \[ref: …\]$/),
      // a7, last, b1 and v2: a marker beside the older one.
      expect.stringMatching(/^\[Dropped: 4 messages, ~\d+ tokens\] \[ref: …\]$/),
      'b3',
      'end',
    ]);
    const [old, fresh] = refs(second.bytes) as [string, string];
    expect(old).toBe(refs(first.bytes)[0]);
    expect(original(second, old)).toContain('one 0 ');
    expect(original(second, fresh)).toContain('b1 0 ');
    expect(original(second, fresh)).not.toContain('[Dropped');
  });

  it('F16b: a truncated text that is seen again stays byte for byte', async () => {
    const steps: Step[] = [['truncate', 'toolResults:blockThreshold=200,previewTokens=100']];
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(SESSION), steps);
      expect(texts(done.bytes).filter((text) => text.startsWith('[Truncated'))).toHaveLength(2);
      expect((await again(done, steps)).bytes.equals(done.bytes)).toBe(true);
    }
  });

  it('F16b: a text that fits its preview is not touched', async () => {
    const bytes = claudeCode(SESSION);
    const done = await run(bytes, [['truncate', 'toolResults:previewTokens=3000']]);
    expect(done.bytes.equals(bytes)).toBe(true);
    expect(done.stash).toBeNull();
  });

  it('F16d: a message that carries a marker keeps its own content eligible', async () => {
    const bytes = strandsTs([
      user('task'),
      assistant('a1'),
      user(filler(2500, 'carrier')),
      assistant(long('a3')),
      user(long('u4')),
      assistant('a5'),
      user('u6'),
    ]);
    const hosted = await run(bytes, [
      ['truncate', '*:previewTokens=2600,preview=head,preserveRecent=2'],
    ]);
    expect(sequence(hosted.bytes)).toEqual([
      'task',
      'a1',
      filler(2500, 'carrier'),
      '[... 2 messages elided ...] [ref: …]',
      'a5',
      'u6',
    ]);
    for (const spec of ['*:blockThreshold=2000', 'userText:blockThreshold=2000']) {
      const shortened = await again(hosted, [['truncate', spec]]);
      expect(sequence(shortened.bytes)[2]).toMatch(
        /^\[Truncated: 1 block, ~2,500 tokens\] \[ref: …\]\n\n/,
      );
      expect(sequence(shortened.bytes)[3]).toBe('[... 2 messages elided ...] [ref: …]');
    }
  });

  it('F16e: a percent blockThreshold is checked against previewTokens too', async () => {
    const bytes = claudeCode(SESSION);
    const steps: Step[] = [['truncate', 'toolResults:blockThreshold=5%,previewTokens=1000']];
    await expect(run(bytes, steps, { window: 10_000 })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/500.*1000/),
      hint: 'raise blockThreshold or lower previewTokens',
    });
    // Equality is an error as well; above it is not.
    await expect(run(bytes, steps, { window: 20_000 })).rejects.toBeInstanceOf(CtxError);
    expect((await run(bytes, steps, { window: 20_020 })).stash).not.toBeNull();
  });

  it('F19: one message is singular, in every wording', async () => {
    const turns = [user('task'), assistant(long('a1')), user('u2')];
    for (const [method, head] of [
      ['drop', '[Dropped: 1 message, ~100 tokens] [ref: …]'],
      ['truncate', '[... 1 message elided ...] [ref: …]'],
      ['summarize', '[Summarized: 1 message, ~100 tokens] [ref: …]'],
    ] as const) {
      const options = { summarizer: { name: 'stub', summarize: async () => 'short' } };
      const preview = method === 'truncate' ? ',previewTokens=0' : '';
      const steps: Step[] = [[method, `*:preserveRecent=1${preview}`]];
      const done = await run(BUILDERS.anthropic(turns), steps, options as object);
      expect(sequence(done.bytes)[1]?.split('\n')[0]).toBe(head);
    }
  });

  it('F21: a drop says how large the original was', async () => {
    const done = await run(claudeCode(SESSION), [['drop', 'tool::Bash']]);
    expect(sequence(done.bytes)[4]).toBe('[Dropped: ~3,000 tokens] [ref: …]');
  });

  it('F22: a dropped result that holds a picture names it', async () => {
    const shot = [{ text: filler(300) }, { image: png(750, 100) }];
    for (const build of [claudeCode, strandsTs, BUILDERS.anthropic]) {
      const turns = [
        user('task'),
        call('t1', 'Shot'),
        result('t1', shot),
        assistant('a'),
        user('b'),
      ];
      const done = await run(build(turns), [['drop', 'toolResults']]);
      // 750 x 100 pixels are 100 tokens by the vendor's formula.
      expect(sequence(done.bytes)[2]).toBe(
        '[Dropped: image, ~400 tokens, removed from context after it was viewed] [ref: …]',
      );
    }
  });

  it('F23: the ref of a preview stands on its first line', async () => {
    const done = await run(claudeCode(SESSION), [['truncate', 'toolResults:previewTokens=100']]);
    const preview = sequence(done.bytes)[4] as string;
    expect(preview.split('\n')[0]).toBe('[Truncated: 1 block, ~3,000 tokens] [ref: …]');
    expect(preview.endsWith(filler(3000, 'one').slice(-40))).toBe(true);
    expect(
      done.report.blocks.find((row) => row.callId === 't1' && row.kind === 'toolResult')?.ref,
    ).toBe(refs(done.bytes)[0]);
  });

  it('idempotence: a second run of the same steps changes nothing, in every format', async () => {
    const errors = [...SESSION.slice(0, -2), call('t9', 'Bash'), failed('t9', filler(3000, 'bad'))];
    const turns = [...errors, assistant('a7'), user('last')];
    const runs: Step[][] = [
      [['drop', 'toolResults:preserveRecent=1']],
      [['drop', 'toolResults:preserveRecent=50%']],
      [['drop', 'userText']],
      [['truncate', 'assistantText:blockThreshold=50,previewTokens=10']],
      [['summarize', 'toolResults:blockThreshold=500']],
      [['drop', '*:preserveRecent=50%']],
      [['drop', '*:blockThreshold=90,preserveRecent=2']],
      [['truncate', '*:previewTokens=700,preserveRecent=2']],
      [['truncate', '*:previewTokens=700,preserveRecent=30%']],
      [['truncate', '*:blockThreshold=300,previewTokens=100']],
      [['summarize', '*:preserveRecent=3']],
      ['auto'],
      ['staleToolCleanup', 'largeToolOffloading', 'proactiveSummarization', 'overflowProtection'],
      [
        ['truncate', 'toolResults:blockThreshold=200,previewTokens=100'],
        ['drop', '*:preserveRecent=4'],
      ],
    ];
    for (const [name, build] of Object.entries(BUILDERS)) {
      for (const steps of runs) {
        const done = await run(build(turns), steps, { window: 8000 });
        const more = await again(done, steps, { window: 8000 });
        const same = more.bytes.equals(done.bytes);
        expect(`${name} ${JSON.stringify(steps)} ${same}`).toBe(
          `${name} ${JSON.stringify(steps)} true`,
        );
      }
    }
  });

  it('convergence: a placeholder is reported as already offloaded', async () => {
    const steps: Step[] = [['drop', 'toolResults']];
    const done = await run(claudeCode(SESSION), steps);
    expect(outcomes(await again(done, steps), 4)).toEqual(['kept already-offloaded']);
  });
});
