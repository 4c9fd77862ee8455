import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ctx, put, refsOf, report, sha, shaOf, useFolder } from '../support/cli.ts';
import { lines } from '../support/read.ts';
import { claude } from '../support/session.ts';
import { picture, png, screenshots, times } from './pictures.ts';

useFolder();

const FAST = ['--counter', 'heuristic', '--json'];

describe('a picture that is in its line twice', () => {
  it('leaves both places for one entry of the stash, and comes back to both (report 80)', async () => {
    const [old, newest] = [png(1), png(2)];
    const input = claude(screenshots([old, newest]));
    put('s.jsonl', input);
    const ran = await ctx(['compact', 's.jsonl', '--media', ...FAST]);
    const done = report(ran);
    const output = readFileSync('s.compact.jsonl');
    const base64 = old.toString('base64');
    expect([times(input, base64), times(output, base64)]).toEqual([2, 0]);
    expect(times(output, newest.toString('base64'))).toBe(2);
    expect(done['stash']).toMatchObject({ entries: 1 });
    const stash = lines(readFileSync('s.compact.jsonl.stash'));
    expect(stash.filter(({ t }) => t === 'original')).toHaveLength(1);
    expect(input.length - output.length).toBeGreaterThan(2 * base64.length - 1000);
    const [ref = ''] = refsOf(ran);
    const found = await ctx(['retrieve', ref, '--stash', 's.compact.jsonl.stash']);
    expect(found.bytes.equals(old)).toBe(true);
    expect((await ctx(['restore', 's.compact.jsonl', '-o', 'back.jsonl'])).code).toBe(0);
    expect(shaOf('back.jsonl')).toBe(sha(input));
  });

  it('keeps the keys of its second place, so that a screen still draws it (report 80)', async () => {
    put('s.jsonl', claude(screenshots([png(1), png(2)])));
    await ctx(['compact', 's.jsonl', '--media', ...FAST]);
    const line = readFileSync('s.compact.jsonl', 'utf8').split('\n')[2] ?? '';
    expect(JSON.parse(line)).toMatchObject({
      message: {
        content: [
          { content: [{ type: 'text', text: expect.stringMatching(/^\[Dropped: image, .+\]$/) }] },
        ],
      },
      toolUseResult: {
        type: 'image',
        file: { base64: expect.any(String), type: 'image/png', originalSize: 6000 },
      },
    });
  });
});

const KINDS: readonly (readonly [ext: string, head: string])[] = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpg', '\xff\xd8\xff\xe0'],
  ['gif', 'GIF89a'],
  ['webp', 'RIFF\x10\0\0\0WEBPVP8 '],
];

describe('retrieve --export', () => {
  it.each([
    ['--media', 'keep=0'],
    ['--drop', 'toolResults', '--ui-copies'],
    ['--drop', '*:preserveRecent=1'],
    ['--media', 'keep=2', '--drop', '*:preserveRecent=1'],
  ])(
    '%s %s: writes every picture that left as a file of its bytes (report 82)',
    async (...steps) => {
      const pictures = KINDS.map(([, head], mark) => picture(head, mark + 1, 5000 + mark));
      put('s.jsonl', claude(screenshots(pictures)));
      expect((await ctx(['compact', 's.jsonl', ...steps, ...FAST])).code).toBe(0);
      const output = readFileSync('s.compact.jsonl');
      expect(pictures.map((bytes) => times(output, bytes.toString('base64')))).toEqual([
        0, 0, 0, 0,
      ]);
      const stash = ['--stash', 's.compact.jsonl.stash'];
      const ran = await ctx(['retrieve', '--export', 'pictures', ...stash]);
      expect([ran.code, ran.err]).toEqual([0, 'written 4 files to pictures\n']);
      const written = readdirSync('pictures').map(
        (name) => `${name.split('.').at(-1)} ${shaOf(`pictures/${name}`)}`,
      );
      const expected = KINDS.map(([ext], index) => `${ext} ${sha(pictures[index] ?? '')}`);
      expect(written.toSorted()).toEqual(expected.toSorted());
    },
  );

  it('a picture that was there three times is one file, and a second export leaves it alone (report 82)', async () => {
    put('s.jsonl', claude(screenshots([png(1), png(1), png(1)])));
    await ctx(['compact', 's.jsonl', '--media', 'keep=0', ...FAST]);
    const args = ['retrieve', '--export', 'pictures', '--stash', 's.compact.jsonl.stash'];
    expect((await ctx(args)).err).toBe('written 1 file to pictures\n');
    const [name = ''] = readdirSync('pictures');
    expect(readFileSync(`pictures/${name}`).equals(png(1))).toBe(true);
    put(`pictures/${name}`, 'mine');
    expect((await ctx(args)).err).toBe('written 0 files to pictures, 1 were there already\n');
    expect(readFileSync(`pictures/${name}`, 'utf8')).toBe('mine');
  });

  it('takes pictures out of a stash that keeps a compressed input too (report 82)', async () => {
    put('s.jsonl.gz', gzipSync(claude(screenshots([png(1), png(2)]))));
    await ctx(['compact', 's.jsonl.gz', '--media', '--exact-archive', '-o', 'o.jsonl', ...FAST]);
    const ran = await ctx(['retrieve', '--export', 'pictures', '--stash', 'o.jsonl.stash']);
    expect([ran.code, ran.err]).toEqual([0, 'written 1 file to pictures\n']);
    expect(readdirSync('pictures').map((name) => shaOf(`pictures/${name}`))).toEqual([sha(png(1))]);
  });
});
