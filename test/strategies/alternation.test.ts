import { describe, expect, it } from 'vitest';
import { restore, type Step } from '../../src/index.ts';
import { orphans, read, texts } from '../support/read.ts';
import { again, outcomes, run, unref } from '../support/run.ts';
import {
  assistant,
  call,
  converse,
  filler,
  pinned,
  result,
  strandsTs,
  type Turn,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const roles = (bytes: Uint8Array) => read(bytes).map(({ role }) => role);
const alternates = (bytes: Uint8Array) =>
  roles(bytes).every((role, index, all) => index === 0 || role !== all[index - 1]);

const DROP: Step[] = [['drop', '*:preserveRecent=1']];

describe('strict alternation (Converse and Strands)', () => {
  it('a marker joins the user message before its gap, as the last block', async () => {
    for (const build of [converse, strandsTs]) {
      const turns = [
        user('task'),
        assistant(long('a1')),
        user(long('u2')),
        assistant('a3'),
        user('z'),
      ];
      const done = await run(build(turns), [['drop', '*:preserveRecent=2']]);
      const [first] = read(done.bytes);
      expect(first?.blocks.map(({ text }) => unref(text))).toEqual([
        'task',
        '[Dropped: 2 messages, ~200 tokens] [ref: …]',
      ]);
      expect(roles(done.bytes)).toEqual(['user', 'assistant', 'user']);
    }
  });

  it('else it joins the user message behind its gap, as the first block', async () => {
    const turns = [
      user('task'),
      pinned(assistant('a1')),
      user(long('u2')),
      assistant(long('a3')),
      user('z'),
    ];
    const done = await run(strandsTs(turns), DROP);
    expect(
      read(done.bytes)
        .at(-1)
        ?.blocks.map(({ text }) => unref(text)),
    ).toEqual(['[Dropped: 2 messages, ~200 tokens] [ref: …]', 'z']);
    expect(roles(done.bytes)).toEqual(['user', 'assistant', 'user']);
  });

  it('between two assistant messages it is a user message', async () => {
    const turns = [
      user('task'),
      pinned(assistant('a1')),
      user(long('u2')),
      pinned(assistant('a3')),
      user('z'),
    ];
    const done = await run(strandsTs(turns), DROP);
    expect(roles(done.bytes)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(read(done.bytes)[2]?.blocks.map(({ text }) => unref(text))).toEqual([
      '[Dropped: 1 message, ~100 tokens] [ref: …]',
    ]);
  });

  it('role-order: between two user messages the last reply stays', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      assistant(long('a3')),
      user('z'),
    ];
    const done = await run(converse(turns), DROP);
    expect(texts(done.bytes).map(unref)).toEqual([
      'task',
      '[Dropped: 2 messages, ~200 tokens] [ref: …]',
      long('a3'),
      'z',
    ]);
    expect(outcomes(done, 3)).toEqual(['kept role-order']);
    const alone = converse([user('task'), assistant(long('a1')), user('z')]);
    expect((await run(alone, DROP)).bytes.equals(alone)).toBe(true);
  });

  it('role-order keeps a whole group: a reply that made calls stays with its results', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      call('t', 'Bash', { command: long('c') }),
      result('t', long('r')),
      assistant(long('a5')),
      user('z'),
    ];
    const done = await run(converse(turns), DROP);
    expect(orphans(done.bytes)).toEqual([]);
    expect(alternates(done.bytes)).toBe(true);
    expect(outcomes(done, 5)).toEqual(['kept role-order']);
  });

  it('no marker goes into a string', async () => {
    const value = JSON.parse(
      strandsTs([
        user('task'),
        assistant(long('a1')),
        user(long('u2')),
        assistant('a3'),
        user('z'),
      ]).toString(),
    );
    value.data.messages[0].content = 'task';
    const bytes = Buffer.from(JSON.stringify(value));
    const done = await run(bytes, [['drop', '*:preserveRecent=2']]);
    const [first, ...rest] = JSON.parse(done.bytes.toString()).data.messages;
    expect(first).toEqual(value.data.messages[0]);
    expect(outcomes(done, 1)).toEqual(['kept no-place']);
    // The reply that stays makes room for a message of the marker's own.
    expect(
      read(Buffer.from(JSON.stringify(rest))).map(({ blocks }) => unref(blocks[0]?.text ?? '')),
    ).toEqual([long('a1'), '[Dropped: 1 message, ~100 tokens] [ref: …]', 'a3', 'z']);
  });

  it('behind a pinned user message one reply stays, and the rest can go', async () => {
    const turns = [
      user('task'),
      assistant('a1'),
      pinned(user('pin')),
      assistant(long('a3')),
      user(long('u4')),
      assistant(long('a5')),
      user(long('u6')),
      assistant('a7'),
      user('z'),
    ];
    const done = await run(strandsTs(turns), [['drop', '*:preserveRecent=2']]);
    expect(texts(done.bytes).map(unref)).toEqual([
      'task',
      'a1',
      'pin',
      long('a3'),
      '[Dropped: 3 messages, ~300 tokens] [ref: …]',
      'a7',
      'z',
    ]);
    expect(alternates(done.bytes)).toBe(true);
    expect(outcomes(done, 3)).toEqual(['kept no-place']);
  });

  it('markers of several steps share a neighbour, in the order of their gaps', async () => {
    const turns = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      assistant(long('a3')),
      user(long('u4')),
      assistant('a5'),
      user('z'),
    ];
    const steps: Step[] = [
      ['drop', '*:preserveRecent=4'],
      ['drop', '*:preserveRecent=2'],
    ];
    for (const build of [converse, strandsTs]) {
      const done = await run(build(turns), steps);
      expect(texts(done.bytes).map(unref)).toEqual([
        'task',
        '[Dropped: 2 messages, ~200 tokens] [ref: …]',
        '[Dropped: 2 messages, ~200 tokens] [ref: …]',
        'a5',
        'z',
      ]);
      expect(alternates(done.bytes)).toBe(true);
      expect(restore(done.bytes, done.stash as Buffer).equals(build(turns))).toBe(true);
      expect((await again(done, steps)).bytes.equals(done.bytes)).toBe(true);
    }
  });

  it('whatever is pinned: roles alternate, pinned and assistant messages stay as they are', async () => {
    const base: readonly Turn[] = [
      user('task'),
      assistant(long('a1')),
      user(long('u2')),
      assistant(long('a3')),
      user(long('u4')),
      assistant(long('a5')),
      user(long('u6')),
      assistant(long('a7')),
      user('last'),
    ];
    for (let mask = 0; mask < 2 ** 7; mask += 1) {
      const isPinned = (index: number) =>
        index > 0 && index < 8 && (mask & (1 << (index - 1))) !== 0;
      const turns = base.map((turn, index) => (isPinned(index) ? pinned(turn) : turn));
      const bytes = strandsTs(turns);
      const done = await run(bytes, DROP);
      const before = JSON.parse(bytes.toString()).data.messages as { metadata?: unknown }[];
      const after = JSON.parse(done.bytes.toString()).data.messages as {
        role: string;
        metadata?: unknown;
      }[];
      const lines = new Set(before.map((message) => JSON.stringify(message)));
      const same = (message: unknown) => lines.has(JSON.stringify(message));
      expect(alternates(done.bytes)).toBe(true);
      expect(after.filter(({ role }) => role === 'assistant').every(same)).toBe(true);
      const pins = (list: readonly { metadata?: unknown }[]) =>
        list
          .filter(({ metadata }) => metadata !== undefined)
          .map((message) => JSON.stringify(message));
      expect(pins(after)).toEqual(pins(before));
      if (done.stash !== null) expect(restore(done.bytes, done.stash).equals(bytes)).toBe(true);
      expect((await again(done, DROP)).bytes.equals(done.bytes)).toBe(true);
    }
  });

  it('a pinned message pins the group of its calls', async () => {
    const value = JSON.parse(
      strandsTs([
        user('task'),
        assistant(long('a1')),
        user(long('u2')),
        call('t', 'Bash', { command: long('c') }),
        result('t', long('r')),
        assistant(long('a5')),
        user(long('u6')),
        assistant('a7'),
        user('last'),
      ]).toString(),
    );
    value.data.messages[4].metadata = { custom: { pinned: true } };
    const bytes = Buffer.from(JSON.stringify(value));
    const done = await run(bytes, DROP);
    expect(orphans(done.bytes)).toEqual([]);
    expect(outcomes(done, 3)).toEqual(['kept pinned']);
    expect(outcomes(done, 4)).toEqual(['kept pinned']);
    // Block strategies leave it too.
    expect((await run(bytes, [['drop', 'toolResults']])).bytes.equals(bytes)).toBe(true);
  });
});
