import * as fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ctx, errorLine, names, put, shaOf, TRUNCATE, useFolder } from '../support/cli.ts';
import { chat, claude, claudeLines } from '../support/session.ts';

/** The calls to writeSync, renameSync and fsyncSync that fail from now on, and how. */
const broken = vi.hoisted(() => ({ writes: Number.POSITIVE_INFINITY, rename: '', fsync: '' }));

const Injected = vi.hoisted(
  () =>
    class extends Error {
      readonly code: string;

      constructor(code: string) {
        super(`${code}: injected by the test`);
        this.code = code;
      }
    },
);

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    writeSync: (...args: Parameters<typeof real.writeSync>) => {
      broken.writes -= 1;
      if (broken.writes < 0) throw new Injected('ENOSPC');
      return real.writeSync(...args);
    },
    renameSync: (from: string, to: string) => {
      if (broken.rename !== '') throw new Injected(broken.rename);
      real.renameSync(from, to);
    },
    fsyncSync: (fd: number) => {
      if (broken.fsync !== '') throw new Injected(broken.fsync);
      real.fsyncSync(fd);
    },
  };
});

const FAST = [...TRUNCATE, '--counter', 'heuristic'];

useFolder();
afterEach(() => Object.assign(broken, { writes: Number.POSITIVE_INFINITY, rename: '', fsync: '' }));

describe('a disk that is full', () => {
  it('whichever write fails: exit 6, one line, nothing left behind', async () => {
    put('s.jsonl', claude());
    let failing = 0;
    const attempt = () => {
      broken.writes = failing;
      return ctx(['compact', 's.jsonl', ...FAST]);
    };
    for (let ran = await attempt(); ran.code !== 0; ran = await attempt()) {
      expect([failing, ran.code, names()]).toEqual([failing, 6, ['s.jsonl']]);
      expect(errorLine(ran)).toMatch(/^ctx: can't write \S+: the disk is full$/);
      failing += 1;
    }
    // Lock, header, three originals, run, table, and the chunks of the output.
    expect(failing).toBeGreaterThan(6);
    expect(fs.readFileSync('s.jsonl').equals(claude())).toBe(true);
  });

  it('an earlier stash and the input stay as they were, in place', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '--in-place', '--truncate', FIRST, '--counter', 'heuristic']);
    const before = [shaOf('s.jsonl'), shaOf('s.jsonl.stash')];
    for (let failing = 0; ; failing += 1) {
      broken.writes = failing;
      const ran = await ctx(['compact', 's.jsonl', '--in-place', ...FAST]);
      if (ran.code === 0) break;
      expect([failing, ran.code]).toEqual([failing, 6]);
      expect([shaOf('s.jsonl'), shaOf('s.jsonl.stash')]).toEqual(before);
      expect(names()).toEqual(['s.jsonl', 's.jsonl.stash']);
    }
    expect(shaOf('s.jsonl')).not.toBe(before[0]);
  });

  it('restore leaves nothing half written', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', ...FAST]);
    const before = names();
    broken.writes = 0;
    const ran = await ctx(['restore', 's.compact.jsonl']);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toContain('the disk is full');
    expect(names()).toEqual(before);
  });

  it('a copy of an unchanged file leaves nothing half written', async () => {
    put('s.jsonl', claude());
    broken.writes = 0;
    const ran = await ctx(['compact', 's.jsonl', '-o', 'copy.jsonl', '--preset', 'agentic']);
    expect(ran.code).toBe(6);
    expect(names()).toEqual(['s.jsonl']);
  });
});

const FIRST = 'tool::Bash:blockThreshold=200,previewTokens=60';

describe('other failures of the disk', () => {
  it.each(['EACCES', 'EPERM', 'EROFS', 'EIO'])('a rename that fails with %s', async (code) => {
    put('s.jsonl', claude());
    broken.rename = code;
    const ran = await ctx(['compact', 's.jsonl', ...FAST]);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toMatch(/^ctx: can't write s\.compact\.jsonl: /);
    expect(names()).toEqual(['s.jsonl']);
  });

  it('a rename in place that fails leaves file and stash', async () => {
    put('c.json', chat());
    broken.rename = 'EACCES';
    const ran = await ctx(['compact', 'c.json', '--in-place', ...FAST]);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toContain('permission denied');
    expect(fs.readFileSync('c.json').equals(chat())).toBe(true);
    expect(names()).toEqual(['c.json']);
  });

  it('bytes that do not reach the disk', async () => {
    put('s.jsonl', claude());
    broken.fsync = 'EIO';
    const ran = await ctx(['compact', 's.jsonl', ...FAST]);
    expect(ran.code).toBe(6);
    errorLine(ran);
    expect(names()).toEqual(['s.jsonl']);
  });
});

describe('places that can not be written', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['-o below a file', ['-o', 'file/out.jsonl'], /can't write file\/out\.jsonl/],
    ['-o into a folder that is not there', ['-o', 'no/out.jsonl'], /the folder does not exist/],
    ['--stash below a file', ['--stash', 'file/s.stash'], /can't write file\/s\.stash/],
    ['--stash in no folder', ['--stash', 'no/s.stash'], /the folder does not exist/],
    ['--out-dir that is a file', ['--out-dir', 'file'], /can't write file/],
    ['--out-dir below a file', ['--out-dir', 'file/x'], /can't write file\/x/],
    ['-o that is a folder', ['-o', 'folder', '--force'], /can't write folder/],
    ['a name that is too long', ['-o', `${'n'.repeat(300)}.jsonl`], /the name is too long/],
  ];
  it.each(cases)('%s', async (_name, flags, words) => {
    put('s.jsonl', claude());
    put('file', 'x');
    fs.mkdirSync('folder');
    const before = names();
    const ran = await ctx(['compact', 's.jsonl', ...flags, ...FAST]);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toMatch(words);
    expect(names()).toEqual(before);
    expect(fs.readFileSync('file', 'utf8')).toBe('x');
  });

  it('a copy of an unchanged file as well', async () => {
    put('s.jsonl', claude());
    put('file', 'x');
    const ran = await ctx(['compact', 's.jsonl', '-o', 'file/x.jsonl', '--preset', 'agentic']);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toContain("can't write file/x.jsonl");
  });

  it('retrieve -o and restore -o below a file', async () => {
    put('s.jsonl', claude());
    put('file', 'x');
    await ctx(['compact', 's.jsonl', ...FAST]);
    const [ref = ''] =
      /(?<=ref: )[0-9a-f]{12}/.exec(fs.readFileSync('s.compact.jsonl', 'utf8')) ?? [];
    const got = await ctx(['retrieve', ref, '-o', 'file/x']);
    expect([got.code, errorLine(got)]).toEqual([6, expect.stringContaining("can't write file/x")]);
    const back = await ctx(['restore', 's.compact.jsonl', '-o', 'file/x']);
    expect(back.code).toBe(6);
    expect(errorLine(back)).toContain("can't write file/x");
  });
});

describe('an interrupt', () => {
  it.each([1, 2, 3])('at checkpoint %i leaves everything as it was, exit 130', async (at) => {
    const { interrupted } = await import('../../src/errors.ts');
    // Lines of more than 64 kB between the edits, so that there are checkpoints while it is written.
    const wide = claudeLines().toSpliced(3, 0, `{"type":"x","pad":"${'x'.repeat(100_000)}"}`);
    put('s.jsonl', claude(wide.toSpliced(12, 0, `{"type":"x","pad":"${'y'.repeat(100_000)}"}`)));
    let seen = 0;
    const checkpoint = () => {
      seen += 1;
      if (seen === at) throw interrupted();
    };
    const ran = await ctx(['compact', 's.jsonl', ...FAST], { checkpoint });
    expect(seen).toBe(at);
    expect(ran.code).toBe(130);
    expect(errorLine(ran)).toContain('interrupted');
    expect(names()).toEqual(['s.jsonl']);
  });

  it('stops the files that follow', async () => {
    const { interrupted } = await import('../../src/errors.ts');
    put('a.jsonl', claude());
    put('b.jsonl', claude());
    const checkpoint = () => {
      throw interrupted();
    };
    const ran = await ctx(['compact', 'a.jsonl', 'b.jsonl', ...FAST], { checkpoint });
    expect(ran.code).toBe(130);
    expect(ran.err.match(/^ctx: /gm)).toHaveLength(1);
    expect(names()).toEqual(['a.jsonl', 'b.jsonl']);
  });
});
