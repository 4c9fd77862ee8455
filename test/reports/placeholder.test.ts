import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMarker } from '../../src/marker/marker.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, useFolder } from '../support/cli.ts';

useFolder();

/** What a read shows: numbered lines of a file. */
const FILE = Array.from({ length: 300 }, (_, at) => `${at + 1}\tconst value${at} = ${at};`).join(
  '\n',
);

const STEPS: readonly (readonly string[])[] = [
  ['--dedupe'],
  ['--superseded-reads'],
  ['--drop', 'toolResults'],
  ['--mask', 'preserveRecentTurns=0,preserveRecentMessages=1,minObservationTokens=0'],
];

describe('a placeholder', () => {
  it.each(STEPS)(
    'of %s can not be taken for the content of a file (report 58)',
    async (...step) => {
      const session = new Session()
        .user('Go.')
        .read('a.ts', FILE)
        .read('a.ts', FILE)
        .says(tokensOf(20))
        .says('Done.');
      put('s.json', session.bytes);
      await ctx(['compact', 's.json', ...step]);
      const { messages } = JSON.parse(readFileSync('s.compact.json', 'utf8')) as {
        messages: { content: { content: string }[] }[];
      };
      const notice = messages[2]?.content[0]?.content ?? '';
      // One line in brackets with a ref, and nothing that stood in the file.
      expect(notice).toMatch(/^\[[A-Z][a-z]+: [^\n]*\] \[ref: [0-9a-f]{12}\]$/);
      expect(parseMarker(notice)).toBeDefined();
      expect(FILE).not.toContain(notice.split(']')[0]);
      expect(notice).not.toMatch(/const value|^\d+\t/);
    },
  );

  it('never goes into a string that a person wrote (report 58)', async () => {
    const session = new Session()
      .user('Go.')
      .read('a.ts', FILE)
      .says('So.')
      .user('Keep this text.')
      .read('a.ts', FILE)
      .says('Done.');
    put('s.json', session.bytes);
    await ctx(['compact', 's.json', '--drop', '*:preserveRecent=1']);
    const out = readFileSync('s.compact.json', 'utf8');
    for (const part of out.match(/"(?:text|content)":"[^"]*\[ref: [^"]*"/g) ?? [])
      expect(part).toMatch(/^"(?:text|content)":"\[/);
    expect(out).toContain('"content":"Go."');
  });
});
