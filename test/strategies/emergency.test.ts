import { describe, expect, it } from 'vitest';
import { compact, type Step } from '../../src/index.ts';
import { orphans, texts } from '../support/read.ts';
import { again, OPTIONS, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  result,
  type Turn,
  user,
} from '../support/transcripts.ts';

const named = (index: number) => filler(100, `m${index}`);
/** Eleven messages of 100 tokens, the first and the last one included. */
const ELEVEN: readonly Turn[] = Array.from({ length: 11 }, (_, index) =>
  index % 2 === 0 ? user(named(index)) : assistant(named(index)),
);

const markerOf = (bytes: Uint8Array) =>
  unref(texts(bytes).find((text) => text.startsWith('[')) ?? 'none');

function cut(window: number | undefined, turns: readonly Turn[] = ELEVEN, steps: Step[] = []) {
  const { window: _known, ...options } = OPTIONS;
  const named = window === undefined ? {} : { window };
  return compact(claudeCode(turns), { ...options, ...named, steps, emergency: true });
}

describe('the emergency cut', () => {
  it.each([
    // Steps of 20% of the 10 messages behind the head, until the window is not full.
    [1101, 'none'],
    [1100, '[Dropped: 2 messages, ~200 tokens] [ref: …]'],
    [950, '[Dropped: 2 messages, ~200 tokens] [ref: …]'],
    [900, '[Dropped: 4 messages, ~400 tokens] [ref: …]'],
    [600, '[Dropped: 6 messages, ~600 tokens] [ref: …]'],
    // Nothing more is eligible: the first and the last message stay.
    [150, '[Dropped: 9 messages, ~900 tokens] [ref: …]'],
  ])('on a window of %i tokens leaves %s', async (window, marker) => {
    const done = await cut(window);
    expect(markerOf(done.bytes)).toBe(marker);
    expect(texts(done.bytes)[0]).toBe(named(0));
    expect(texts(done.bytes).at(-1)).toBe(named(10));
    if (window > 150) expect(done.report.tokens.after).toBeLessThan(window);
  });

  it('takes the oldest first', async () => {
    expect(texts((await cut(1100)).bytes).map(unref)).toEqual([
      named(0),
      '[Dropped: 2 messages, ~200 tokens] [ref: …]',
      ...[3, 4, 5, 6, 7, 8, 9, 10].map(named),
    ]);
  });

  it('never runs on a window that is only assumed', async () => {
    const turns = ELEVEN.map((turn, index) => (index === 1 ? assistant(filler(210_000)) : turn));
    const done = await cut(undefined, turns);
    expect(done.report.window.source).toBe('default');
    expect(done.stash).toBeNull();
    expect(done.report.strategies.at(-1)?.fired).toBe(false);
  });

  it('leaves three messages and fewer alone', async () => {
    expect((await cut(100, ELEVEN.slice(0, 3))).stash).toBeNull();
  });

  it('comes last and only when the strategies were not enough', async () => {
    const steps: Step[] = [['drop', 'assistantText:preserveRecent=1']];
    const done = await cut(1100, ELEVEN, steps);
    expect(done.report.strategies.map(({ fired }) => fired)).toEqual([true, false]);
  });

  it('keeps calls and results together', async () => {
    const turns = [
      user(named(0)),
      ...[1, 2, 3, 4].flatMap((index) => [
        call(`t${index}`, 'Bash', { command: named(index) }),
        call(`s${index}`, 'Bash', { command: named(index) }),
        result(`t${index}`, named(index)),
        result(`s${index}`, named(index)),
      ]),
      assistant('so'),
      user('last'),
    ];
    for (const window of [100, 300, 600, 900, 1200, 1500])
      for (const build of Object.values(BUILDERS)) {
        const done = await run(build(turns), [], { window, emergency: true });
        expect(orphans(done.bytes)).toEqual([]);
        const more = await again(done, [], { window, emergency: true });
        expect(more.bytes.equals(done.bytes)).toBe(true);
      }
  });

  it.each([
    ['auto', true],
    ['agentic', true],
    ['overflowProtection', true],
    ['proactiveSummarization', false],
    ['largeToolOffloading', false],
    ['staleToolCleanup', false],
  ])('preset %s ends with it: %s', async (preset, ends) => {
    const done = await run(claudeCode(ELEVEN), [preset]);
    expect(done.report.strategies.some(({ name }) => name === 'emergency')).toBe(ends);
  });
});
