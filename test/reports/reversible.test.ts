import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, refsOf, shaOf, useFolder } from '../support/cli.ts';

useFolder();

const FIRST = tokensOf(900, 'first');
const SECOND = tokensOf(900, 'second');

function session(): Buffer {
  const made = new Session().user('Go.').read('a', FIRST).says('So.').read('b', SECOND);
  return made.says('Done.').user('Thanks.').says('Bye.').bytes;
}

describe('compaction is reversible', () => {
  it('as a whole, byte for byte (report 96)', async () => {
    const file = put('s.json', session());
    await ctx(['compact', file, '--drop', '*:preserveRecent=2', '-o', 'out.json']);
    expect(readFileSync('out.json').length).toBeLessThan(readFileSync(file).length);
    const ran = await ctx(['restore', 'out.json', '-o', 'back.json']);
    expect(ran.code).toBe(0);
    expect(shaOf('back.json')).toBe(shaOf(file));
  });

  it('a run at a time (report 96)', async () => {
    const file = put('s.json', session());
    await ctx(['compact', file, '--drop', 'toolResults', '--to', '3', '-o', 'one.json']);
    await ctx(['compact', 'one.json', '--drop', 'toolResults', '-o', 'two.json']);
    expect(shaOf('two.json')).not.toBe(shaOf('one.json'));
    await ctx(['restore', 'two.json', '--last', '-o', 'layer.json']);
    expect(shaOf('layer.json')).toBe(shaOf('one.json'));
    await ctx(['restore', 'two.json', '-o', 'back.json']);
    expect(shaOf('back.json')).toBe(shaOf(file));
  });

  it('one block alone (report 96)', async () => {
    const ran = await ctx([
      'compact',
      put('s.json', session()),
      '--drop',
      'toolResults',
      '-o',
      'out.json',
      '--json',
    ]);
    const [, second = ''] = refsOf(ran);
    const { code } = await ctx(['restore', 'out.json', '--ref', second, '-o', 'part.json']);
    expect(code).toBe(0);
    const text = readFileSync('part.json', 'utf8');
    expect([text.includes(FIRST), text.includes(SECOND)]).toEqual([false, true]);
  });

  it('the ref is printed, and stands in the file (report 97)', async () => {
    const file = put('s.json', session());
    const shown = await ctx(['compact', file, '--drop', 'toolResults', '-o', 'out.json']);
    const text = readFileSync('out.json', 'utf8');
    const refs = [...text.matchAll(/\[ref: ([0-9a-f]{12})\]/g)].map(([, ref = '']) => ref);
    expect(refs.length).toBe(2);
    for (const ref of refs) expect(shown.out).toContain(ref);
    expect(shown.out).toMatch(
      new RegExp(`^next +ctx retrieve ${refs[0]} --stash out.json.stash$`, 'm'),
    );
    const [first, second] = await Promise.all(
      refs.map((ref) => ctx(['retrieve', ref, '--stash', 'out.json.stash'])),
    );
    expect([first?.out, second?.out]).toEqual([FIRST, SECOND]);
  });
});
