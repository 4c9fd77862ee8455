import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compact, restore } from '../../src/memory.ts';
import { ctx, put, useFolder } from '../support/cli.ts';
import { callLine, claude, replyLine, resultLine, userLine } from '../support/session.ts';
import { assistant, call, result, strandsTs, user } from '../support/transcripts.ts';
import { messagesOf, Session, tokensOf } from './build.ts';

useFolder();

/** Where capsules stand in each kind of file, and that they go again. */

const STEP = ['structured-summary', 'preserveRecentTurns=1,preserveRecentMessages=0'] as const;
const FLAGS = ['--structured-summary', STEP[1], '--counter', 'heuristic'];

/** Two turns of reads and narration, then a short one. */
function lines(): string[] {
  const rows = [userLine(1, null, 'Find out why uploads fail.')];
  let at = 1;
  for (const turn of [1, 2]) {
    const id = `t${turn}`;
    rows.push(callLine(at + 1, at, `m${turn}`, id, 'Read', { file_path: `${turn}.ts` }));
    rows.push(resultLine(at + 2, at + 1, id, JSON.stringify(tokensOf(5000, `port=808${turn}`))));
    const text = `${tokensOf(120, 'narration')} We decided to keep port 808${turn}.`;
    rows.push(replyLine(at + 3, at + 2, `n${turn}`, { type: 'text', text }));
    rows.push(userLine(at + 4, at + 3, `Go on with ${turn}.`));
    at += 4;
  }
  return [...rows, replyLine(at + 1, at, 'last', { type: 'text', text: 'Done.' })];
}

interface Line {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly message: { readonly role: string; readonly content: unknown };
}

function parsed(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

function isCapsule({ message }: Line): boolean {
  return typeof message.content === 'string' && message.content.startsWith('[Capsule:');
}

describe('in a Claude Code session', () => {
  it('they are links of the chain, in order, directly before the tail', async () => {
    put('s.jsonl', claude(lines()));
    const ran = await ctx(['compact', 's.jsonl', ...FLAGS]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const records = parsed('s.compact.jsonl');
    const capsules = records.filter(isCapsule);
    expect(capsules).toHaveLength(2);
    const chain: Line[] = [];
    for (let uuid = records.at(-1)?.uuid ?? null; uuid !== null; ) {
      const record = records.find((candidate) => candidate.uuid === uuid) as Line;
      chain.unshift(record);
      uuid = record.parentUuid;
    }
    expect(chain).toEqual(records);
    // The last turn: the user's message and the reply.
    expect(chain.slice(-4, -2)).toEqual(capsules);
    expect(chain.at(-2)?.message.content).toBe('Go on with 2.');
  });

  it('a rewritten file is restored without them', async () => {
    put('s.jsonl', claude(lines()));
    await ctx(['compact', 's.jsonl', ...FLAGS]);
    const spaced = readFileSync('s.compact.jsonl', 'utf8').replaceAll('"uuid":', '"uuid": ');
    put('s.compact.jsonl', spaced);
    const ran = await ctx(['restore', 's.compact.jsonl', '-o', 'back']);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('block by block');
    expect(parsed('back')).toEqual(lines().map((line) => JSON.parse(line) as Line));
  });

  it('one of two goes alone, and the chain holds', async () => {
    put('s.jsonl', claude(lines()));
    await ctx(['compact', 's.jsonl', ...FLAGS]);
    const first = parsed('s.compact.jsonl').find(isCapsule);
    const ref = /\[ref: ([0-9a-f]+)\]/.exec(String(first?.message.content))?.[1] ?? '';
    const ran = await ctx(['restore', 's.compact.jsonl', '--ref', ref, '-o', 'back']);
    expect(ran.code).toBe(0);
    const back = parsed('back');
    expect(back.filter(isCapsule)).toHaveLength(1);
    const uuids = new Set(back.map(({ uuid }) => uuid));
    expect(back.filter(({ parentUuid }) => parentUuid !== null && !uuids.has(parentUuid))).toEqual(
      [],
    );
  });
});

describe('--merge-capsules', () => {
  function grown(text: string): string {
    const rows = text.trim().split('\n');
    const last = JSON.parse(rows.at(-1) as string) as Line & { sessionId: string };
    const at = 90;
    const parent = Number(last.uuid.slice(-12));
    return [
      ...rows,
      userLine(at, parent, 'And the third?'),
      callLine(at + 1, at, 'm9', 't9', 'Read', { file_path: '9.ts' }),
      resultLine(at + 2, at + 1, 't9', JSON.stringify(tokensOf(5000, 'port=8089'))),
      replyLine(at + 3, at + 2, 'n9', { type: 'text', text: `${tokensOf(150, 'more')} ok.` }),
      userLine(at + 4, at + 3, 'Thanks.'),
      replyLine(at + 5, at + 4, 'z', { type: 'text', text: 'Welcome.' }),
    ]
      .map((line) => `${line}\n`)
      .join('');
  }

  it('takes the earlier ones up, carries their refs, and loses nothing', async () => {
    put('s.jsonl', claude(lines()));
    await ctx(['compact', 's.jsonl', '--in-place', ...FLAGS]);
    const refs = [
      ...readFileSync('s.jsonl', 'utf8').matchAll(/\[Capsule: [^\]]*\] \[ref: (\w+)\]/g),
    ].map(([, ref]) => ref as string);
    const text = grown(readFileSync('s.jsonl', 'utf8'));
    put('s.jsonl', text);
    const exact = await ctx(['compact', 's.jsonl', '-o', 'exact.jsonl', ...FLAGS]);
    expect(exact.code).toBe(0);
    expect(parsed('exact.jsonl').filter(isCapsule)).toHaveLength(3);
    const ran = await ctx(['compact', 's.jsonl', '--in-place', '--merge-capsules', ...FLAGS]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const records = parsed('s.jsonl');
    const [capsule, ...others] = records.filter(isCapsule);
    expect(others).toEqual([]);
    for (const ref of refs) {
      expect(capsule?.message.content).toContain(`[ref: ${ref}]`);
      expect((await ctx(['retrieve', ref, '--stash', 's.jsonl.stash'])).code).toBe(0);
    }
    expect(records.at(-3)).toEqual(capsule);
    expect((await ctx(['verify', 's.jsonl'])).code).toBe(0);
    const back = await ctx(['restore', 's.jsonl', '--last', '-o', 'back']);
    expect(back.code).toBe(0);
    expect(readFileSync('back', 'utf8')).toBe(text);
  });
});

it('where roles alternate a capsule is a block of the neighbouring user message', async () => {
  const turns = [user('Find out why uploads fail.')];
  for (const id of ['a', 'b'])
    turns.push(
      call(id, 'file_read', { path: `${id}.ts` }),
      result(id, tokensOf(5000, id)),
      assistant(`${tokensOf(150, 'narration')} done with ${id}.`),
      user(`Go on after ${id}.`),
    );
  const input = strandsTs([...turns, assistant('Done.')]);
  const done = await compact(input, { steps: [STEP], counter: 'heuristic' });
  const messages = (JSON.parse(done.bytes.toString()) as { data: { messages: Message[] } }).data
    .messages;
  expect(messages.map(({ role }) => role)).toEqual(
    messages.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
  );
  const host = messages.at(-2);
  expect(host?.content.map(({ text }) => text?.slice(0, 9))).toEqual([
    '[Capsule:',
    '[Capsule:',
    'Go on aft',
  ]);
  expect(host?.content[0]).toMatchObject({ metadata: { offloaded: { method: 'summarize' } } });
  expect(restore(done.bytes, done.stash as Buffer).equals(input)).toBe(true);
  const again = await compact(done.bytes, {
    steps: [STEP],
    counter: 'heuristic',
    stash: done.stash as Buffer,
  });
  expect(again.stash).toBeNull();
});

interface Message {
  readonly role: string;
  readonly content: readonly { readonly text?: string; readonly metadata?: unknown }[];
}

describe('native history', () => {
  const session = () => {
    const made = new Session().user('Find out why uploads fail.');
    for (const at of [1, 2, 3])
      made
        .user(`Rule ${at}: never touch port 808${at}.`)
        .calls({ name: 'Write', input: { file_path: `${at}.ts` }, result: tokensOf(700, `w${at}`) })
        .says(`Written ${at}.`);
    return made;
  };

  it('takes user text and settled writes, and says the rules in the capsule', async () => {
    const made = session().user('Last.').says('Done.');
    const done = await made.compact([['native-history', 'preserveRecentTurns=1']]);
    const [first, capsule, ...tail] = messagesOf(done);
    expect(first?.content).toBe('Find out why uploads fail.');
    // The newest 4 messages, and the call that the first of them answers.
    expect(tail.map(({ role }) => role).join()).toBe('assistant,user,assistant,user,assistant');
    for (const at of [1, 2, 3]) expect(capsule?.content).toContain(`never touch port 808${at}`);
    expect(capsule?.content).toMatch(/^\[Summarized: \d+ messages, ~[\d,]+ tokens\] \[ref: /);
    expect(capsule?.content).toContain('it is history, not an instruction');
  });

  it('leaves a group with an open call exact', async () => {
    const made = session()
      .calls({ name: 'Read', input: { file_path: 'x' } })
      .user('Last.')
      .says('Done.')
      .user('More.')
      .says('Done.');
    const done = await made.compact([
      ['native-history', 'preserveRecentTurns=1,preserveRecentMessages=0'],
    ]);
    const open = done.report.blocks.find(({ tool }) => tool === 'Read');
    expect([open?.action, open?.reason]).toEqual(['kept', 'pending-in-group']);
    expect(
      done.report.blocks.filter(({ action }) => action === 'summarized').length,
    ).toBeGreaterThan(0);
  });

  it('is not for a format whose records are addressed by position', async () => {
    const folder = (await import('../support/corpus.ts'))
      .samples()
      .find(({ name }) => name.includes('log'));
    expect(folder).toBeDefined();
    const ran = await ctx(['explain', folder?.path ?? '', '--native-history']);
    expect(ran.out).toContain('no-message-removal');
  });
});
