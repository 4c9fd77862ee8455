import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpackedFile } from '../../src/load/archive.ts';
import { openSource } from '../../src/load/file.ts';
import { type Packing, pack, packingOf } from '../../src/load/packing.ts';
import { memorySource } from '../../src/load/source.ts';
import { zstdFrames } from '../../src/load/zstd-frames.ts';
import {
  ctx,
  errorLine,
  names,
  put,
  refsOf,
  report,
  sha,
  shaOf,
  TRUNCATE,
  useFolder,
} from '../support/cli.ts';
import { claude } from '../support/session.ts';

useFolder();

const FAST = ['--counter', 'heuristic', ...TRUNCATE];
const hasZstd = 'zstdCompressSync' in zlib;
const MANNERS: readonly (readonly [Packing, string])[] = [
  ['gzip', '.gz'],
  ...(hasZstd ? ([['zstd', '.zst']] as const) : []),
];

interface Facts {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly archive?: { readonly method: string; readonly bytes: number; readonly sha256: string };
}

const content = (path: string): Buffer => {
  const source = openSource(path);
  try {
    return Buffer.from(source.read(0, source.size));
  } finally {
    source.close();
  }
};

describe.each(MANNERS)('%s', (method, extension) => {
  const name = `s.jsonl${extension}`;
  const output = `s.compact.jsonl${extension}`;

  it('is read, written back the same way, and checked; the report gives both hashes', async () => {
    put(name, pack(claude(), method));
    const ran = await ctx(['compact', name, '--json', ...FAST]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const { input, output: written } = report(ran) as unknown as { input: Facts; output: Facts };
    expect(input).toMatchObject({ bytes: claude().length, sha256: sha(claude()) });
    expect(input.archive).toEqual({
      method,
      bytes: pack(claude(), method).length,
      sha256: shaOf(name),
    });
    expect(written).toMatchObject({ path: output, sha256: sha(content(output)) });
    expect(written.archive).toMatchObject({ method, sha256: shaOf(output) });
    expect(packingOf(readFileSync(output), '')).toBe(method);
    expect(content(output).includes(`[ref: ${refsOf(ran)[0]}]`)).toBe(true);
    expect((await ctx(['verify', output])).code).toBe(0);
    expect((await ctx(['retrieve', refsOf(ran)[0] as string])).code).toBe(0);
  });

  it('gives the content back byte for byte, compressed', async () => {
    put(name, pack(claude(), method));
    await ctx(['compact', name, ...FAST]);
    const ran = await ctx(['restore', output, '--json']);
    expect(JSON.parse(ran.out)).toMatchObject({
      path: `s.restored.jsonl${extension}`,
      sha256: sha(claude()),
      how: 'exact',
      archive: { method, sha256: shaOf(`s.restored.jsonl${extension}`) },
    });
    expect(content(`s.restored.jsonl${extension}`).equals(claude())).toBe(true);
  });

  it('gives the very file back with --exact-archive, through a chain of runs', async () => {
    // Two parts: not what ctx itself would write.
    const half = Math.floor(claude().length / 2);
    const parts = [claude().subarray(0, half), claude().subarray(half)];
    put(name, Buffer.concat(parts.map((part) => pack(part, method))));
    const before = shaOf(name);
    const flags = ['--in-place', '--counter', 'heuristic'];
    const bash = ['--truncate', 'tool::Bash:blockThreshold=200,previewTokens=60'];
    expect((await ctx(['compact', name, '--exact-archive', ...bash, ...flags])).code).toBe(0);
    expect(shaOf(name)).not.toBe(before);
    const second = await ctx(['compact', name, '--json', ...TRUNCATE, ...flags]);
    expect(refsOf(second).length).toBeGreaterThan(0);
    const ran = await ctx(['restore', name, '--json']);
    expect(JSON.parse(ran.out)).toMatchObject({
      how: 'exact',
      runs: 2,
      sha256: sha(claude()),
      archive: { method, sha256: before },
    });
    expect(shaOf(name)).toBe(before);
  });

  it('is idempotent, and a copy of what has nothing to do is the very file', async () => {
    put(name, pack(claude(), method));
    await ctx(['compact', name, ...FAST]);
    const before = [shaOf(output), shaOf(`${output}.stash`)];
    const ran = await ctx(['compact', output, '--in-place', '--json', ...FAST]);
    expect(report(ran)).toMatchObject({ output: null, stash: null });
    expect([shaOf(output), shaOf(`${output}.stash`)]).toEqual(before);
    await ctx(['compact', output, '-o', `copy${extension}`, ...FAST]);
    expect(shaOf(`copy${extension}`)).toBe(before[0]);
  });

  it('comes through a pipe and goes out the same way', async () => {
    const stdin = pack(claude(), method);
    const ran = await ctx(['compact', '-', '--stash', 'x.stash', '--quiet', ...FAST], { stdin });
    expect(ran.code).toBe(0);
    put('piped', ran.bytes);
    expect(packingOf(ran.bytes, '')).toBe(method);
    const back = await ctx(['restore', 'piped', '--stash', 'x.stash', '-o', 'back']);
    expect(back.code).toBe(0);
    expect(content('back').equals(claude())).toBe(true);
  });

  it.each([
    ['in the middle', 0.5],
    ['in its last bytes', 0.999],
  ])('cut off %s: one line, exit 3, nothing written', async (_name, share) => {
    const whole = pack(claude(), method);
    put(name, whole.subarray(0, Math.floor(whole.length * share)));
    const ran = await ctx(['compact', name, ...FAST]);
    expect(ran.code).toBe(3);
    expect(errorLine(ran)).toContain('is cut off');
    expect(names()).toEqual([name]);
  });

  it('damaged: one line, exit 3', async () => {
    const bytes = Buffer.from(pack(claude(), method));
    bytes.fill(0xff, bytes.length - 200, bytes.length - 100);
    put(name, bytes);
    const ran = await ctx(['explain', name, ...FAST]);
    expect(ran.code).toBe(3);
    expect(errorLine(ran)).toMatch(/is (damaged|cut off)/);
  });

  it('a content that is large goes through a temporary file, which is gone afterwards', () => {
    const left = () => readdirSync(tmpdir()).filter((entry) => /^ctx-\w{6}$/.test(entry)).length;
    const before = left();
    put(name, Buffer.concat([pack(claude(), method), pack(claude(), method)]));
    const packed = memorySource(readFileSync(name), name);
    const source = unpackedFile(packed, method, 100);
    expect(left()).toBe(before + 1);
    const twice = Buffer.concat([claude(), claude()]);
    expect(source.size).toBe(twice.length);
    expect(source.read(0, source.size).equals(twice)).toBe(true);
    source.close();
    expect(left()).toBe(before);
    put(name, pack(claude(), method).subarray(0, -20));
    expect(() => unpackedFile(memorySource(readFileSync(name), name), method, 100)).toThrow(
      expect.objectContaining({ exitCode: 3 }),
    );
    expect(left()).toBe(before);
  });
});

describe('what the first bytes say', () => {
  it('counts, not the name: a plain file named .gz is a plain file', async () => {
    put('s.jsonl.gz', claude());
    const ran = await ctx(['compact', 's.jsonl.gz', '--json', ...FAST]);
    expect(ran.code).toBe(0);
    expect((report(ran) as unknown as { input: Facts }).input.archive).toBeUndefined();
    expect(readFileSync('s.compact.jsonl.gz')[0]).toBe(0x7b);
    put('named.jsonl', pack(claude(), 'gzip'));
    expect((await ctx(['explain', 'named.jsonl', ...FAST])).code).toBe(0);
  });

  it.each([
    ['xz', 'fd377a585a0000'],
    ['bzip2', '425a6839314159'],
    ['zip', '504b030414000000'],
    ['lz4', '04224d1860407000'],
    ['7z', '377abcaf271c0004'],
  ])('%s is named and refused', async (name, hex) => {
    put('s.jsonl.gz', Buffer.from(hex, 'hex'));
    const ran = await ctx(['compact', 's.jsonl.gz', ...FAST]);
    expect(ran.code).toBe(3);
    expect(errorLine(ran)).toContain(`compressed with ${name}`);
  });

  it('gzip of something else is judged by its content', async () => {
    put('s.gz', zlib.gzipSync('{"a":1}'));
    expect((await ctx(['explain', 's.gz', ...FAST])).code).toBe(4);
    put('s.gz', zlib.gzipSync(''));
    expect((await ctx(['explain', 's.gz', ...FAST])).code).toBe(3);
  });

  it.skipIf(hasZstd)('zstd says which Node it needs', async () => {
    put('s.jsonl.zst', Buffer.from('28b52ffd200631000068656c6c6f20', 'hex'));
    const ran = await ctx(['compact', 's.jsonl.zst', ...FAST]);
    expect(ran.code).toBe(3);
    expect(errorLine(ran)).toContain('needs Node 22.15 or later');
  });

  it("somebody else's compressed output is not replaced", async () => {
    put('s.jsonl.gz', zlib.gzipSync(claude()));
    await ctx(['compact', 's.jsonl.gz', ...FAST]);
    put('s.compact.jsonl.gz', readFileSync('s.compact.jsonl.gz').subarray(0, 100));
    const ran = await ctx(['compact', 's.jsonl.gz', ...FAST]);
    expect(ran.code).toBe(6);
    expect(existsSync('s.compact.jsonl.gz')).toBe(true);
  });
});

describe('frames of zstd data', () => {
  const HELLO = '28b52ffd200631000068656c6c6f20';
  const WORLD = '28b52ffd2405290000776f726c64ef51ee66';
  const EMPTY = '28b52ffd2000010000';
  const REPEATED = '28b52ffd60b80a4d00001061610100b3f30116';
  const SKIPPED = '532a4d1803000000aabbcc';
  const frames = (hex: string) => {
    const bytes = Buffer.from(hex, 'hex');
    return zstdFrames(bytes.length, (start, end) => bytes.subarray(start, end)).map(
      ({ start, end }) => bytes.subarray(start, end).toString('hex'),
    );
  };

  it('are found one after the other, with and without checksum; skippable ones hold nothing', () => {
    expect(frames(HELLO + WORLD + SKIPPED + EMPTY + REPEATED)).toEqual([
      HELLO,
      WORLD,
      EMPTY,
      REPEATED,
    ]);
    expect(frames('')).toEqual([]);
  });

  it('are torn at every length but the whole', () => {
    for (const hex of [HELLO, WORLD, EMPTY, REPEATED, SKIPPED]) {
      for (let length = 2; length < hex.length; length += 2)
        expect(() => frames(HELLO + hex.slice(0, length))).toThrow(/not complete/);
    }
  });

  it('are nothing else', () => {
    expect(() => frames(`${HELLO}00112233`)).toThrow('no frame begins');
  });
});
