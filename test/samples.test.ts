/** The samples: made by their script byte for byte, well-formed, of readable size, and of use to the presets. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact, restore } from '../src/index.ts';

const SAMPLES = fileURLToPath(new URL('../samples', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../scripts/build-samples.mjs', import.meta.url));
const LOG = join('strands-log', 'session_shop');
const STORAGE = join('opencode-storage', 'session_shop');
const LEAST = 60_000;
const MOST = 130_000;

const paths = filesIn(SAMPLES);
const documents = paths.filter((path) => !path.includes('session_shop'));

let built = '';
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'ctx-samples-'));
  execFileSync(process.execPath, [SCRIPT, built]);
});
afterAll(() => {
  rmSync(built, { recursive: true, force: true });
});

test('the script writes the same files', () => {
  expect(filesIn(built)).toEqual(paths);
});

test.each(paths)('the script writes %s byte for byte', (path) => {
  expect(sample(path).equals(readFileSync(join(built, path)))).toBe(true);
});

test.each(paths)('%s is well-formed', (path) => {
  const text = sample(path).toString('utf8');
  const values = path.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text];
  for (const value of values) expect(JSON.parse(value)).toBeTypeOf('object');
});

test.each(documents)('%s has a readable size', (path) => {
  expect(sample(path).length).toBeGreaterThanOrEqual(LEAST);
  // Each of its steps repeats the prompt that was sent.
  const most = path === 'swe-agent.traj' ? 2 * MOST : MOST;
  expect(sample(path).length).toBeLessThanOrEqual(most);
});

test('the storage folder has a readable size', () => {
  const storage = paths.filter((path) => path.startsWith(STORAGE));
  const size = storage.reduce((sum, path) => sum + sample(path).length, 0);
  expect(size).toBeGreaterThanOrEqual(LEAST);
  expect(size).toBeLessThanOrEqual(MOST);
});

test('the message log has a readable size and enough messages', () => {
  const log = paths.filter((path) => path.startsWith(LOG));
  const size = log.reduce((sum, path) => sum + sample(path).length, 0);
  expect(size).toBeGreaterThanOrEqual(LEAST);
  expect(size).toBeLessThanOrEqual(MOST);
  expect(log.filter((path) => path.includes('message_')).length).toBeGreaterThanOrEqual(12);
});

describe.each(documents)('%s', (path) => {
  test('has one result that the agentic preset takes, and comes back', async () => {
    const input = sample(path);
    const { bytes, stash, report } = await compact(input, { steps: ['agentic'] });
    const large = report.blocks.filter((block) => block.tokensBefore > 8000);
    expect(large.map(({ kind, action }) => [kind, action])).toEqual([['toolResult', 'truncated']]);
    const middle = report.blocks.filter(
      ({ kind, tokensBefore }) =>
        kind === 'toolResult' && tokensBefore >= 2000 && tokensBefore <= 4000,
    );
    expect(middle.length).toBeGreaterThanOrEqual(2);
    if (stash === null) throw new Error('nothing was stashed');
    expect(restore(bytes, stash).equals(input)).toBe(true);
  });
});

function sample(path: string): Buffer {
  return readFileSync(join(SAMPLES, path));
}

/** Paths of all files below a folder, but for what a run of ctx leaves beside a sample. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/\.(?:compact|restored|stash)\b/.test(path))
    .toSorted();
}
