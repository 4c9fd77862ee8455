import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, useFolder } from '../support/cli.ts';
import { callLine, claude, replyLine, resultLine, userLine } from '../support/session.ts';

/** The selection in files of several conversations, in dead branches, and in what no model sees. */

useFolder();

const FAST = ['--counter', 'heuristic', '--json'];
const RESULTS = ['--drop', 'toolResults'];
const body = (label: string) => tokensOf(400, label);
const session = (label: string) =>
  new Session().user('Go.').read(label, body(label)).says('Done.').user('And?').says('Nothing.');

describe('--conversation', () => {
  const lines = () => ['a', 'b', 'c'].map((label) => session(label).bytes.toString('utf8'));
  it.each([
    ['line 1', [0], []],
    ['line 3', [2], []],
    ['line 4', [], ['unknown-conversation']],
    ['', [], ['unknown-conversation']],
  ])('%j of a dataset', async (id, changed, codes) => {
    const path = put('d.jsonl', `${lines().join('\n')}\n`);
    const steps = ['--drop', 'toolResults:preserveRecent=0'];
    const ran = await ctx(['compact', path, ...steps, ...FAST, '--conversation', id]);
    const { output, warnings } = JSON.parse(ran.out) as Report;
    const after = readFileSync(output?.path ?? path, 'utf8')
      .trimEnd()
      .split('\n');
    expect(after.flatMap((line, at) => (line === lines()[at] ? [] : [at]))).toEqual(changed);
    expect(warnings.map(({ code }) => code).filter((code) => code !== 'bare-strategy')).toEqual(
      codes,
    );
  });
});

it('--include-dead also takes what lies on a branch that was left: bytes, no tokens', async () => {
  const literal = (label: string) => JSON.stringify(body(label));
  const input = claude([
    userLine(1, null, 'Go.'),
    callLine(2, 1, 'm1', 'left', 'Bash'),
    resultLine(3, 2, 'left', literal('left')),
    callLine(4, 1, 'm2', 'main', 'Bash'),
    resultLine(5, 4, 'main', literal('main')),
    userLine(6, 5, 'And?'),
    replyLine(7, 6, 'm3', { type: 'text', text: 'Nothing.' }),
  ]);
  put('s.jsonl', input);
  const run = async (...more: string[]) => {
    const ran = await ctx(['compact', 's.jsonl', ...RESULTS, ...FAST, ...more]);
    const text = readFileSync('s.compact.jsonl', 'utf8');
    return { report: JSON.parse(ran.out) as Report, left: text.includes(literal('left')), text };
  };
  const live = await run();
  expect([live.left, live.text.includes(literal('main'))]).toEqual([true, false]);
  const all = await run('--include-dead');
  expect([all.left, all.text.includes(literal('main'))]).toEqual([false, false]);
  expect(all.report.tokens).toEqual(live.report.tokens);
  expect(all.report.bytes.after).toBeLessThan(live.report.bytes.after - 1000);
  const row = (report: Report) => report.blocks.find(({ callId }) => callId === 'left');
  const dead = [live, all].map(({ report }) => report.blocks.filter((block) => !block.live));
  expect(dead.map((rows) => rows.map(({ action, reason }) => `${action} ${reason}`))).toEqual([
    ['kept dead', 'kept dead'],
    ['kept dead', 'dropped targeted'],
  ]);
  expect(row(all.report)?.live).toBe(false);
  expect((await ctx(['restore', 's.compact.jsonl', '-o', 'back'])).code).toBe(0);
  expect(readFileSync('back').equals(input)).toBe(true);
});

describe('--ui-copies', () => {
  const copy = (label: string) => `"toolUseResult":{"stdout":"${body(label)}"}`;
  const lines = () => [
    userLine(1, null, 'Go.'),
    callLine(2, 1, 'm1', 't1', 'Bash'),
    resultLine(3, 2, 't1', '"ok"', { raw: copy('first') }),
    callLine(4, 3, 'm2', 't2', 'Read'),
    resultLine(5, 4, 't2', '"ok"', { raw: copy('second') }),
    userLine(6, 5, 'And?'),
    replyLine(7, 6, 'm3', { type: 'text', text: 'Nothing.' }),
  ];
  it.each([
    ['', [2, 4]],
    ['--from 3', [4]],
    ['--to 2', [2]],
    ['--last 3', [4]],
    ['--keep-prefix 2', [4]],
    ['--only tool::Read', [4]],
    ['--conversation other', []],
  ])('%s', async (flags, changed) => {
    put('s.jsonl', claude(lines()));
    const more = flags.split(' ').filter(Boolean);
    const ran = await ctx(['compact', 's.jsonl', '--ui-copies', ...FAST, ...more]);
    const { output } = JSON.parse(ran.out) as Report;
    const after = readFileSync(output?.path ?? 's.jsonl', 'utf8')
      .trimEnd()
      .split('\n');
    expect(after.flatMap((line, at) => (line === lines()[at] ? [] : [at]))).toEqual(changed);
  });
});
