import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { useFolder } from '../support/cli.ts';
import { read } from '../support/read.ts';
import { compacted } from './support.ts';

useFolder();

/** Sentences that bind, one of each form. */
const RULES = [
  'You must run the migration before the deploy.',
  'You must not write to the replica.',
  'Never commit to the branch release/4.',
  'Always ask before you push.',
  'Only edit files under src/import.',
  "Don't rename public functions.",
  'The job shall end within 90 seconds.',
  'Do not upgrade the driver unless the pool is drained.',
  'Under no circumstances may a customer be billed twice.',
  'The token cannot be logged, not even its first letters.',
  'Keep the header order as it is.',
  'At most 3 retries are allowed.',
] as const;

function session(rules: readonly string[]): Session {
  const made = new Session().user('Mend the importer.').says('I start.');
  for (const [round, rule] of rules.entries()) {
    made.user(rule).says(`I may look at part ${round}. ${tokensOf(60, 'narration')}`);
    made.read(`src/${round}.ts`, tokensOf(400, `value_${round}`)).says(`Part ${round} is read.`);
  }
  return made.user('And now?').says('Nothing more.').user('Thanks.').says('Welcome.');
}

/** A rule in the middle of a paragraph that is one line. */
function inParagraph(rule: string): string {
  const before = 'We had some trouble with this part of the shop in spring, as you may know. ';
  const after = ' It is an old story, and many people were in it at the time.';
  return `${before.repeat(9)}${rule}${after.repeat(5)}`;
}

const MANY = Array.from(
  { length: 40 },
  (_, n) => `You must never touch the table orders_${n} of shard ${n * 7}.`,
);

const TEXTS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['12 forms, a message each', RULES, RULES],
  ['12 forms, each inside a long paragraph', RULES, RULES.map(inParagraph)],
  ['40 rules that look alike', MANY, MANY],
];

/** Steps that take user text out of the prompt. */
const STEPS: readonly (readonly [string, readonly string[]])[] = [
  ['auto in a full window', ['--preset', 'auto', '--window', '6000']],
  ['agentic in a full window', ['--preset', 'agentic', '--window', '5900']],
  ['native-history', ['--preset', 'native-history']],
  ['summarize', ['--summarize', '*:preserveRecent=4']],
];

describe.each(STEPS)('%s', (_step, argv) => {
  it.each(TEXTS)('quotes %s, word for word (report 90)', async (_text, rules, said) => {
    const done = await compacted('s.json', session(said).bytes, argv);
    const sent = messagesIn(done.bytes);
    expect(sent.some((text) => said.slice(0, -1).includes(text))).toBe(false);
    const summary = sent.filter((text) => text.startsWith('[Summarized: ')).join('\n');
    expect(rules.filter((rule) => !summary.includes(rule))).toEqual([]);
  });
});

it('a rule stands in a capsule under its own heading, not among the facts (report 90)', async () => {
  const done = await compacted('s.json', session(RULES).bytes, ['--preset', 'native-history']);
  const capsules = messagesIn(done.bytes).filter((text) => text.startsWith('[Summarized: '));
  const parts = capsules.flatMap((text) => text.split('\n\n'));
  const constraints = parts.filter((part) => part.startsWith('Constraints:\n')).join('\n');
  expect(RULES.filter((rule) => !constraints.includes(rule))).toEqual([]);
});

it('rules of a first run are still quoted after a second one on the grown session (report 90)', async () => {
  const argv = ['--summarize', '*:preserveRecent=4'];
  const first = await compacted('s.json', session(RULES).bytes, argv);
  const { messages } = JSON.parse(first.text) as Session;
  const grown = session(MANY);
  grown.messages.unshift(...messages);
  copyFileSync('out-s.json.stash', 't.json.stash');
  const second = await compacted('t.json', grown.bytes, argv);
  const sent = messagesIn(second.bytes).filter((text) => text.startsWith('[Summarized: '));
  expect(sent).toHaveLength(2);
  const quoted = sent.join('\n');
  expect([...RULES, ...MANY].filter((rule) => !quoted.includes(rule))).toEqual([]);
});

function messagesIn(bytes: Uint8Array): string[] {
  return read(bytes).map(({ blocks }) => blocks.map(({ text }) => text).join('\n'));
}
