import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCounter } from '../../src/measure/counters.ts';
import { PRESETS } from '../../src/presets/presets.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, names, put, useFolder } from '../support/cli.ts';
import { claude, claudeLines } from '../support/session.ts';

useFolder();

interface Report {
  readonly tokens: {
    readonly before: number;
    readonly after: number;
    readonly saved: number;
    readonly clientUsage: number | null;
  };
  readonly bytes: { readonly before: number; readonly after: number };
  readonly blocks: readonly {
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly action: string;
  }[];
}

const run = async (...argv: readonly string[]) =>
  JSON.parse((await ctx([...argv, '--json'])).out) as Report;
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe('figures', () => {
  it('before and after come from one counter; the usage of the client is only shown (report 65)', async () => {
    const usage = '"usage":{"input_tokens":161500,"output_tokens":3},';
    const lines = claudeLines().map((line) =>
      line.replace('"role":"assistant",', `"role":"assistant",${usage}`),
    );
    const file = put('s.jsonl', claude(lines));
    const report = await run(
      'compact',
      file,
      '--truncate',
      'toolResults:blockThreshold=200,previewTokens=60',
    );
    expect(report.tokens.clientUsage).toBe(161_500);
    const again = await run(
      'explain',
      's.compact.jsonl',
      '--drop',
      'toolResults:blockThreshold=100000',
    );
    expect(report.tokens.after).toBe(again.tokens.before);
    const plain = put('plain.jsonl', claude());
    expect((await run('explain', plain, '-p', 'lossless')).tokens.before).toBe(
      report.tokens.before,
    );
  });

  it('the bytes are those of the written file, which escapes nothing anew (report 66)', async () => {
    const accents = '\\u00e9t\\u00e9 \\u4f60\\u597d '.repeat(300);
    const lines = claudeLines().map((line) => line.replace('I run the tests', accents));
    const file = put('s.jsonl', claude(lines));
    const report = await run('compact', file, '--drop', 'toolResults:blockThreshold=200');
    expect(report.bytes).toEqual({
      before: statSync(file).size,
      after: statSync('s.compact.jsonl').size,
    });
    expect(report.bytes.after).toBeLessThan(report.bytes.before);
    expect(readFileSync('s.compact.jsonl', 'utf8')).toContain(accents);
  });

  it('what is saved is net of the placeholders (report 67)', async () => {
    const session = new Session().user('Go.').read('a', tokensOf(2000, 'large')).says('Done.');
    put('s.json', session.bytes);
    const report = await run(
      'compact',
      's.json',
      '--drop',
      'toolResults',
      '--counter',
      'heuristic',
    );
    const [marker = ''] = /\[Dropped: [^"]*/.exec(readFileSync('s.compact.json', 'utf8')) ?? [];
    const cost = createCounter('heuristic').count(marker);
    expect(cost).toBeGreaterThan(5);
    expect(report.tokens.saved).toBe(2000 - cost);
    expect(sum(report.blocks.map((row) => row.tokensBefore - row.tokensAfter))).toBe(
      report.tokens.saved,
    );
  });

  it.each(PRESETS.map(({ name }) => name))(
    'nothing grows, and a no-op writes nothing, with %s (report 71)',
    async (preset) => {
      const session = new Session().user('Go.');
      for (let at = 0; at < 15; at += 1) session.read(`file-${at}`, `line ${at}`).says('Ok.');
      const file = put('small.json', session.says('Done.').bytes);
      const ran = await ctx(['compact', file, '-p', preset, '--window', '1000', '--json']);
      const { tokens, bytes } = JSON.parse(ran.out) as Report;
      expect(ran.code).toBe(0);
      expect(tokens.after).toBeLessThanOrEqual(tokens.before);
      expect(bytes.after <= bytes.before || tokens.after < tokens.before).toBe(true);
      if (tokens.saved === 0) expect(names()).toEqual(['small.json']);
    },
  );
});
