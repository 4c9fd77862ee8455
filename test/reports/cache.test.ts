import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, names, put, useFolder } from '../support/cli.ts';

useFolder();

/** A long session whose oldest result is small: pruning it would send everything after it anew. */
function session(): Buffer {
  const made = new Session().user('Go.').read('old', tokensOf(200, 'old'));
  for (let at = 0; at < 30; at += 1)
    made.says(tokensOf(300, `reply${at}`)).user(`Go on, step ${at}.`);
  return made.read('new', tokensOf(4000, 'new')).says('Done.').bytes;
}

describe('a prompt cache', () => {
  it('is named with what is lost of it, before anything is written (report 72)', async () => {
    const ran = await ctx(['explain', put('s.json', session()), '--drop', 'toolResults']);
    expect(ran.out).toMatch(
      /^cache +changes from message 2 on: [\d,]+ tokens of a cached prefix are sent anew$/m,
    );
    expect(ran.out).toMatch(
      /^cost +cached: \$[\d.]+ a request -> \$[\d.]+ once, then \$[\d.]+; paid for after [\d,]+ requests?/m,
    );
    expect(names()).toEqual(['s.json']);
  });

  it('is left alone when a rewrite would not pay (report 72)', async () => {
    const prune = ['--drop', 'toolResults', '--to', '4', '--min-savings', '5000'];
    const ran = await ctx(['compact', put('s.json', session()), ...prune]);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/less than --min-savings 5,000: nothing is done/);
    expect(names()).toEqual(['s.json']);
  });

  it('stays valid up to the message that --keep-prefix names, byte for byte (report 73)', async () => {
    const file = put('s.json', session());
    const ran = await ctx([
      'compact',
      file,
      '--drop',
      'toolResults',
      '--keep-prefix',
      '60',
      '--json',
    ]);
    const { cache } = JSON.parse(ran.out) as {
      cache: { firstChangedMessage: number; cost: { turnsToPay: number } };
    };
    expect(cache.firstChangedMessage).toBeGreaterThan(60);
    const [before, after] = [readFileSync(file), readFileSync('s.compact.json')];
    const changed = before.indexOf('"tool_use_id":"call_2"');
    expect(after.subarray(0, changed).equals(before.subarray(0, changed))).toBe(true);
    // What is dropped is at the end: it pays at once.
    expect(cache.cost.turnsToPay).toBe(1);
  });

  it('is lost once: all edits are made in one pass (report 73)', async () => {
    const file = put('s.json', session());
    const first = await ctx(['compact', file, '--drop', 'toolResults', '--dedupe', '--json']);
    expect(JSON.parse(first.out)).toMatchObject({ cache: { firstChangedMessage: 2 } });
    const again = await ctx([
      'compact',
      's.compact.json',
      '--drop',
      'toolResults',
      '--dedupe',
      '--json',
    ]);
    expect(JSON.parse(again.out)).toMatchObject({ cache: null, output: null });
  });
});
