/**
 * One test for each known fault of the implementations that ctx follows (offload semantics, section 13), in the
 * files of this folder. Faults that can't occur in a saved transcript:
 *
 * | Fault | Why it has no test here |
 * | ----- | ----------------------- |
 * | F5    | settled as a warning, tested as such in safety.test.ts |
 * | F9    | strategies are pure functions of a view: there is no instance that agents could share |
 * | F16c  | placeholders are never folded; idempotence is tested instead |
 * | F17   | messages are never merged, so no usage, metrics or tracking id is lost |
 * | F18   | summary requests hold text items only; there is no tool configuration to send |
 * | F20   | exit codes of `ctx retrieve`: tests of the command line (the library throws, see F29) |
 * | F28   | optional report of the first changed message; no effect on the output |
 * | F35   | the agent's own tools remove messages without a trace: nothing is left to detect |
 * | F36   | keys of the SDK's own stash; ctx refs are hashes and any unique prefix resolves |
 * | F41   | the path of the SDK's durable stash; ours is one file beside the output |
 * | F49   | cost of summaries: a count is made once a block, in the index pass (see the benchmarks) |
 * | F50   | findings about the process, no effect on a product |
 */

import { describe, expect, it } from 'vitest';
import { orphans, read, texts } from '../support/read.ts';
import { again, outcomes, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  openaiChat,
  pinned,
  result,
  split,
  strandsTs,
  user,
} from '../support/transcripts.ts';

/** Texts in order, refs left out. */
const sequence = (bytes: Uint8Array) => texts(bytes).map(unref);
const long = (name: string) => filler(100, name);

describe('placement and pairs', () => {
  it('F1: a marker stands in the place of its gap, after what came before and before what came after', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      assistant('a3'),
      user('u4'),
    ];
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(turns), [['drop', '*:preserveRecent=2']]);
      expect(sequence(done.bytes)).toEqual([
        'task',
        '[Dropped: 2 messages, ~200 tokens] [ref: …]',
        'a3',
        'u4',
      ]);
    }
  });

  it('F1: between two assistant messages the marker is a user message of its own', async () => {
    const turns = [user('task'), assistant('a1'), user(long('u2')), assistant('a3'), user('u4')];
    const bytes = strandsTs(turns.map((turn, index) => (index === 1 ? pinned(turn) : turn)));
    const done = await run(bytes, [['drop', '*:preserveRecent=2']]);
    const seen = read(done.bytes);
    expect(seen.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(unref(seen[2]?.blocks[0]?.text ?? '')).toBe(
      '[Dropped: 1 message, ~100 tokens] [ref: …]',
    );
    expect(seen[1]?.blocks).toHaveLength(1);
  });

  it('F1: a pinned user message never takes a marker', async () => {
    const bytes = strandsTs([
      user('task'),
      assistant('a1'),
      pinned(user('pin')),
      assistant(long('a3')),
      user(long('u4')),
      assistant('a5'),
      user('u6'),
    ]);
    const done = await run(bytes, [['drop', '*:preserveRecent=2']]);
    const pin = read(done.bytes).find(({ blocks }) => blocks[0]?.text === 'pin');
    expect(pin?.blocks.map(({ text }) => text)).toEqual(['pin']);
    const roles = read(done.bytes).map(({ role }) => role);
    expect(roles.every((role, index) => role !== roles[index - 1])).toBe(true);
  });

  it('F2: a large message of many small blocks really shrinks under truncate(*) with blockThreshold', async () => {
    const blocks = Array.from({ length: 10 }, (_, index) => ({ text: filler(600, `b${index}`) }));
    for (const build of [claudeCode, strandsTs]) {
      const bytes = build([
        user('task'),
        assistant('a1'),
        user(blocks),
        assistant('a3'),
        user('u4'),
      ]);
      const done = await run(bytes, [['truncate', '*:blockThreshold=2000,previewTokens=1000']]);
      const after = done.report.blocks.filter((row) => row.message === 2);
      const tokens = after.reduce((sum, row) => sum + row.tokensAfter, 0);
      // The preview budget and a marker with its elision line for each block.
      expect(tokens).toBeLessThanOrEqual(1000 + 10 * 40);
      expect(after.every((row) => row.action === 'truncated')).toBe(true);
    }
  });

  it('F2: a selected message that can not be shortened is reported as such', async () => {
    const bytes = claudeCode([
      user('task'),
      assistant('a1'),
      user('u2'),
      call('t1', 'Write', { content: filler(3000) }),
      result('t1', 'ok'),
      assistant('a'),
      user('last'),
    ]);
    const done = await run(bytes, [['truncate', '*:blockThreshold=2000,previewTokens=1000']]);
    expect(done.bytes.equals(bytes)).toBe(true);
    expect(done.report.strategies[0]?.why).toContain('1 selected but not shortened');
  });

  it('F3: a pair that straddles the head of a middle-out goes as a whole and the budget is recounted', async () => {
    const bytes = claudeCode([
      user('task'),
      assistant(filler(200, 'a1')),
      user(filler(200, 'u2')),
      call('t1', 'Bash'),
      result('t1', filler(500, 'r')),
      assistant(filler(300, 'a5')),
      user(filler(300, 'u6')),
      assistant(filler(200, 'a7')),
      user('last'),
    ]);
    // Head 600: a1, u2; the call alone would fit, its result does not. Tail 400: a7.
    const done = await run(bytes, [['truncate', '*:previewTokens=1000,preserveRecent=1']]);
    expect(sequence(done.bytes)).toEqual([
      'task',
      filler(200, 'a1'),
      filler(200, 'u2'),
      '[... 4 messages elided ...] [ref: …]',
      filler(200, 'a7'),
      'last',
    ]);
    expect(orphans(done.bytes)).toEqual([]);
  });

  it('F3: a pair that straddles the tail of a middle-out goes as a whole', async () => {
    const bytes = claudeCode([
      user('task'),
      assistant(filler(200, 'a1')),
      user(filler(600, 'u2')),
      call('t1', 'Bash', { command: filler(300) }),
      result('t1', filler(300, 'r')),
      assistant(filler(50, 'a5')),
      user('last'),
    ]);
    // Tail 400: a5 and the result alone would fit, the call does not.
    const done = await run(bytes, [['truncate', '*:previewTokens=1000,preserveRecent=1']]);
    expect(sequence(done.bytes)).toEqual([
      'task',
      filler(200, 'a1'),
      '[... 3 messages elided ...] [ref: …]',
      filler(50, 'a5'),
      'last',
    ]);
  });

  it('F11: a group with one protected member is protected whole', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      call('t1', 'Bash', { command: long('c') }),
      result('t1', long('r')),
    ];
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(turns), [['drop', '*:preserveRecent=1']]);
      expect(orphans(done.bytes)).toEqual([]);
      expect(texts(done.bytes).at(-1)).toBe(long('r'));
      expect(texts(done.bytes).some((text) => text.startsWith('[Dropped: '))).toBe(true);
    }
  });

  it('F11: parallel calls whose results lie in several messages are one group', async () => {
    const bytes = claudeCode([
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      call('t1', 'Bash', { command: long('c') }),
      call('t2', 'Bash', { command: long('c') }),
      result('t1', long('r1')),
      user(long('u5')),
      result('t2', long('r2')),
    ]);
    const done = await run(bytes, [['drop', '*:preserveRecent=1']]);
    expect(orphans(done.bytes)).toEqual([]);
    expect(sequence(done.bytes)).toEqual([
      'task',
      '[Dropped: 2 messages, ~200 tokens] [ref: …]',
      '',
      '',
      long('r1'),
      long('u5'),
      long('r2'),
    ]);
  });

  it('F12: a call and its result are matched by id, not by adjacency', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      call('t1', 'Bash', { command: long('c') }),
      user(long('between')),
      result('t1', long('r')),
      assistant('a6'),
      user('last'),
    ];
    for (const build of [claudeCode, openaiChat, BUILDERS.anthropic]) {
      const kept = await run(build(turns), [['drop', '*:preserveRecent=3']]);
      expect(orphans(kept.bytes)).toEqual([]);
      expect(texts(kept.bytes)).toContain(long('r'));
      const gone = await run(build(turns), [['drop', '*:preserveRecent=2']]);
      expect(orphans(gone.bytes)).toEqual([]);
      expect(sequence(gone.bytes)).toEqual([
        'task',
        expect.stringMatching(/^\[Dropped: 5 messages, ~\d+ tokens\] \[ref: …\]$/),
        'a6',
        'last',
      ]);
    }
  });

  it('F13: a pair that the head protects is kept, and every block says why', async () => {
    const bytes = BUILDERS.anthropic([
      call('t0', 'Bash', { command: long('c') }),
      result('t0', filler(2000)),
      user('task'),
      assistant(long('a3')),
      user('last'),
    ]);
    const done = await run(bytes, [['drop', '*:blockThreshold=1000']]);
    expect(done.bytes.equals(bytes)).toBe(true);
    expect(outcomes(done, 0)).toEqual(['kept first-message']);
    expect(outcomes(done, 1)).toEqual(['kept first-message']);
  });

  it('F13: a call beside the first message can be kept for its result without endless work', async () => {
    const turns = [user('task'), call('t1', 'Bash'), result('t1', filler(2000))];
    const done = await run(claudeCode(turns), [['drop', '*:blockThreshold=1000']]);
    expect(done.bytes.equals(claudeCode(turns))).toBe(true);
    expect(outcomes(done, 1)).toEqual(['kept group-protected']);
    expect(outcomes(done, 2)).toEqual(['kept last-message']);
  });

  it('F14: each gap has a marker of its own with its own count', async () => {
    const bytes = strandsTs([
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      pinned(assistant('pin')),
      user(long('u4')),
      assistant(long('a5')),
      user(long('u6')),
      assistant(long('a7')),
      user('last'),
    ]);
    const done = await run(bytes, [['drop', '*:preserveRecent=1']]);
    expect(sequence(done.bytes)).toEqual([
      'task',
      '[Dropped: 2 messages, ~200 tokens] [ref: …]',
      'pin',
      '[Dropped: 4 messages, ~400 tokens] [ref: …]',
      'last',
    ]);
    expect(read(done.bytes).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('F14: a kept group between two removed runs gives two markers in a Claude Code session', async () => {
    const bytes = claudeCode([
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      call('t1', 'Bash'),
      split,
      user(long('u4')),
      assistant(long('a5')),
      result('t1', 'late'),
    ]);
    const steps = [['drop', '*:preserveRecent=1']] as const;
    const done = await run(bytes, steps);
    expect(sequence(done.bytes)).toEqual([
      'task',
      '[Dropped: 2 messages, ~200 tokens] [ref: …]',
      '',
      '[Dropped: 2 messages, ~200 tokens] [ref: …]',
      'late',
    ]);
    expect((await again(done, steps)).bytes.equals(done.bytes)).toBe(true);
  });
});
