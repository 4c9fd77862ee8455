import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CtxError } from '../../src/errors.ts';
import { compact, restore, type Step } from '../../src/memory.ts';
import { samples } from '../support/corpus.ts';

/** Deeper than a recursion over it could go. */
const LEVELS = 20_000;
const DEEP: readonly string[] = [
  '['.repeat(LEVELS) + ']'.repeat(LEVELS),
  `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`,
];
const SENTINEL = '@@deep@@';
/** Places of a file that get such a value, one at a time. */
const PLACES = 8;

const STEPS: readonly (readonly Step[])[] = [
  ['lean', ['algorithmic', 'toolResultSizeThreshold=200,maxToolPairs=1']],
  [
    ['error-inputs', ''],
    ['mask', 'preserveRecentTurns=0,preserveRecentMessages=1,minObservationTokens=0'],
    ['native-history', 'preserveRecentTurns=0,preserveRecentMessages=2'],
  ],
];

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** The file with one value replaced by a deep one; `share` says how far into the file. */
function withDeepValue(text: string, jsonl: boolean, share: number, deep: string): string {
  const lines = jsonl ? text.trimEnd().split('\n') : [text];
  const at = Math.floor(share * lines.length);
  const value: unknown = JSON.parse(lines[at] ?? '');
  const places = placesIn(value);
  const place = places[Math.floor(share * places.length)];
  if (place !== undefined) place.holder[place.key] = SENTINEL;
  const line = JSON.stringify(value).replace(`"${SENTINEL}"`, deep);
  return lines.with(at, line).join('\n');
}

const files = samples().filter(({ path }) => statSync(path).isFile());

describe.each(files)('a value of many levels in $name', ({ path, name }) => {
  it('is carried through, or refused in one line', async () => {
    const text = readFileSync(path, 'utf8');
    for (let index = 0; index < PLACES; index += 1) {
      const deep = DEEP[index % 2] as string;
      const made = withDeepValue(text, name.endsWith('.jsonl'), (index + 0.5) / PLACES, deep);
      const bytes = Buffer.from(made);
      const steps = STEPS[index % STEPS.length] ?? [];
      const done = await compact(bytes, { steps }).catch((cause: unknown) => {
        expect(cause).toBeInstanceOf(CtxError);
        return undefined;
      });
      if (done?.stash != null) expect(restore(done.bytes, done.stash).equals(bytes)).toBe(true);
    }
  }, 30_000);
});
