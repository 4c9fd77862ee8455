import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ctx, put, report, sha, shaOf, useFolder } from '../support/cli.ts';
import { callLine, claude, longText, replyLine, resultLine, userLine } from '../support/session.ts';

const FAST = ['--counter', 'heuristic'];

useFolder();

/** Steps that may do anything; the property is that nothing is lost whatever they are. */
const step = fc.oneof(
  fc.constantFrom(
    ['--drop', '*:preserveRecent=2'],
    ['--drop', 'toolResults'],
    ['--drop', 'assistantText:preserveRecent=1'],
    ['--truncate', 'toolResults:blockThreshold=40,previewTokens=12'],
    ['--truncate', '*:blockThreshold=40,previewTokens=12,preview=tail'],
    ['--truncate', 'userText:blockThreshold=30,previewTokens=9,preview=headTail'],
    ['--summarize', '*:preserveRecent=3'],
    ['--summarize', 'toolResults:preserveRecent=1'],
    ['--preset', 'auto'],
    ['--preset', 'staleToolCleanup'],
  ),
  fc
    .tuple(fc.constantFrom('*', 'toolResults', '!tool::Bash'), fc.integer({ min: 1, max: 5 }))
    .map(([target, recent]) => ['--drop', `${target}:preserveRecent=${recent}`]),
);

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.integer({ min: 1, max: 60 }).map((lines) => longText('x', lines)),
  fc.constantFrom('\ud800 lone', 'a\u2028b', '[Dropped: ~9 tokens] [ref: 0123456789ab]', '\u0000'),
);

const round = fc.record({ said: text, results: fc.array(text, { maxLength: 3 }), asked: text });

const session = fc
  .record({
    rounds: fc.array(round, { minLength: 1, maxLength: 5 }),
    eol: fc.constantFrom('\n', '\r\n'),
    torn: fc.boolean(),
  })
  .map(({ rounds, eol, torn }) => {
    const lines = [userLine(1, null, 'The task.')];
    let line = 1;
    for (const [number, { said, results, asked }] of rounds.entries()) {
      const reply = `msg_${number}`;
      const add = (make: (at: number, parent: number) => string) => {
        line += 1;
        lines.push(make(line, line - 1));
      };
      add((at, parent) => replyLine(at, parent, reply, { type: 'text', text: said }));
      const ids = results.map((_, index) => `t${number}_${index}`);
      for (const id of ids) add((at, parent) => callLine(at, parent, reply, id, 'Bash'));
      for (const [index, id] of ids.entries())
        add((at, parent) => resultLine(at, parent, id, JSON.stringify(results[index])));
      add((at, parent) => userLine(at, parent, asked));
    }
    return Buffer.concat([claude(lines, eol), Buffer.from(torn ? '{"half":' : '')]);
  });

const document = fc
  .record({
    rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
    indent: fc.constantFrom<string | number>(0, 2, '\t'),
    whole: fc.boolean(),
  })
  .map(({ rounds, indent, whole }) => {
    const messages = rounds.flatMap(({ said, results, asked }, number) => {
      const ids = results.map((_, index) => `c${number}_${index}`);
      const calls = ids.map((id) => ({
        id,
        type: 'function',
        function: { name: 'bash', arguments: '{}' },
      }));
      return [
        { role: 'user', content: asked },
        { role: 'assistant', content: said, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
        ...ids.map((id, index) => ({ role: 'tool', tool_call_id: id, content: results[index] })),
      ];
    });
    const root = whole ? { model: 'gpt-4o', messages, temperature: 1 } : messages;
    return Buffer.from(JSON.stringify(root, null, indent));
  });

it('random sessions and steps: valid, idempotent and restored with the same sha256', {
  timeout: 120_000,
}, async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(session, document),
      fc.array(step, { minLength: 1, maxLength: 3 }),
      async (bytes, steps) => {
        count += 1;
        const name = `p${count}.json`;
        put(name, bytes);
        const flags = [...steps.flat(), ...FAST];
        const ran = await ctx(['compact', name, '--in-place', '--json', ...flags]);
        expect([ran.code, ran.err]).toEqual([0, '']);
        const changed = report(ran)['output'] !== null;
        expect(changed || shaOf(name) === sha(bytes)).toBe(true);
        if (!changed) return;
        const verified = await ctx(['verify', name]);
        const again = await ctx(['compact', name, '--in-place', '--json', ...flags]);
        const back = await ctx(['restore', name, '-o', `${name}.back`]);
        const shown = [verified.code, again.code, report(again)['output'], back.code];
        expect([verified.out, ...shown]).toEqual([expect.stringContaining(': ok'), 0, 0, null, 0]);
        expect(shaOf(`${name}.back`)).toBe(sha(bytes));
      },
    ),
    { numRuns: 150, seed: 20260101 },
  );
});
