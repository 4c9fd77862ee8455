import { describe, expect, it } from 'vitest';
import { retrieve } from '../../src/memory.ts';
import { actions, contentOf, messagesOf, reasons, results, Session, tokensOf } from './build.ts';

/** Acceptance check 17, and the faults F1 to F16 of masking and summary, section 11, built the right way. */

function asked(): Session {
  return new Session().user('Find out why uploads fail.');
}

describe('17', () => {
  it('keeps a result whose JSON has 1024 bytes and takes one of 1025', async () => {
    // A plain string counts its two quotes.
    const session = asked().read('a.ts', 'x'.repeat(1022)).read('b.ts', 'x'.repeat(1023));
    const done = await session.says('Done.').compact(['algorithmic']);
    expect(reasons(done)).toEqual(['small-result', 'large-result']);
    const bytes = asked()
      .read('a.ts', 'é'.repeat(511))
      .read('b.ts', `${'é'.repeat(511)}"`);
    const measured = await bytes.says('Done.').compact(['algorithmic']);
    expect(reasons(measured)).toEqual(['small-result', 'large-result']);
  });

  it('of 12 small pairs the 2 oldest go to an index', async () => {
    const session = asked();
    for (let at = 1; at <= 12; at += 1) session.read(`src/${at}.ts`, tokensOf(200, `v${at}`));
    const done = await session.says('Done.').compact(['algorithmic']);
    expect(actions(done).slice(0, 3)).toEqual(['removed', 'removed', 'kept']);
    expect(actions(done).filter((action) => action === 'removed')).toHaveLength(2);
    const index = contentOf(done, 1);
    expect(index.split('\n')).toEqual([
      expect.stringMatching(/^\[Offloaded: 4 messages, ~\d+ tokens\] \[ref: [0-9a-f]{12}\]$/),
      '',
      '- Read(file_path="src/1.ts"), 802 bytes, ok',
      '- Read(file_path="src/2.ts"), 802 bytes, ok',
    ]);
  });

  it('F2: 45 large results have 45 refs, and nothing is evicted', async () => {
    const session = asked();
    for (let at = 1; at <= 45; at += 1) session.read(`${at}.ts`, tokensOf(400, `value${at}`));
    const done = await session.says('Done.').compact(['algorithmic']);
    const refs = results(done).map(({ ref }) => ref as string);
    expect(new Set(refs).size).toBe(45);
    refs.forEach((ref, at) => {
      expect(retrieve(done.stash as Buffer, ref)).toMatchObject({
        text: tokensOf(400, `value${at + 1}`),
      });
    });
  });

  it('F4: two ids with the same end keep their own originals', async () => {
    const session = asked()
      .calls({ id: 'call_a_00000001', name: 'Read', result: tokensOf(400, 'first') })
      .calls({ id: 'call_b_00000001', name: 'Read', result: tokensOf(400, 'second') });
    const done = await session.says('Done.').compact(['algorithmic']);
    const [first, second] = results(done).map(({ ref }) => ref as string);
    expect(first).not.toBe(second);
    expect(retrieve(done.stash as Buffer, second as string)).toMatchObject({
      text: tokensOf(400, 'second'),
    });
  });

  it('F1: arguments of 400 characters work, and only the label is clipped', async () => {
    const session = asked();
    const path = `${'deep/'.repeat(80)}a.ts`;
    for (let at = 1; at <= 12; at += 1) session.read(path, tokensOf(200, `v${at}`));
    const done = await session.says('Done.').compact(['algorithmic']);
    expect(actions(done).filter((action) => action === 'removed')).toHaveLength(2);
    const line = contentOf(done, 1).split('\n').at(-1) ?? '';
    expect(line.length).toBeLessThan(160);
    expect(line).toMatch(/^- Read\(file_path="deep\/.*…, 802 bytes, ok$/);
  });
});

it('F3: a batch with one large result loses its body and nothing else', async () => {
  const session = asked()
    .calls(
      { name: 'Read', input: { file_path: 'a' }, result: tokensOf(400), says: 'Both at once.' },
      { name: 'Read', input: { file_path: 'b' }, result: 'small' },
    )
    .says('Done.');
  for (let at = 1; at <= 12; at += 1) session.read(`${at}.ts`, 'tiny');
  const done = await session.says('End.').compact(['algorithmic']);
  expect(actions(done).slice(0, 2)).toEqual(['masked', 'kept']);
  expect(JSON.stringify(messagesOf(done)[1])).toContain('Both at once.');
});

describe('the rolling window', () => {
  const session = () => {
    const made = asked();
    for (let at = 1; at <= 8; at += 1)
      made
        .user(`Rule ${at}: keep port 808${at}.`)
        .says(tokensOf(200, `narration${at}`))
        .read(`${at}.ts`, tokensOf(200, `v${at}`));
    return made.says('Done.');
  };

  it('F5: drops no user text, keeps the end, and stores what it takes', async () => {
    const done = await session().compact([['algorithmic', 'threshold=1500']]);
    const users = done.report.blocks.filter(({ role, kind }) => role === 'user' && kind === 'text');
    expect(users.map(({ action }) => action)).toEqual(users.map(() => 'kept'));
    expect(done.report.blocks.at(-1)).toMatchObject({ action: 'kept', reason: 'last-message' });
    expect(done.report.tokens.after).toBeLessThanOrEqual(1500);
    // Replies go before pairs.
    const removed = done.report.blocks.filter(({ action }) => action === 'removed');
    expect(removed.some(({ kind }) => kind === 'text')).toBe(true);
    for (const { ref } of removed)
      expect(retrieve(done.stash as Buffer, ref as string).raw.length).toBeGreaterThan(0);
  });

  it('F10: without a threshold there is no window, and below it nothing moves', async () => {
    const plain = await session().compact(['algorithmic']);
    expect(
      plain.report.blocks.some(({ kind, action }) => kind === 'text' && action === 'removed'),
    ).toBe(false);
    const gated = await session().compact([['algorithmic', 'contextUtilization=50%']]);
    expect(gated.stash).toBeNull();
    expect(gated.report.strategies[0]?.fired).toBe(false);
  });
});

it('F6: what is stored is the whole content, a failed one too', async () => {
  const session = asked()
    .calls({
      name: 'Bash',
      input: { command: 'npm test' },
      result: [{ type: 'text', text: tokensOf(400, 'Error: boom') }],
      failed: true,
    })
    .says('Done.');
  const done = await session.compact(['algorithmic']);
  expect(JSON.stringify(messagesOf(done)[2])).toContain('"is_error":true');
  expect(JSON.stringify(messagesOf(done)[2])).toMatch(/\[Masked: Bash result, 1 line, .* error\]/);
  const [row] = results(done);
  expect(retrieve(done.stash as Buffer, row?.ref as string)).toMatchObject({
    text: tokensOf(400, 'Error: boom'),
  });
});

it('F7, F16: arguments count, and the totals are those of the whole file', async () => {
  const session = asked().calls({
    name: 'Write',
    input: { file_path: 'a', content: tokensOf(500) },
    result: tokensOf(400),
  });
  const done = await session.says('Done.').compact(['algorithmic']);
  const call = done.report.blocks.find(({ kind }) => kind === 'toolCall');
  expect(call?.tokensBefore).toBeGreaterThan(500);
  const { tokens, blocks } = done.report;
  expect(tokens.after).toBe(blocks.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0));
});

it('F8, F9, F14: the marker is where the body was and names the ref that resolves', async () => {
  const session = asked().read('a.ts', tokensOf(400)).says('Done.');
  const done = await session.compact(['algorithmic'], { hint: 'cli' });
  const marker = JSON.stringify(messagesOf(done)[2]);
  const ref = /\[ref: ([0-9a-f]+)\] \(original: ctx retrieve ([0-9a-f]+)\)/.exec(marker);
  expect(ref?.[1]).toBe(ref?.[2]);
  expect(retrieve(done.stash as Buffer, ref?.[1] as string)).toMatchObject({ text: tokensOf(400) });
});

it('F11, F15: siblings of a batch are never orphaned', async () => {
  const session = asked();
  for (let at = 1; at <= 7; at += 1)
    session.calls(
      { name: 'Read', input: { at }, result: tokensOf(150, `a${at}`) },
      { name: 'Grep', input: { at }, result: tokensOf(150, `b${at}`) },
    );
  const done = await session.says('Done.').compact(['algorithmic']);
  // 14 pairs, 10 stay: two whole batches go.
  expect(actions(done).filter((action) => action === 'removed')).toHaveLength(4);
  const text = done.bytes.toString();
  const calls = [...text.matchAll(/"type":"tool_use","id":"(call_\d+)"/g)].map(([, id]) => id);
  const answers = [...text.matchAll(/"tool_use_id":"(call_\d+)"/g)].map(([, id]) => id);
  expect(answers).toEqual(calls);
});
