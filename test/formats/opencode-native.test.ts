/** OpenCode: the client's own mark, and the storage folder. */

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { opencodeStorage } from '../../src/formats/opencode/storage.ts';
import { compactFile, restore, restoreFile, type Step } from '../../src/index.ts';
import { indexTranscript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { parseSpec } from '../../src/specs/parse.ts';
import { NO_STASH } from '../../src/stash/placed.ts';
import { checkTranscript } from '../../src/verify/check.ts';
import { ctx, useFolder } from '../support/cli.ts';
import {
  done,
  HIDDEN,
  index,
  METER,
  type Part,
  session,
  shape,
  text,
  tool,
} from '../support/opencode.ts';
import { original, run } from '../support/run.ts';
import { longText } from '../support/session.ts';

useFolder();

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));

describe("--native, the client's own mark", () => {
  const failed = {
    status: 'error',
    input: {},
    error: longText('failed'),
    time: { start: 1, end: 2 },
  };
  const document = session([
    ['user', [text('start')]],
    ['assistant', [tool('a', done(longText('a'))), tool('b', failed)]],
    ['assistant', [tool('c', done(longText('c'), {}, { compacted: null }))]],
    ['user', [text('bye')]],
  ]);
  const input = Buffer.from(JSON.stringify(document, null, 2));
  const steps: Step[] = ['toolResults', 'toolResultErrors'].map((target) => [
    'truncate',
    `${target}:blockThreshold=100,previewTokens=30`,
  ]);

  it('hides completed results and replaces the others', async () => {
    const made = await run(input, steps, { native: true });
    const output = JSON.parse(made.bytes.toString()) as typeof document;
    const states = (output['messages'] as { parts: { state: Part }[] }[])
      .flatMap(({ parts }) => parts)
      .flatMap(({ state }) => state ?? []);
    expect(states[0]).toMatchObject({
      output: longText('a'),
      time: { start: 5, end: 9, compacted: 9 },
    });
    expect(states[1]).toMatchObject({ error: expect.stringMatching(/^\[Truncated/) as unknown });
    expect(states[2]).toMatchObject({ output: longText('c'), time: { compacted: 9 } });
    const rows = made.report.blocks.filter(({ action }) => action === 'truncated');
    const sent = METER.text(HIDDEN);
    expect(rows.map(({ tokensAfter }) => tokensAfter === sent)).toEqual([true, false, true]);
  });

  it('keeps the originals in the stash and restores byte for byte', async () => {
    const made = await run(input, steps, { native: true });
    const refs = made.report.blocks.flatMap(({ ref }) => ref ?? []);
    expect(refs.map((ref) => original(made, ref))).toEqual([
      longText('a'),
      longText('failed'),
      longText('c'),
    ]);
    expect(made.stash && restore(made.bytes, made.stash).equals(input)).toBe(true);
  });

  it('is done once', async () => {
    const made = await run(input, steps, { native: true });
    const twice = await run(made.bytes, steps, {
      native: true,
      ...(made.stash && { stash: made.stash }),
    });
    expect(twice.bytes.equals(made.bytes)).toBe(true);
    expect(twice.stash).toBeNull();
  });

  it('is taken off when the client has written the file anew', async () => {
    writeFileSync('s.json', input);
    const specs = [parseSpec('truncate', 'toolResults:blockThreshold=100,previewTokens=30')];
    await compactFile('s.json', {
      specs,
      native: true,
      output: 'o.json',
      now: '2026-01-01T00:00:00Z',
    });
    const rewritten = JSON.parse(readFileSync('o.json', 'utf8')) as { messages: unknown[] };
    writeFileSync(
      'o.json',
      JSON.stringify({ info: { id: 'ses_1', title: 'new' }, messages: rewritten.messages }),
    );
    expect(restoreFile('o.json', { output: 'back.json' })).toMatchObject({
      how: 'blocks',
      lost: [],
    });
    const back = JSON.parse(readFileSync('back.json', 'utf8')) as typeof document;
    const expected = JSON.parse(JSON.stringify(document)) as {
      messages: { parts: { state?: { time: Part } }[] }[];
    };
    // A mark that was there, and empty, goes as well.
    delete expected.messages[2]?.parts[0]?.state?.time['compacted'];
    expect(back['messages']).toEqual(expected.messages);
  });

  it('is refused with exit 2 where the format has none', async () => {
    cpSync(join(SAMPLES, 'anthropic.json'), 'a.json');
    for (const command of ['compact', 'explain']) {
      const { code, err } = await ctx([command, 'a.json', '--native', '--drop', 'toolResults']);
      expect(code).toBe(2);
      expect(err).toContain('--native');
    }
  });

  it('works from the command line, and verify finds nothing', async () => {
    writeFileSync('s.json', input);
    expect((await ctx(['compact', 's.json', '--native', '--drop', 'toolResults'])).code).toBe(0);
    expect((await ctx(['verify', 's.compact.json'])).code).toBe(0);
    expect((await ctx(['restore', 's.compact.json', '-o', 'b.json'])).code).toBe(0);
    expect(readFileSync('b.json').equals(input)).toBe(true);
  });
});

describe('the storage folder', () => {
  const folder = join(SAMPLES, 'opencode-storage', 'session_shop');

  it('is read as the export of the same session', () => {
    // Parts and messages are ordered by id, whatever the names of the files are.
    const [session1] = [
      session([
        ['user', [text('go')]],
        ['assistant', [text('a'), tool('a', done('1'))]],
      ]),
    ];
    const messages = (session1 as { messages: { info: Part; parts: Part[] }[] }).messages;
    const files = messages.flatMap(({ info, parts }, at) => [
      { path: `message/ses_1/${9 - at}.json`, value: info },
      ...parts.map((part, place) => ({ path: `part/m${at}/${9 - place}.json`, value: part })),
    ]);
    const bytes = files.map(({ value }) => Buffer.from(JSON.stringify(value)));
    let at = 0;
    const placed = files.map(({ path }, file) => {
      const start = at;
      at += bytes[file]?.length ?? 0;
      return { path, start, end: at };
    });
    const found = indexTranscript(
      memorySource(Buffer.concat(bytes), 'storage', placed),
      opencodeStorage,
      {
        meter: METER,
        placed: NO_STASH,
        id: 'main',
      },
    );
    expect(shape(found)).toEqual(shape(index(session1)));
    expect(found.conversations.map(({ id }) => id)).toEqual(['main#ses_1']);
    expect(checkTranscript(found)).toEqual([]);
  });

  it('is hidden in by the same mark, into a folder of its own, and restored', async () => {
    cpSync(folder, 'storage', { recursive: true });
    const { code } = await ctx([
      'compact',
      'storage',
      '--native',
      '--drop',
      'toolResults:blockThreshold=2000',
    ]);
    expect(code).toBe(0);
    const parts = readdirSync('storage.compact', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join('storage.compact', name), 'utf8'));
    // One was hidden by the client before.
    expect(parts.filter((part) => part.includes('"compacted"')).length).toBeGreaterThan(1);
    expect((await ctx(['restore', 'storage.compact', '-o', 'back'])).code).toBe(0);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.json'))
        expect(readFileSync(join('back', name)).equals(readFileSync(join(folder, name)))).toBe(
          true,
        );
  });

  it('loses no messages', async () => {
    cpSync(folder, 'storage', { recursive: true });
    expect((await ctx(['compact', 'storage', '--drop', '*:preserveRecent=2'])).code).toBe(2);
  });
});
