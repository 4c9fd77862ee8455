import { expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { useFolder } from '../support/cli.ts';
import { texts } from '../support/read.ts';
import { compacted } from './support.ts';

useFolder();

const PUSH = 'git push origin release-4';
const PUBLISH = 'npm publish --tag latest';
const REFUSED = 'npm ERR! 403 Forbidden';
const OPEN = 'TODO: backfill the index of orders.';
const SENT = 'Sent the mail to the team.';

function read(number: number) {
  const input = { file_path: `${number}.ts` };
  return { name: 'Read', input, result: tokensOf(900, `value_${number}`) };
}

function bash(command: string, result: string, failed = false) {
  return { name: 'Bash', input: { command }, result, failed };
}

/** What was asked for in one turn: some of it done, one thing refused, one never begun. */
function session(): Session {
  const file = { file_path: 'NOTES.md', content: 'Version 4' };
  return new Session()
    .user('Release version 4: write the notes, push, publish, tell the team, backfill the index.')
    .calls(read(1))
    .calls({ name: 'Write', input: file, result: 'File created successfully at: NOTES.md' })
    .calls(bash(PUSH, ' * [new branch] release-4 -> release-4'))
    .calls({ name: 'mcp__mail__send', input: { subject: 'Version 4 is out' }, result: 'sent' })
    .says(SENT)
    .calls(read(2))
    .calls(bash(PUBLISH, REFUSED, true))
    .says(OPEN)
    .says(tokensOf(200, 'talk'))
    .user('And?')
    .says('Wait.')
    .user('Thanks.')
    .says('Welcome.');
}

/** Lines of each section of a capsule, without what names their source. */
function sections(capsule: string): ReadonlyMap<string, string> {
  const parts = capsule.split('\n\n').slice(2);
  return new Map(
    parts.map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return [title, lines.join('\n')];
    }),
  );
}

it('a capsule lists finished work apart from what is open, and a refused call not as done (report 92)', async () => {
  const done = await compacted('s.json', session().bytes, ['--preset', 'native-history']);
  const capsule = texts(done.bytes).find((text) => text.startsWith('[Summarized: ')) ?? '';
  const found = sections(capsule);
  const where = (text: string) =>
    [...found].flatMap(([title, lines]) => (lines.includes(text) ? [title] : []));
  expect(
    [SENT, PUSH, 'NOTES.md","content', 'Version 4 is out', OPEN, PUBLISH, REFUSED].map(where),
  ).toEqual([
    ['Completed work:'],
    ['Action receipts:'],
    ['Action receipts:'],
    ['Action receipts:'],
    ['Active work:'],
    ['Uncertainties:'],
    ['Uncertainties:'],
  ]);
});

it.each(['observation-masking', 'structured-summary'])(
  '%s leaves calls that had an effect, and what they answered, where they were (report 92)',
  async (preset) => {
    const input = session();
    const done = await compacted('s.json', input.bytes, ['--preset', preset]);
    const written = JSON.parse(done.text) as Session;
    const effects = input.messages.filter(({ content }) =>
      /"(?:Write|Bash|mcp__mail__send)"|call_[2346]"|TODO/.test(JSON.stringify(content)),
    );
    expect(effects).toHaveLength(9);
    expect(written.messages.filter((message) => contains(effects, message))).toEqual(effects);
    const masked = texts(done.bytes).filter((text) => text.startsWith('[Masked: '));
    expect(masked).toHaveLength(2);
  },
);

it('a call that nobody has answered stays open: no summary tells it as done (report 92)', async () => {
  const open = { name: 'Bash', input: { command: 'npm run deploy' } };
  const made = session().calls(open).user('Is it out?').says('I look.').user('Well?').says('Soon.');
  const done = await compacted('s.json', made.bytes, ['--preset', 'native-history']);
  const written = JSON.parse(done.text) as Session;
  const call = made.messages.find(({ content }) => JSON.stringify(content).includes('deploy'));
  expect(contains(written.messages, call)).toBe(true);
  const capsule = texts(done.bytes).find((text) => text.startsWith('[Summarized: ')) ?? '';
  expect(capsule).toContain(PUSH);
  expect(capsule).not.toContain('npm run deploy');
});

function contains(messages: readonly unknown[], message: unknown): boolean {
  return messages.some((other) => JSON.stringify(other) === JSON.stringify(message));
}
