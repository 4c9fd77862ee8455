import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctx, names, put, report, sha, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import { oddities } from '../support/odd.ts';
import { claudeLines, longText, resultLine } from '../support/session.ts';

const FAST = [...TRUNCATE, '--counter', 'heuristic'];

useFolder();

describe.each(oddities())('$name', ({ file, bytes, broken }) => {
  const output = file.replace('.', '.compact.');

  it('is compacted, and only the results change', async () => {
    put(file, bytes);
    const ran = await ctx(['compact', file, ...FAST, '--json']);
    expect(ran.err).toBe('');
    expect(ran.code).toBe(0);
    expect(names()).toEqual([output, `${output}.stash`, file].toSorted());
    expect(report(ran).blocks.filter(({ action }) => action === 'truncated')).toHaveLength(
      file === 'chat.json' ? 2 : 3,
    );
    expect(readFileSync(file).equals(bytes)).toBe(true);
    const codes = report(ran).warnings.map(({ code }) => code);
    expect(codes.includes('broken-record')).toBe(broken > 0);
  });

  it('keeps every untouched line byte for byte', async () => {
    put(file, bytes);
    await ctx(['compact', file, ...FAST]);
    const before = bytes.toString('latin1').split('\n');
    const after = readFileSync(output).toString('latin1').split('\n');
    const changed = before.flatMap((line, index) => (line === after[index] ? [] : [line]));
    const fresh = after.filter((line) => !before.includes(line));
    expect(fresh.filter((line) => !line.includes('[Truncated: '))).toEqual([]);
    const most = file === 'session.jsonl' ? 3 : before.length;
    const results = changed.filter((line) => /"tool_use_id":"t[123]"/.test(line));
    expect(changed.length).toBeLessThanOrEqual(most);
    expect(results).toHaveLength(file === 'session.jsonl' ? 3 : 0);
  });

  it('is restored with the same sha256', async () => {
    put(file, bytes);
    await ctx(['compact', file, ...FAST]);
    const ran = await ctx(['restore', output, '-o', 'back']);
    expect(ran.err).toBe('');
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('byte for byte');
    expect(ran.out).toContain(sha(bytes));
    expect(shaOf('back')).toBe(sha(bytes));
  });

  it('passes verify, or has the faults that its original had', async () => {
    put(file, bytes);
    await ctx(['compact', file, ...FAST]);
    const ran = await ctx(['verify', output, '--json']);
    expect(ran.err).toBe('');
    expect(ran.code).toBe(0);
    const { inherited } = JSON.parse(ran.out) as { inherited: { code: string }[] };
    expect(inherited.filter(({ code }) => code === 'broken-record')).toHaveLength(broken);
  });

  it('has nothing left to do on a second run', async () => {
    put(file, bytes);
    await ctx(['compact', file, ...FAST]);
    const first = [shaOf(output), shaOf(`${output}.stash`)];
    const again = await ctx(['compact', output, ...FAST, '--json']);
    expect(again.code).toBe(0);
    expect(report(again)['output']).toBeNull();
    expect([shaOf(output), shaOf(`${output}.stash`)]).toEqual(first);
    expect(names()).toEqual([output, `${output}.stash`, file].toSorted());
  });
});

it('takes a line of 50 MB in bounded time', { timeout: 60_000 }, async () => {
  const all = claudeLines();
  const at = all.findIndex((text) => text.includes('"tool_use_id":"t3"'));
  const text = longText('wide', 1000).repeat(1500);
  const bytes = Buffer.from(
    `${all.with(at, resultLine(10, 9, 't3', JSON.stringify(text))).join('\n')}\n`,
  );
  expect(bytes.length).toBeGreaterThan(50_000_000);
  put('session.jsonl', bytes);
  const started = performance.now();
  const ran = await ctx(['compact', 'session.jsonl', ...FAST, '-q']);
  expect(ran.err).toBe('');
  expect(ran.code).toBe(0);
  expect(readFileSync('session.compact.jsonl').length).toBeLessThan(20_000);
  expect((await ctx(['restore', 'session.compact.jsonl', '-o', 'back'])).code).toBe(0);
  expect(performance.now() - started).toBeLessThan(30_000);
  expect(shaOf('back')).toBe(sha(bytes));
});
