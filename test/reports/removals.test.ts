import { describe, expect, it } from 'vitest';
import { Session } from '../masking/build.ts';
import { ctx, useFolder } from '../support/cli.ts';
import { read } from '../support/read.ts';
import { longText } from '../support/session.ts';
import { compacted } from './support.ts';

useFolder();

const MEMORY = longText('the customer prefers letters', 80);
const TOOL = 'mcp__memory__read_graph';

function session(): Session {
  const made = new Session().user('Write to the customer.');
  made.calls({ name: TOOL, result: MEMORY }).says('I know the customer.');
  for (let round = 0; round < 12; round += 1)
    made.read(`${round}.md`, longText(`letter_${round}`, 200 + round)).says(`Read ${round}.`);
  return made.user('And?').says('Written.').user('Thanks.').says('Welcome.');
}

function results(bytes: Uint8Array): Map<string, string> {
  return new Map(
    read(bytes).flatMap(({ blocks }) =>
      blocks.flatMap(({ kind, id, text }) =>
        kind === 'result' && id !== undefined ? [[id, text]] : [],
      ),
    ),
  );
}

/** Steps that clear the memory when nothing protects it, and how many results they take then. */
const STEPS: readonly (readonly [string, number, readonly string[]])[] = [
  ['drop of results', 13, ['--drop', 'toolResults']],
  ['truncate of results', 13, ['--truncate', 'toolResults:blockThreshold=500,previewTokens=100']],
  ['summarize of results', 13, ['--summarize', 'toolResults']],
  ['staleToolCleanup', 8, ['--preset', 'staleToolCleanup']],
  [
    'masking of a declared read',
    13,
    ['--preset', 'observation-masking', '--effect', `${TOOL}=read`],
  ],
  ['algorithmic', 13, ['--preset', 'algorithmic']],
  ['lean', 3, ['--preset', 'lean']],
  ['archive', 13, ['--preset', 'archive']],
  ['drop of messages', 13, ['--drop', '*:preserveRecent=2']],
  ['native-history', 13, ['--preset', 'native-history']],
];

describe.each(STEPS)('%s', (_name, taken, argv) => {
  it('shows each result that left, with a ref that brings it back (report 91)', async () => {
    const input = session().bytes;
    const done = await compacted('s.json', input, argv);
    const after = results(done.bytes);
    const changed = [...results(input)].filter(([id, text]) => after.get(id) !== text);
    expect(changed).toHaveLength(taken);
    const rows = done.report.blocks.filter(
      ({ kind, action }) => kind === 'toolResult' && action !== 'kept',
    );
    expect(rows.map(({ callId }) => callId)).toEqual(changed.map(([id]) => id));
    for (const [at, [, text]] of changed.entries()) {
      const ref = rows[at]?.ref ?? '';
      expect(done.text).toContain(`[ref: ${ref}]`);
      const back = await ctx(['retrieve', ref, '--stash', 'out-s.json.stash']);
      // Of removed messages come the records as they were.
      expect([text, JSON.stringify(text)].some((form) => back.out.includes(form))).toBe(true);
    }
  });

  it('leaves the results of a protected tool, and says so (report 91)', async () => {
    const done = await compacted('s.json', session().bytes, [
      ...argv,
      '--protect',
      `tool::${TOOL}`,
    ]);
    expect(results(done.bytes).get('call_1')).toBe(MEMORY);
    const row = done.report.blocks.find(
      (one) => one.kind === 'toolResult' && one.callId === 'call_1',
    );
    expect(row).toMatchObject({ action: 'kept', reason: 'protected', rule: `tool::${TOOL}` });
    const rows = done.report.blocks.filter(
      ({ kind, action }) => kind === 'toolResult' && action !== 'kept',
    );
    expect(rows).toHaveLength(taken - 1);
  });
});
