import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ctx, put, refsOf, report, sha, shaOf, useFolder } from '../support/cli.ts';
import { resultText } from '../support/read.ts';
import { callLine, claude, longText, replyLine, resultLine, userLine } from '../support/session.ts';
import { assistant, BUILDERS, call, filler, result, user } from '../support/transcripts.ts';

useFolder();

const FAST = ['--counter', 'heuristic', '--window', '200k'];

describe('one line of several megabytes', () => {
  const OUT = longText('out', 100_000);
  const lines = [
    userLine(1, null, 'Run it.'),
    callLine(2, 1, 'm1', 't1', 'Bash', { command: 'run' }),
    resultLine(3, 2, 't1', JSON.stringify(OUT), {
      raw: `"toolUseResult":{"stdout":${JSON.stringify(OUT)},"stderr":""}`,
    }),
    replyLine(4, 3, 'm2', { type: 'text', text: 'Done.' }),
    userLine(5, 4, 'Thanks.'),
  ];

  // What is quadratic takes minutes.
  it('is shortened in both places and comes back, in linear time (report 79)', {
    timeout: 10_000,
  }, async () => {
    const input = claude(lines);
    expect(lines[2]?.length).toBeGreaterThan(7_000_000);
    put('s.jsonl', input);
    const steps = [
      '--truncate',
      'toolResults:blockThreshold=2000,previewTokens=500',
      '--ui-copies',
    ];
    const ran = await ctx(['compact', 's.jsonl', '--json', ...steps, ...FAST]);
    expect([ran.code, report(ran)['verify']]).toEqual([0, { ok: true, violations: [] }]);
    const output = readFileSync('s.compact.jsonl');
    expect(output.length).toBeLessThan(6000);
    const written = output.toString().split('\n');
    expect(written.toSpliced(2, 1)).toEqual([...lines.toSpliced(2, 1), '']);
    const [ref = ''] = refsOf(ran);
    expect(resultText(output, 't1')).toContain(`[ref: ${ref}]`);
    const stash = ['--stash', 's.compact.jsonl.stash'];
    expect((await ctx(['retrieve', ref, ...stash])).out).toBe(OUT);
    expect((await ctx(['restore', 's.compact.jsonl', '-o', 'back.jsonl'])).code).toBe(0);
    expect(shaOf('back.jsonl')).toBe(sha(input));
  });
});

describe('a file that is longer than a string may be', () => {
  /** Stands for the longest string of the engine. The first 1 MiB is looked at when a format is detected. */
  const LONGEST = 1_100_000;
  const { toString: print } = Buffer.prototype;
  const { decode } = TextDecoder.prototype;
  const refuse = (length: number) => {
    if (length > LONGEST) throw new RangeError('Invalid string length');
  };
  const limit = () => {
    Buffer.prototype.toString = function limited(
      this: Buffer,
      encoding?: BufferEncoding,
      start = 0,
      end = this.length,
    ) {
      refuse(end - start);
      return print.call(this, encoding, start, end);
    };
    TextDecoder.prototype.decode = function limited(input, options) {
      refuse(input?.byteLength ?? 0);
      return decode.call(this, input, options);
    };
  };
  const lift = () => {
    Buffer.prototype.toString = print;
    TextDecoder.prototype.decode = decode;
  };
  beforeEach(lift);
  afterEach(lift);

  const turns = Array.from({ length: 200 }, (_, index) => `t${index}`).flatMap((id) => [
    call(id, 'Bash', { id }),
    result(id, filler(10_000, id)),
  ]);

  it.each(Object.entries(BUILDERS))(
    '%s: is compacted, checked and restored (report 83)',
    async (_name, build) => {
      const input = build([user('Begin.'), ...turns, assistant('Done.'), user('Thanks.')]);
      expect(input.length).toBeGreaterThan(7 * LONGEST);
      put('s.json', input);
      const before = sha(input);
      limit();
      expect(() => input.toString('utf8')).toThrow('Invalid string length');
      const drop = ['--drop', 'toolResults:preserveRecent=100'];
      const compacted = await ctx(['compact', 's.json', ...drop, ...FAST]);
      const verified = await ctx(['verify', 's.compact.json']);
      const restored = await ctx(['restore', 's.compact.json', '-o', 'back.json']);
      lift();
      expect(
        [compacted, verified, restored].map(({ code, err }) => [code, err.includes('ctx:')]),
      ).toEqual([
        [0, false],
        [0, false],
        [0, false],
      ]);
      const output = readFileSync('s.compact.json');
      expect(resultText(output, 't99')).toMatch(
        /^\[Dropped: ~10,000 tokens\] \[ref: [0-9a-f]{12}\]$/,
      );
      expect(resultText(output, 't100')).toBe(filler(10_000, 't100'));
      expect(shaOf('back.json')).toBe(before);
    },
  );
});
