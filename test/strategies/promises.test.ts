import { describe, expect, it } from 'vitest';
import {
  type Compacted,
  type MemoryOptions,
  restore,
  retrieve,
  type Step,
} from '../../src/index.ts';
import { orphans, read, refs } from '../support/read.ts';
import { again, run } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  type Content,
  call,
  filler,
  pinned,
  png,
  result,
  type Turn,
  user,
} from '../support/transcripts.ts';

/** A small deterministic generator: the same sessions and steps on every machine. */
function dice(seed: number): (sides: number) => number {
  let state = seed * 2654435761 + 1;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const STRICT: readonly string[] = ['strands-ts', 'converse'];
const SIZES = [1, 10, 40, 100, 300, 900, 2600];

function session(roll: (sides: number) => number, name: string): Turn[] {
  const rich = name !== 'codex';
  let calls = 0;
  let number = 0;
  const text = () => {
    number += 1;
    return filler(SIZES[roll(SIZES.length)] as number, `n${number}`);
  };
  const content = (): Content => {
    const image = png(100 + roll(3) * 400, 300, roll(3));
    return rich && roll(4) === 0 ? [{ text: text() }, { image }] : text();
  };
  const turns: Turn[] = [user('the task')];
  const rounds = 2 + roll(6);
  for (let round = 0; round < rounds; round += 1) {
    for (let step = roll(4); step > 0; step -= 1) {
      if (roll(2) === 0) turns.push(assistant(text()));
      const width = 1 + roll(3);
      const ids = Array.from({ length: width }, () => {
        calls += 1;
        return `t${calls}`;
      });
      for (const id of ids)
        turns.push(call(id, ['Bash', 'Read'][roll(2)] as string, { x: text() }));
      // A person may write before the results are there, where roles need not alternate.
      if (!STRICT.includes(name) && roll(4) === 0) turns.push(user(text()));
      for (const id of ids) turns.push(result(id, content(), rich && roll(4) === 0));
    }
    const said = assistant(text());
    turns.push(rich && roll(8) === 0 ? pinned(said) : said);
    const asked = user(content());
    turns.push(rich && roll(8) === 0 ? pinned(asked) : asked);
  }
  // A live end that nobody has answered.
  if (roll(3) === 0) turns.push(call('end', 'Bash', { x: text() }));
  if (roll(3) === 0 && turns.at(-1)?.type === 'call') turns.push(result('end', text()));
  return turns;
}

const TARGETS = [
  'toolResults',
  'toolResultErrors',
  'assistantText',
  'userText',
  'tool::Bash',
  '!tool::Bash',
];
const CONDITIONS = [
  'preserveRecent=2',
  'preserveRecent=50%',
  'preserveRecent=30%,blockThreshold=200',
  'contextUtilization=20%',
  'contextUtilization=50%,preserveRecent=3',
];

function step(roll: (sides: number) => number): Step {
  const method = (['drop', 'truncate', 'summarize'] as const)[roll(3)] as 'drop';
  const conditions = CONDITIONS[roll(CONDITIONS.length)] as string;
  const preview = (method as string) === 'truncate' ? ',previewTokens=60' : '';
  const all = roll(3);
  if (all === 0) return [method, `*:${conditions}${preview}`];
  if (all === 1 && roll(3) === 0 && method === 'drop') return [method, `media:${conditions}`];
  return [method, `${TARGETS[roll(TARGETS.length)]}:${conditions}${preview}`];
}

function check(name: string, input: Buffer, done: Compacted): void {
  const { report } = done;
  const wrong: string[] = [];
  if (orphans(done.bytes).join() !== orphans(input).join()) wrong.push('orphans');
  if (report.tokens.after > report.tokens.before) wrong.push('larger');
  if (
    report.tokens.after !==
    report.blocks.filter(({ live }) => live).reduce((sum, row) => sum + row.tokensAfter, 0)
  )
    wrong.push('the column does not add up');
  if (done.stash === null) {
    if (!done.bytes.equals(input)) wrong.push('changed without a stash');
  } else {
    if (!restore(done.bytes, done.stash).equals(input)) wrong.push('not restored');
    for (const ref of refs(done.bytes)) {
      const found = retrieve(done.stash, ref);
      if (found.type === 'text' && /^\[(Dropped|Truncated|Summarized)/.test(found.text))
        wrong.push('a placeholder was served');
    }
  }
  const roles = read(done.bytes).map(({ role }) => role);
  if (STRICT.includes(name) && roles.some((role, index) => index > 0 && role === roles[index - 1]))
    wrong.push('roles do not alternate');
  expect(wrong).toEqual([]);
}

describe.each(Object.entries(BUILDERS))('promises over made sessions: %s', (name, build) => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('seed %i', async (seed) => {
    const roll = dice(seed + 1);
    const input = build(session(roll, name));
    const steps = Array.from({ length: 1 + roll(3) }, () => step(roll));
    const options: MemoryOptions = {
      window: [3000, 8000, 100_000][roll(3)] as number,
      emergency: roll(3) === 0,
      hint: roll(2) === 0 ? 'cli' : 'none',
    };
    const done = await run(input, steps, options);
    check(name, input, done);
    const more = await again(done, steps, options);
    expect(`${JSON.stringify(steps)} ${more.stash === null && more.bytes.equals(done.bytes)}`).toBe(
      `${JSON.stringify(steps)} true`,
    );
    expect(more.report.tokens.before).toBe(done.report.tokens.after);
    expect((await run(input, steps, options)).bytes.equals(done.bytes)).toBe(true);
  });
});
