/** Exact figures of hand-made sessions, in several formats. */

import { describe, expect, it } from 'vitest';
import {
  compact,
  memorySource,
  type Sections,
  type Stats,
  type StatsOptions,
  statsOf,
} from '../../src/index.ts';
import { claude, resultLine, userLine } from '../support/session.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  failed,
  filler,
  png,
  result,
  type Turn,
  thinking,
  user,
} from '../support/transcripts.ts';

const TURNS: readonly Turn[] = [
  user(filler(100)),
  call('c1', 'read', { path: '/a.ts' }),
  result('c1', filler(500)),
  call('c2', 'read', { path: '/a.ts' }),
  result('c2', filler(500)),
  call('c3', 'bash', { command: 'false' }),
  failed('c3', filler(40, 'failed')),
  call('c4', 'edit', { path: '/b.ts' }),
  result('c4', 'done'),
  call('c5', 'edit', { path: '/b.ts' }),
  result('c5', 'done'),
  assistant(filler(60)),
  user(filler(20)),
];

function stats(bytes: Buffer, options: StatsOptions = {}): Promise<Stats> {
  return statsOf(memorySource(bytes), { counter: 'heuristic', ...options });
}

function rows<Name extends keyof Sections>(
  own: Stats,
  name: Name,
): NonNullable<Sections[Name]>['rows'] {
  const section = own[name];
  if (section === null) throw new Error(`no ${name}`);
  return section.rows as NonNullable<Sections[Name]>['rows'];
}

describe.each(Object.entries(BUILDERS))('%s', (_name, build) => {
  it('counts kinds, tools and files', async () => {
    const own = await stats(build(TURNS));
    const kinds = rows(own, 'kinds').map(({ kind, origin, blocks, tokens }) =>
      [kind, origin, blocks, kind === 'toolCall' ? 0 : tokens].join(' '),
    );
    expect(kinds.toSorted()).toEqual([
      'text assistant 1 60',
      'text user 2 120',
      'toolCall  5 0',
      'toolResult  5 1042',
    ]);
    const calls = rows(own, 'kinds').find(({ kind }) => kind === 'toolCall')?.tokens ?? 0;
    expect(own.tokens).toMatchObject({ messages: 1222 + calls, overhead: 0, dead: 0 });

    const tools = rows(own, 'tools');
    expect(tools.map(({ tool, calls: count, results }) => [tool, count, results])).toEqual([
      ['read', 2, 2],
      ['bash', 1, 1],
      ['edit', 2, 2],
    ]);
    expect(tools.reduce((sum, row) => sum + row.tokens, 0)).toBe(1042 + calls);
    const files = rows(own, 'files');
    expect(files.map(({ path, calls: count }) => [path, count])).toEqual([
      ['/a.ts', 2],
      ['/b.ts', 2],
    ]);
    expect(files[0]?.tokens).toBe(tools[0]?.tokens);
  });

  it('finds the output that came again, and not the small one', async () => {
    const own = await stats(build(TURNS));
    const [again, ...others] = rows(own, 'duplicates');
    expect(others).toEqual([]);
    expect(again).toMatchObject({ tool: 'read', times: 2, each: 500, tokens: 500 });
  });

  it('lists the largest first, and adds up what it cuts off', async () => {
    const own = await stats(build(TURNS), { top: 2 });
    expect(rows(own, 'blocks').map(({ kind, tokens }) => [kind, tokens])).toEqual([
      ['toolResult', 500],
      ['toolResult', 500],
    ]);
    expect(own.blocks?.rest).toMatchObject({ rows: 11, tokens: own.tokens.messages - 1000 });
    expect(own.tools?.rest.rows).toBe(1);
  });

  it('accounts for every byte', async () => {
    const bytes = build(TURNS);
    const { bytes: size } = await stats(bytes);
    expect(size.file).toBe(bytes.length);
    expect(size.live + size.other).toBe(bytes.length);
  });
});

describe('bytes', () => {
  it('are those of the JSON values; thinking takes what its record has left', async () => {
    const bytes = claudeCode([
      user('hello'),
      thinking('hmm', 'sign'),
      assistant('good'),
      user('bye'),
    ]);
    const own = await stats(bytes);
    const sizes = Object.fromEntries(
      rows(own, 'kinds').map(({ kind, origin, bytes: size }) => [`${kind} ${origin}`, size]),
    );
    const line = bytes.toString('utf8').split('\n')[1] ?? '';
    expect(sizes).toEqual({
      'text user': '"hello""bye"'.length,
      'text assistant': '"good"'.length,
      'thinking null': Buffer.byteLength(line),
    });
  });
});

describe('dead messages', () => {
  it('have columns of their own and come after the live ones', async () => {
    const own = await stats(
      claude([
        userLine(1, null, 'a'.repeat(40)),
        userLine(2, 1, 'b'.repeat(4000)),
        userLine(3, 1, 'c'.repeat(80)),
      ]),
    );
    expect(own.tokens).toMatchObject({ messages: 30, dead: 1000 });
    expect(own.counts).toMatchObject({ messages: 3, liveMessages: 2, blocks: 3, liveBlocks: 2 });
    expect(own.bytes).toMatchObject({ live: 42 + 82, dead: 4002 });
    expect(rows(own, 'kinds')).toEqual([
      {
        kind: 'text',
        origin: 'user',
        blocks: 2,
        tokens: 30,
        bytes: 124,
        deadBlocks: 1,
        deadTokens: 1000,
        deadBytes: 4002,
      },
    ]);
    expect(rows(own, 'messages').map(({ live, tokens }) => [live, tokens])).toEqual([
      [true, 20],
      [true, 10],
      [false, 1000],
    ]);
    const cut = await stats(
      claude([userLine(1, null, 'a'), userLine(2, 1, 'b'.repeat(4000)), userLine(3, 1, 'c')]),
      { top: 1 },
    );
    expect(cut.messages?.rest).toMatchObject({ rows: 2, tokens: 1, dead: 1000 });
  });
});

describe('outputs that came again', () => {
  it('are equal by their text, whatever their escapes and shape', async () => {
    const text = filler(50);
    const escaped = JSON.stringify(text).replace('l', '\\u006c');
    const own = await stats(
      claude([
        userLine(1, null, 'go'),
        resultLine(2, 1, 't1', JSON.stringify(text)),
        resultLine(3, 2, 't2', escaped),
        resultLine(4, 3, 't3', JSON.stringify([{ type: 'text', text }])),
        resultLine(5, 4, 't4', JSON.stringify(`${text}!`)),
      ]),
    );
    const [again, ...others] = rows(own, 'duplicates');
    expect(others).toEqual([]);
    expect(again).toMatchObject({ times: 3, each: 50, tokens: 100, tool: null });
  });

  it('with pictures are equal by their bytes', async () => {
    const shot = (mark: number) => [{ text: filler(20) }, { image: png(100, 100, mark) }];
    const own = await stats(
      BUILDERS.anthropic([
        user('look'),
        call('c1', 'shot'),
        result('c1', shot(1)),
        call('c2', 'shot'),
        result('c2', shot(1)),
        call('c3', 'shot'),
        result('c3', shot(2)),
      ]),
    );
    expect(rows(own, 'duplicates').map(({ times }) => times)).toEqual([2]);
  });
});

describe('what earlier runs left', () => {
  it('is counted as markers, and no marker is an output that came again', async () => {
    const bytes = BUILDERS.anthropic(TURNS);
    const done = await compact(bytes, {
      steps: [['drop', 'toolResults:blockThreshold=200']],
      counter: 'heuristic',
    });
    const own = await stats(done.bytes);
    expect(own.placeholders).toMatchObject({ count: 2, methods: { drop: 2 }, stash: null });
    expect(rows(own, 'duplicates')).toEqual([]);
    expect(own.warnings.map(({ code }) => code)).toEqual(['unresolved-placeholder']);
  });
});
