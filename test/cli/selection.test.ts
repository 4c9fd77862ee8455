import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, put, type Ran, useFolder } from '../support/cli.ts';
import { claude, claudeLines, userLine } from '../support/session.ts';

useFolder();

const DROP = ['--drop', 'toolResults', '--counter', 'heuristic', '--json'];

interface Row {
  readonly kind: string;
  readonly conversation: string;
  readonly message: number;
  readonly action: string;
  readonly reason: string;
}

interface Report {
  readonly blocks: readonly Row[];
  readonly tokens: { readonly saved: number };
  readonly bytes: { readonly before: number; readonly after: number };
}

const read = (ran: Ran) => JSON.parse(ran.out) as Report;

/** Results in the messages 2, 4, 6, 8 and 10. */
function session(): Session {
  const made = new Session().user('Go.');
  for (const label of ['a', 'b', 'c']) made.read(label, tokensOf(400, label));
  made.calls({ name: 'Bash', input: {}, result: tokensOf(400, 'd') });
  return made.read('e', tokensOf(400, 'e')).says('Done.');
}

const RESULTS = [2, 4, 6, 8, 10];

const SELECTIONS: readonly (readonly [string, readonly string[], readonly number[]])[] = [
  ['all', [], RESULTS],
  ['from a message on', ['--from', '6'], [6, 8, 10]],
  ['from between two on', ['--from', '5'], [6, 8, 10]],
  ['up to a message', ['--to', '6'], [2, 4, 6]],
  ['a range', ['--from', '4', '--to', '8'], [4, 6, 8]],
  ['the last messages', ['--last', '4'], [8, 10]],
  ['more than there are', ['--last', '400'], RESULTS],
  ['the last of a range', ['--last', '6', '--to', '8'], [6, 8]],
  ['a tool', ['--only', 'tool::Bash'], [8]],
  ['all but a tool', ['--only', '!tool::Bash'], [2, 4, 6, 10]],
  ['a kind that the step does not take', ['--only', 'userText'], []],
  ['after a prefix', ['--keep-prefix', '4'], [6, 8, 10]],
  ['after a prefix, and from a message on', ['--keep-prefix', '4', '--from', '8'], [8, 10]],
  ['the only conversation', ['--conversation', 'main'], RESULTS],
  ['a conversation that is not there', ['--conversation', 'other'], []],
];

describe('selection', () => {
  it.each(SELECTIONS)('%s', async (_name, flags, expected) => {
    const { blocks } = read(
      await ctx(['explain', put('s.json', session().bytes), ...DROP, ...flags]),
    );
    const results = blocks.filter(({ kind }) => kind === 'toolResult');
    const taken = results.filter(({ action }) => action === 'dropped');
    expect(taken.map(({ message }) => message)).toEqual(expected);
    const left = results.filter(({ action }) => action === 'kept');
    for (const { reason } of left) expect(reason).toBe('not-selected');
  });

  it('names a conversation of a dataset by its line', async () => {
    const line = JSON.stringify({ messages: session().messages });
    const file = put('set.jsonl', `${line}\n${line}\n${line}\n`);
    const { blocks } = read(await ctx(['explain', file, ...DROP, '--conversation', 'line 2']));
    const taken = blocks.filter(({ action }) => action === 'dropped');
    expect(new Set(taken.map(({ conversation }) => conversation))).toEqual(new Set(['line 2']));
    expect(taken.length).toBe(RESULTS.length);
  });

  it('keeps a group that is not selected whole', async () => {
    const file = put('s.json', session().bytes);
    const flags = ['--drop', '*:preserveRecent=1', '--from', '4', '--to', '9', '--json'];
    const { blocks } = read(await ctx(['explain', file, ...flags]));
    const gone = blocks.filter(({ action }) => action === 'removed' || action === 'dropped');
    expect([...new Set(gone.map(({ message }) => message))]).toEqual([5, 6, 7, 8]);
  });

  it.each([
    ['--from', 'x'],
    ['--to', '-1'],
    ['--last', '1.5'],
    ['--keep-prefix', ''],
    ['--only', 'everything'],
  ])('refuses %s %j in one line', async (flag, value) => {
    const ran = await ctx(['explain', put('s.json', session().bytes), ...DROP, flag, value]);
    expect(ran.code).toBe(2);
    errorLine(ran);
  });
});

describe('--include-dead', () => {
  // The person went back to the first reply: all results lie on the branch that was left.
  const branch = claude(
    claudeLines().map((line, at) => (at === 12 ? userLine(12, 3, 'Good. Mend it.') : line)),
  );
  const truncate = ['--truncate', 'toolResults:blockThreshold=100,previewTokens=40', '--json'];

  it('also edits what resuming does not send: it saves bytes, and claims no tokens', async () => {
    const file = put('s.jsonl', branch);
    const live = read(await ctx(['explain', file, ...truncate]));
    const all = read(await ctx(['explain', file, ...truncate, '--include-dead']));
    const dead = (report: Report) =>
      report.blocks.filter((row) => row.action !== 'kept' && row.reason !== 'dead' && !isLive(row))
        .length;
    expect(dead(live)).toBe(0);
    expect(dead(all)).toBeGreaterThan(0);
    expect(all.tokens.saved).toBe(live.tokens.saved);
    expect(all.bytes.after).toBeLessThan(live.bytes.after);
  });
});

function isLive(row: Row): boolean {
  return (row as Row & { readonly live: boolean }).live;
}
