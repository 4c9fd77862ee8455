import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompactOptions, compactFile } from '../../src/compact.ts';
import { findPreset, PRESETS } from '../../src/presets/presets.ts';
import type { Report } from '../../src/report/report.ts';
import { restoreFile } from '../../src/restore.ts';
import { parseSpec } from '../../src/specs/parse.ts';
import { verifyFile } from '../../src/verify/file.ts';
import { STEPS as COMBINED } from '../strategies/steps.ts';
import { contents, hashes, realSessions, samples } from '../support/corpus.ts';
import { dice } from '../support/made.ts';

/** The promises of the product, over every sample and every real session at hand, under every preset. */
const STEPS = [
  ...PRESETS.map(({ name, specs, emergency }) => ({ name, specs, emergency })),
  {
    name: 'truncate all results',
    specs: [parseSpec('truncate', 'toolResults:blockThreshold=200,previewTokens=80')],
    emergency: false,
  },
  ...(
    [
      [
        'mask',
        'preserveRecentTurns=0,preserveRecentMessages=1,minObservationTokens=0,maskErrors=true',
      ],
      [
        'structured-summary',
        'preserveRecentTurns=0,preserveRecentMessages=2,minObservationTokens=0',
      ],
      [
        'structured-summary',
        'preserveRecentTurns=0,preserveRecentMessages=2,summarizeInlineText=true,maxSourceTokens=none',
      ],
      ['algorithmic', 'toolResultSizeThreshold=200,maxToolPairs=1,threshold=2000'],
      ['native-history', 'preserveRecentTurns=0,preserveRecentMessages=2'],
      ['dedupe', 'keep=oldest'],
      ['superseded-reads', ''],
      ['error-inputs', ''],
      ['thinking', 'keep=0'],
      ['media', 'keep=0'],
      ['ui-copies', 'minBytes=300'],
      ['whitespace-lines', 'minLines=2'],
    ] as const
  ).map(([method, text]) => ({
    name: `${method} ${text}`,
    specs: [parseSpec(method, text)],
    emergency: false,
  })),
  // The window is small here, so that the presets with a utilization condition act as well.
  ...['auto', 'proactiveSummarization', 'overflowProtection'].map((name) => {
    const { specs, emergency } = findPreset(name);
    return { name: `${name}, small window`, specs, emergency, window: 8000 };
  }),
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-promises-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let runs = 0;

type Run = Pick<CompactOptions, 'specs' | 'emergency' | 'window' | 'targetTokens'>;

/** Valid, restorable, idempotent, and untouched outside of edits. */
async function expectPromises(path: string, run: Run): Promise<void> {
  runs += 1;
  const home = join(folder, String(runs));
  const input = join(home, basename(path));
  cpSync(path, input, { recursive: true });
  const output = join(home, 'out');
  const options = { ...run, output, now: '2026-01-01T00:00:00.000Z' };
  const report = await compactFile(input, options);
  expect(report.tokens.after).toBeLessThanOrEqual(report.tokens.before + unmeasured(report));
  expect(hashes(input)).toEqual(hashes(path));
  if (report.stash === null) {
    expect(report.blocks.every((block) => block.action === 'kept')).toBe(true);
    expect(existsSync(output)).toBe(false);
    return;
  }
  expect(verifyFile(output, {})).toMatchObject({ ok: true, violations: [] });
  expectUntouched(input, output);

  const back = join(home, 'back');
  expect(restoreFile(output, { output: back }).how).toBe('exact');
  expect(hashes(back)).toEqual(hashes(input));

  const before = hashes(output);
  const stash = readFileSync(`${output}.stash`);
  const again = await compactFile(output, { ...options, inPlace: true });
  expect(again.stash).toBeNull();
  expect(hashes(output)).toEqual(before);
  expect(readFileSync(`${output}.stash`).equals(stash)).toBe(true);
}

describe.each([...samples(), ...realSessions()])('$name', ({ path }) => {
  it.each(STEPS)(
    '$name: valid, restorable, idempotent, untouched outside of edits',
    async ({ name: _name, ...run }) => {
      await expectPromises(path, run);
      expect.hasAssertions();
    },
  );
});

/** Random combinations of steps for each session, the same ones every time. */
const COMBINATIONS = 5;

describe.each(realSessions())('$name, random combinations', ({ name, path }) => {
  it.each(Array.from({ length: COMBINATIONS }, (_, seed) => seed))('seed %i', async (seed) => {
    const roll = dice(seed * 1000 + Buffer.from(name).reduce((sum, byte) => sum + byte, 0));
    const picked = Array.from(
      { length: 2 + roll(3) },
      () => COMBINED[roll(COMBINED.length)] as (typeof COMBINED)[number],
    );
    const steps = picked.map((step) =>
      typeof step === 'string'
        ? findPreset(step).specs
        : [{ ...parseSpec(...step), preset: 'random' }],
    );
    const target = roll(3) === 0 ? { targetTokens: { percent: 20 + roll(70) } } : {};
    const window = [3000, 100_000][roll(2)] as number;
    await expectPromises(path, {
      specs: steps.flat(),
      emergency: roll(4) === 0,
      window,
      ...target,
    });
    expect.hasAssertions();
  });
});

/** Tokens of lines in the place of media whose size nobody knows. */
function unmeasured({ blocks }: Report): number {
  const media = blocks.filter(({ tokensBefore }) => tokensBefore === 0);
  return media.reduce((total, { tokensAfter }) => total + tokensAfter, 0);
}

/** Every line of the output is a line of the input, or carries a marker, or differs in a link, or lost a part alone. */
function expectUntouched(input: string, output: string): void {
  const lines = linesOf(input).map(unlinked);
  const known = new Set(lines);
  const foreign = linesOf(output).filter(
    (line) =>
      !known.has(unlinked(line)) &&
      !/\[ref: [0-9a-f]{12,}\]/.test(line) &&
      !/"ctx": ?\{"v": ?1, ?"offloaded"/.test(line),
  );
  // A pretty document drops or adds a separator where a message left.
  const odd = foreign.filter((line) => !/^\s*[\]}],?$/.test(line));
  expect(odd.filter((line) => !lines.some((whole) => isPart(unlinked(line), whole)))).toEqual([]);
}

/** Whether a line is another one from which a few spans are gone. */
function isPart(line: string, whole: string): boolean {
  let at = 0;
  for (const char of line) {
    at = whole.indexOf(char, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function linesOf(path: string): string[] {
  return [...contents(path).values()].flatMap((bytes) => bytes.toString('latin1').split('\n'));
}

const LINKS =
  /"(parentUuid|leafUuid|parentId|firstKeptEntryId|fromId|targetId)"(: ?)(?:"[^"\\]*"|null)/g;

function unlinked(line: string): string {
  return line.replaceAll(LINKS, '"$1"$2');
}
