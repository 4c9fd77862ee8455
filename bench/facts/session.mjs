// A seeded Claude Code session of one family, in pieces: one for each round of compaction.
import { dice } from '../../scripts/samples/dice.mjs';
import { canaries } from './canary.mjs';
import { draw } from './draw.mjs';
import { output } from './output.mjs';
import { recorder } from './records.mjs';

const TURNS = 4;
const STEPS = 5;

/**
 * @param {object} family
 * @param {number} seed
 * @param {number} rounds pieces of the session
 * @returns {{ family: string, seed: number, pieces: string[], canaries: object[] }}
 */
export function makeSession(family, seed, rounds = 5) {
  // A filler line may repeat a core by chance. Then the session says a fact twice, and is drawn again.
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const made = draft(family, seed * 1009 + attempt, rounds);
    if (once(made)) return { family: family.name, seed, ...made };
  }
  throw new Error(`${family.name}: no session of seed ${seed} says each fact once`);
}

function draft(family, seed, rounds) {
  const g = draw(dice(seed));
  const facts = canaries(g);
  const record = recorder(g);
  const pieces = Array.from({ length: rounds }, (_, round) => {
    const lines = [];
    for (let turn = 0; turn < TURNS; turn += 1)
      lines.push(...oneTurn({ g, facts, record, family, where: { round } }, round + turn === 0));
    return lines.join('');
  });
  return { pieces, canaries: facts.list };
}

/** A prompt, steps with a call each, an edit that a later one replaces, and a closing word. */
function* oneTurn(story, first) {
  const { g, record, family, facts, where } = story;
  yield record.user(prompt(story, first));
  const edit = family.edits(g);
  for (let step = 0; step < STEPS; step += 1) {
    const made = output(story);
    yield* record.call(say(story), made.tool, made.input, made.text, made.failed);
    if (step === 1) yield* change(story, edit.path, edit.old, edit.early);
  }
  const late = facts.put('edit', [() => edit.late], 'tail', where);
  yield* change(story, edit.path, edit.early, late);
  yield record.say(say(story));
}

function* change({ g, record, family }, path, before, after) {
  const input = { file_path: path, old_string: before, new_string: after };
  yield* record.call(
    g.pick(family.narration)(g),
    'Edit',
    input,
    `The file ${path} has been updated successfully.`,
    false,
  );
}

/** What the user writes: an errand, some talk, and a rule at its start, in its midst or at its end. */
function prompt({ g, facts, family, where }, first) {
  const parts = [
    ...(first ? [family.opening(g)] : []),
    ...Array.from({ length: g.int(2, 4) }, () => g.pick(family.talk)(g)),
  ];
  const place = g.pick(['head', 'middle', 'tail']);
  const at = { head: 0, middle: Math.ceil(parts.length / 2), tail: parts.length }[place];
  parts.splice(at, 0, facts.put('rule', family.rules, place, where));
  return parts.join(g.pick([' ', '\n', '\n\n']));
}

/** What the assistant says before a call; now and then it decides something. */
function say({ g, facts, family, where }) {
  const parts = Array.from({ length: g.int(1, 3) }, () => g.pick(family.narration)(g));
  if (g.chance(0.17)) {
    const at = g.int(0, parts.length);
    parts.splice(at, 0, facts.put('decision', family.decisions, 'middle', where));
  }
  return parts.join(g.pick([' ', '\n\n']));
}

function once({ pieces, canaries: list }) {
  const text = pieces.join('');
  return list.every(({ core }) => text.indexOf(core) === text.lastIndexOf(core));
}
