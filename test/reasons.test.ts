import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ACTION_REASONS, REASONS } from '../src/plan/reasons.ts';

it('documents every reason code', () => {
  const docs = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'reasons.md');
  const listed = [...readFileSync(docs, 'utf8').matchAll(/^\| `([a-z-]+)` \|/gm)].map(
    ([, code]) => code,
  );
  expect(listed).toEqual([...Object.keys(REASONS), ...Object.keys(ACTION_REASONS)]);
});
