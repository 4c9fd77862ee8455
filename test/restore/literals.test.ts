import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, useFolder } from '../support/cli.ts';

useFolder();

/** Restores an output that a client rewrote: `edit` is what it changed, and stays changed. */
async function rewritten(
  name: string,
  bytes: Buffer,
  flags: readonly string[],
  edit: (text: string) => string,
): Promise<string> {
  const file = put(name, bytes);
  expect((await ctx(['compact', file, '-o', `out-${name}`, ...flags])).code).toBe(0);
  const out = readFileSync(`out-${name}`, 'utf8');
  const changed = edit(out);
  expect(changed).not.toBe(out);
  put(`out-${name}`, changed);
  const ran = await ctx(['restore', `out-${name}`, '-o', 'back']);
  expect(ran.code).toBe(0);
  return readFileSync('back', 'utf8');
}

const sample = (name: string) => readFileSync(new URL(`../../samples/${name}`, import.meta.url));

describe('restore of a rewritten file', () => {
  it.each([
    ['claude-code.jsonl', '"userType":"external"', '"userType":"internal"'],
    ['codex.jsonl', '"originator":"', '"originator":"my_'],
  ])('brings copies back in %s', async (name, from, to) => {
    const edit = (text: string) => text.replace(from, to);
    const flags = ['--ui-copies', 'minBytes=300'];
    expect(await rewritten(name, sample(name), flags, edit)).toBe(edit(sample(name).toString()));
  });

  it('brings strings of an input back', async () => {
    const write = { name: 'Write', input: { file_path: 'a', content: tokensOf(400, 'words') } };
    const session = new Session()
      .user('Go.')
      .calls({ ...write, result: 'No such folder', failed: true })
      .calls({ ...write, result: 'Written.' })
      .says('Done.');
    const edit = (text: string) => text.replace('"Done."', '"All done."');
    const back = await rewritten('session.json', session.bytes, ['--error-inputs'], edit);
    expect(back).toBe(edit(session.bytes.toString('utf8')));
  });
});
