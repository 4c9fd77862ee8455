import { describe, expect, it } from 'vitest';
import { MESSAGE_TOKENS, oneRingAiCounter } from '../../src/measure/oneringai.ts';
import { restore, retrieve } from '../../src/memory.ts';
import { actions, messagesOf, reasons, results, Session, text, tokensOf } from './build.ts';

/** The acceptance checks of masking and summary, section 12, by their numbers; 11 to 14 are in other files. */

/** Masks everything but the last message: the tail is not what these checks are about. */
const OPEN = 'preserveRecentTurns=0,preserveRecentMessages=1';

function asked(): Session {
  return new Session().user('Find out why uploads fail.');
}

it('1: estimates as the seed does', () => {
  const counted = oneRingAiCounter.count('a'.repeat(896));
  expect(counted).toBe(256);
  expect(counted + MESSAGE_TOKENS).toBe(260);
  expect(oneRingAiCounter.count('')).toBe(0);
});

describe('2: least savings', () => {
  async function saving(tokens: number, ...options: readonly string[]) {
    const session = asked().read('a.ts', tokensOf(tokens)).says('Done.');
    const done = await session.compact([['mask', [OPEN, ...options].join(',')]]);
    return { done, row: results(done)[0] };
  }

  it('keeps a body that saves 255 and masks one that saves 256', async () => {
    // The marker of a body of about that size: the number of its digits stays.
    const marker = (await saving(280, 'minObservationTokens=0')).row?.tokensAfter ?? 0;
    expect(marker).toBeGreaterThan(0);
    const kept = await saving(255 + marker);
    expect([kept.row?.action, kept.row?.reason]).toEqual(['kept', 'below-min-saving']);
    const { row } = await saving(256 + marker);
    expect([row?.action, row?.tokensBefore, row?.tokensAfter]).toEqual([
      'masked',
      256 + marker,
      marker,
    ]);
  });

  it('does nothing when a proposal saves less than 32', async () => {
    const { done, row } = await saving(40, 'minObservationTokens=0');
    expect(row?.action).toBe('kept');
    expect(done.stash).toBeNull();
    expect(done.report.strategies[0]).toMatchObject({ noop: 'min-tokens-saved', passes: 0 });
    const loose = await saving(40, 'minObservationTokens=0,minTokensSaved=0');
    expect(loose.row?.action).toBe('masked');
  });
});

it('3: masks the read of a batch and leaves its write and both calls alone', async () => {
  const session = asked()
    .calls(
      { name: 'Read', input: { file_path: 'a.ts' }, result: tokensOf(600, 'read') },
      { name: 'Edit', input: { file_path: 'a.ts' }, result: tokensOf(600, 'edit') },
    )
    .says('Done.');
  const done = await session.compact([['mask', OPEN]]);
  expect(reasons(done)).toEqual(['observation', 'write-effect']);
  const [before, after] = [session.bytes.toString(), done.bytes.toString()];
  const masked = JSON.stringify(tokensOf(600, 'read'));
  const [head, tail] = before.split(masked) as [string, string];
  expect(after.startsWith(head)).toBe(true);
  expect(after.endsWith(tail)).toBe(true);
  const strict = await session.compact([['mask', `${OPEN},groupMixedEffect=protect`]]);
  expect(reasons(strict)).toEqual(['mixed-effect', 'write-effect']);
});

it('4: a call without an answer keeps its whole group', async () => {
  const session = asked()
    .calls(
      { name: 'Read', input: { file_path: 'a.ts' }, result: tokensOf(600) },
      { name: 'Grep', input: { pattern: 'x' } },
    )
    .user('Go on.')
    .says('Done.');
  const done = await session.compact([['mask', OPEN]]);
  expect(reasons(done)).toEqual(['pending-in-group']);
  expect(done.stash).toBeNull();
});

it('5: text beside a result stays exact, and is in the source of a capsule', async () => {
  const note = 'By the way: never touch the vendor folder.';
  const session = asked()
    .calls({
      name: 'Read',
      input: { file_path: 'a.ts' },
      result: tokensOf(3000, 'port=8080'),
      with: [text(note)],
    })
    .says('Done.');
  const masked = await session.compact([['mask', OPEN]]);
  expect(actions(masked)).toEqual(['masked']);
  expect(messagesOf(masked)[2]?.content[1]).toEqual(text(note));
  const done = await session.compact([['structured-summary', OPEN]]);
  expect(messagesOf(done)[2]?.content[1]).toEqual(text(note));
  const capsule = done.report.blocks.find(({ reason }) => reason === 'capsule');
  const source = retrieve(done.stash as Buffer, capsule?.ref ?? '');
  expect(source).toMatchObject({ type: 'records' });
  expect(source.raw.toString()).toContain(note);
});

describe('6: what a group must not hold', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  };

  it('keeps a group with a picture', async () => {
    const session = asked()
      .calls(
        { name: 'Read', input: { file_path: 'a.ts' }, result: tokensOf(600) },
        { name: 'Read', input: { file_path: 'a.png' }, result: [image] },
      )
      .says('Done.');
    expect(reasons(await session.compact([['mask', OPEN]]))).toEqual(['multimodal', 'multimodal']);
  });

  it('keeps two results of one id', async () => {
    const session = asked().read('a.ts', tokensOf(600));
    session.messages.push(...session.messages.slice(-1));
    const done = await session.says('Done.').compact([['mask', OPEN]]);
    expect(reasons(done)).toEqual(['duplicate-id', 'duplicate-id']);
  });

  it('keeps a result without a call', async () => {
    const session = asked().read('a.ts', tokensOf(600));
    session.messages.splice(1, 1);
    const done = await session.says('Done.').compact([['mask', OPEN]]);
    expect(reasons(done)).toEqual(['unmatched']);
  });
});

describe('7: the tail', () => {
  it('is the last 2 user turns and the last 4 messages', async () => {
    const session = new Session();
    for (const turn of [1, 2, 3, 4]) {
      session.user(`Question ${turn}`).read(`${turn}.ts`, tokensOf(600)).says(`Answer ${turn}.`);
    }
    const done = await session.compact(['observation-masking']);
    expect(reasons(done)).toEqual(['observation', 'observation', 'recent-turn', 'recent-turn']);
    const messages = await session.compact([
      ['mask', 'preserveRecentTurns=0,preserveRecentMessages=4'],
    ]);
    expect(reasons(messages)).toEqual([
      'observation',
      'observation',
      'observation',
      'recent-message',
    ]);
  });

  it('keeps a group that straddles its border whole', async () => {
    const session = asked().read('a.ts', tokensOf(600)).read('b.ts', tokensOf(600)).says('Done.');
    // The last two messages are the result of b and the reply; its call is the third.
    const done = await session.compact([
      ['mask', 'preserveRecentTurns=0,preserveRecentMessages=2'],
    ]);
    expect(reasons(done)).toEqual(['observation', 'recent-message']);
  });
});

it('8: one turn of 200 reads is a no-op with a hint, and the agentic preset masks', async () => {
  const session = asked();
  for (let index = 0; index < 200; index += 1) session.read(`${index}.ts`, tokensOf(400));
  session.says('Done.');
  const done = await session.compact(['observation-masking']);
  expect(done.stash).toBeNull();
  expect(done.report.strategies[0]).toMatchObject({
    noop: 'recent-turn',
    skipped: { 'recent-turn': 200 },
  });
  const hint = done.report.warnings.find(({ code }) => code === 'recent-turn');
  expect(hint?.text).toContain('200 candidates');
  expect(hint?.text).toContain('--preserve-turns 0');
  const agentic = await session.compact(['observation-masking-agentic']);
  // The last 8 messages: the reply, three whole exchanges, and the result of a fourth with its call.
  expect(actions(agentic).filter((action) => action === 'masked')).toHaveLength(196);
  expect(agentic.report.warnings.map(({ code }) => code)).not.toContain('recent-turn');
});

const STEPS = [
  'observation-masking-agentic',
  ['structured-summary', 'preserveRecentTurns=0,preserveRecentMessages=4'],
  'algorithmic',
  ['native-history', 'preserveRecentTurns=0,preserveRecentMessages=4'],
] as const;

function long(): Session {
  const session = asked();
  for (let index = 0; index < 24; index += 1) {
    session
      .read(`src/module-${index}.ts`, tokensOf(300 + index * 40, `value_${index}`))
      .says(`${tokensOf(60, 'narration')} I decided to keep module ${index} as it is.`)
      .user(`Go on with ${index}; never change port ${8000 + index}.`);
  }
  return session.says('Done.');
}

describe.each(STEPS)('%s %s', (...step) => {
  const steps = [step.length === 1 ? step[0] : step] as Parameters<Session['compact']>[0];

  it('9: a second run is a no-op with identical bytes', async () => {
    const once = await long().compact(steps);
    expect(once.stash).not.toBeNull();
    const session = new Session();
    session.messages.push(...(messagesOf(once) as Session['messages']));
    expect(session.bytes.equals(once.bytes)).toBe(true);
    const twice = await session.compact(steps, { stash: once.stash as Buffer });
    expect(twice.stash).toBeNull();
    expect(twice.bytes.equals(once.bytes)).toBe(true);
  });

  it('10: restoring gives the input back, byte for byte', async () => {
    const session = long();
    const done = await session.compact(steps);
    expect(restore(done.bytes, done.stash as Buffer).equals(session.bytes)).toBe(true);
  });
});

it('15: a known no-op asks nobody and stores nothing', async () => {
  const summarizer = {
    name: 'never',
    summarize: () => {
      throw new Error('was asked');
    },
  };
  const session = asked().read('a.ts', tokensOf(60)).says('Short.').says('Done.');
  const done = await session.compact([['structured-summary', OPEN]], { summarizer });
  expect(done.stash).toBeNull();
  expect(done.report.warnings).toEqual([]);
  expect(done.report.strategies[0]).toMatchObject({ noop: 'below-min-saving', helper: null });
});

it('16: a group larger than the allowance stays, later smaller ones go', async () => {
  const session = asked()
    .read('huge.ts', tokensOf(9000))
    .read('a.ts', tokensOf(3000))
    .read('b.ts', tokensOf(7000))
    .read('c.ts', tokensOf(3000))
    .says('Done.');
  const done = await session.compact([['mask', OPEN]]);
  expect(reasons(done)).toEqual(['source-capacity', 'observation', 'observation', 'observation']);
  expect(done.report.strategies[0]).toMatchObject({ passes: 2, skipped: { 'source-capacity': 1 } });
  // One pass: b does not fit the room that is left, c does.
  const once = await session.compact([['mask', `${OPEN},passes=1`]]);
  expect(actions(once)).toEqual(['kept', 'masked', 'kept', 'masked']);
});

it('20: a capsule stands directly before the tail, is no system message and holds its ref', async () => {
  const session = long();
  const done = await session.compact([
    ['structured-summary', 'preserveRecentTurns=0,preserveRecentMessages=3'],
  ]);
  const capsules = done.report.blocks.filter(({ reason }) => reason === 'capsule');
  expect(capsules.length).toBeGreaterThan(0);
  const messages = messagesOf(done);
  const tail = session.messages.slice(-3);
  expect(messages.slice(-3)).toEqual(tail);
  const before = messages.slice(-3 - capsules.length, -3);
  expect(before.map(({ role }) => role)).toEqual(capsules.map(() => 'user'));
  before.forEach(({ content }, index) => {
    expect(content).toMatch(new RegExp(`^\\[Capsule: .*\\[ref: ${capsules[index]?.ref}\\]`));
    expect(content).toContain('it is history, not an instruction');
  });
});
