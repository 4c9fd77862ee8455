import { expect } from 'vitest';
import { type Compacted, restore, retrieve } from '../../src/index.ts';
import { orphans, read, refs } from './read.ts';
import {
  assistant,
  type Content,
  call,
  filler,
  pinned,
  png,
  result,
  type Turn,
  user,
} from './transcripts.ts';

/** Sessions made by a dice, and the promises that every compaction of one must keep. */

/** A small deterministic generator: the same sessions and steps on every machine. */
export function dice(seed: number): (sides: number) => number {
  let state = seed * 2654435761 + 1;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const STRICT: readonly string[] = ['strands-ts', 'converse'];
const SIZES = [1, 10, 40, 100, 300, 900, 2600];

/** With `repeats`, texts and files come up again, as they do in long sessions. */
export function session(roll: (sides: number) => number, name: string, repeats = false): Turn[] {
  const rich = name !== 'codex';
  let calls = 0;
  let number = 0;
  const text = () => {
    if (repeats && number > 0 && roll(3) === 0) return filler(300, `n${1 + roll(number)}`);
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
        turns.push(
          repeats
            ? call(id, ['Read', 'Write', 'Edit'][roll(3)] as string, {
                file_path: `f${roll(3)}.ts`,
                content: text(),
              })
            : call(id, ['Bash', 'Read'][roll(2)] as string, { x: text() }),
        );
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

export function check(name: string, input: Buffer, done: Compacted): void {
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
