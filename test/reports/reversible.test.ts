import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, type Ran, sha, shaOf, useFolder } from '../support/cli.ts';
import { chat, claude } from '../support/session.ts';
import { FIXED } from './support.ts';

useFolder();

function anthropic(): Buffer {
  const made = new Session().user('Read.');
  for (let round = 0; round < 12; round += 1)
    made.read(`${round % 4}.ts`, tokensOf(600, `v_${round % 5}`)).says(`Read ${round}.`);
  return made.user('And?').says('Done.').user('Thanks.').says('Welcome.').bytes;
}

const INPUTS: readonly (readonly [string, Buffer])[] = [
  ['s.json', anthropic()],
  ['s.jsonl', claude()],
  ['crlf.jsonl', claude(undefined, '\r\n')],
  ['chat.json', chat()],
];

const PREVIEWS = ['--truncate', 'toolResults:blockThreshold=300,previewTokens=100'] as const;

/** One layer after another, each takes more. */
const LAYERS: readonly (readonly string[])[] = [
  [...PREVIEWS, '--target-tokens', '75%'],
  ['--dedupe', '--superseded-reads'],
  PREVIEWS,
];

/** Refs that a file shows to who reads it. */
function refsIn(bytes: Buffer): string[] {
  return [...bytes.toString('latin1').matchAll(/\] \[ref: ([0-9a-f]+)\]/g)].map(
    ([, ref = '']) => ref,
  );
}

async function done(argv: readonly string[]): Promise<Ran> {
  const ran = await ctx(argv);
  expect([ran.code, argv.join(' '), ran.code === 0 ? '' : ran.err]).toEqual([
    0,
    argv.join(' '),
    '',
  ]);
  return ran;
}

describe.each(INPUTS)('%s', (name, input) => {
  /** The bytes before each layer that did something, and after the last. */
  async function layered(): Promise<Buffer[]> {
    put(name, input);
    const states = [input];
    for (const layer of LAYERS) {
      await done(['compact', name, '--in-place', ...FIXED, ...layer]);
      const now = readFileSync(name);
      if (!now.equals(states.at(-1) as Buffer)) states.push(now);
    }
    expect(states.length).toBeGreaterThan(2);
    return states;
  }

  it('restore takes off one layer after another, byte for byte (report 96)', async () => {
    const states = await layered();
    for (const state of states.slice(0, -1).toReversed()) {
      await done(['restore', name, '--last']);
      expect(shaOf(name)).toBe(sha(state));
    }
  });

  it('restore takes off all layers at once, byte for byte (report 96)', async () => {
    await layered();
    const ran = await done(['restore', name, '-o', 'back']);
    expect(ran.out).toContain(sha(input));
    expect(readFileSync('back').equals(input)).toBe(true);
  });

  it('restore --ref brings one original back and leaves every other byte (report 96)', async () => {
    put(name, input);
    await done(['compact', name, '-o', 'out', ...FIXED, ...PREVIEWS]);
    const output = readFileSync('out');
    const marked = refsIn(output);
    expect(marked.length).toBeGreaterThan(1);
    for (const ref of new Set(marked)) {
      await done(['restore', 'out', '--ref', ref, '-o', 'one', '--force']);
      const one = readFileSync('one');
      expect(refsIn(one)).toEqual(marked.filter((other) => other !== ref));
      const raw = (await done(['retrieve', ref, '--raw', '--stash', 'out.stash'])).bytes;
      expect(one.includes(raw)).toBe(true);
    }
    // One by one, until nothing is left to bring back.
    for (const ref of new Set(marked)) await done(['restore', 'out', '--ref', ref, '--in-place']);
    expect(readFileSync('out').equals(input)).toBe(true);
  });

  it.each([
    ['previews', PREVIEWS],
    ['removed messages', ['--drop', '*:preserveRecent=2']],
  ] as const)('%s: each ref is in the file and on the screen (report 97)', async (_what, step) => {
    put(name, input);
    const argv = ['compact', name, '-o', 'out', '--force', ...FIXED, ...step];
    for (const shape of [[], ['--plain'], ['--json']]) {
      const ran = await done([...argv, ...shape]);
      const marked = refsIn(readFileSync('out'));
      expect(marked.length).toBeGreaterThan(0);
      expect(marked.filter((ref) => !ran.out.includes(ref))).toEqual([]);
      for (const ref of marked) await done(['retrieve', ref, '--stash', 'out.stash']);
    }
  });
});
