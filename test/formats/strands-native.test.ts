import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decodeEntry } from '../../src/retrieve/decode.ts';
import { nativeOriginal } from '../../src/stash/native.ts';
import { verifyFile } from '../../src/verify/file.ts';

/** A snapshot as the SDK's own context manager leaves it: markers whose originals are in the snapshot. */
const snapshot = (entries: object) => ({
  scope: 'agent',
  schemaVersion: '1.0',
  createdAt: '2026-01-01T00:00:00.000Z',
  data: {
    messages: [
      { role: 'user', content: [{ text: 'start' }] },
      { role: 'assistant', content: [{ toolUse: { name: 'x', toolUseId: 'c1', input: {} } }] },
      {
        role: 'user',
        content: [
          {
            toolResult: {
              toolUseId: 'c1',
              status: 'success',
              content: [{ text: '[Dropped] [ref: c1]' }],
            },
          },
        ],
      },
      { role: 'assistant', content: [{ text: 'end' }] },
    ],
    state: {},
    stash: { location: 'inline', entries },
  },
  appData: {},
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-native-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const written = (entries: object) => {
  const path = join(folder, 'snapshot.json');
  writeFileSync(path, JSON.stringify(snapshot(entries)));
  return path;
};

it('verify counts a marker of the SDK as resolved by the snapshot itself', () => {
  expect(verifyFile(written({ c1: '{"text":"first"}' }), {})).toMatchObject({ ok: true });
});

it('verify names it when the snapshot does not hold it', () => {
  const { ok, violations } = verifyFile(written({}), {});
  expect(ok).toBe(false);
  expect(violations.map(({ code }) => code)).toEqual(['unresolved-placeholder']);
});

it('retrieve reads the items of a result out of it, in order', () => {
  const path = written({
    c1_10: '{"text":"eleventh"}',
    c1_2: { text: 'third' },
    c10: '{"text":"other"}',
  });
  const entry = nativeOriginal(path, 'c1');
  expect(entry === undefined ? undefined : decodeEntry(entry)).toEqual({
    type: 'text',
    text: 'third\neleventh',
  });
  expect(nativeOriginal(path, 'c2')).toBeUndefined();
});
