// npm run bench:facts -- [--quick] [--seed N] [--set held-out|tuning|both] [--missed] [--write]
// What compaction leaves of facts that were put into self-made sessions. Exit 1 when a bar is missed.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureExtractive } from './facts/extract.mjs';
import { HELD_OUT } from './facts/families/held-out/index.mjs';
import { TUNING } from './facts/families/tuning/index.mjs';
import { measureRounds } from './facts/rounds.mjs';
import { makeSession } from './facts/session.mjs';
import { stepSets } from './facts/step-sets.mjs';
import {
  extractTable,
  factsOf,
  missedBars,
  missedLines,
  placeTable,
  roundsTable,
} from './facts/tables.mjs';

const SETS = { 'held-out': HELD_OUT, tuning: TUNING };
/** Sessions of each family; so many that each kind comes at least 200 times, decisions also inside results. */
const SEEDS = { 'held-out': 4, tuning: 5 };
const PAGE = new URL('../docs/quality.md', import.meta.url);

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    set: { type: 'string', default: 'both' },
    missed: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const names = values.set === 'both' ? Object.keys(SETS) : [values.set];
if (!Number.isInteger(seed) || seed < 0 || names.some((name) => !(name in SETS))) {
  process.stderr.write(
    'usage: facts.mjs [--quick] [--seed N] [--set held-out|tuning|both] [--missed] [--write]\n',
  );
  process.exit(2);
}

const parts = [];
const missed = [];
for (const name of names) {
  const sessions = sessionsOf(name);
  show(`${factsOf(name, seed, sessions)}\n`);
  // The rounds are told on one session of each family: more of them change no figure by a percent.
  const rounds = await measureRounds(stepSets(), oneEach(sessions));
  show(`\n### Five rounds, ${name}\n\n${roundsTable(rounds)}\n`);
  const extracts = await measureExtractive(sessions);
  show(`\n### Extractive summarizer at 15 %, ${name}\n\n${extractTable(extracts)}\n`);
  show(`\nBy place in the block, all kinds that it is meant for:\n\n${placeTable(extracts)}\n\n`);
  // Who sees held-out lines tunes on them.
  if (values.missed && name === 'tuning') process.stdout.write(`${missedLines(extracts)}\n`);
  missed.push(...missedBars(name, rounds, extracts));
}
if (values.write) writePage(parts.join('').trim());
process.stdout.write(missed.length === 0 ? 'all bars are met\n' : `missed: ${missed.join('; ')}\n`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** With --quick two families and one session of each. */
function sessionsOf(name) {
  const families = values.quick ? SETS[name].slice(0, 2) : SETS[name];
  const count = values.quick ? 1 : SEEDS[name];
  return families.flatMap((family) =>
    Array.from({ length: count }, (_, index) => makeSession(family, seed + index)),
  );
}

function oneEach(sessions) {
  return sessions.filter(
    ({ family }, index) => sessions.findIndex((other) => other.family === family) === index,
  );
}

function show(text) {
  parts.push(text);
  process.stdout.write(text);
}

/** Replaces what stands between the two marks of the page. */
function writePage(text) {
  const page = readFileSync(PAGE, 'utf8');
  const marks = /(<!-- figures -->\n)[\s\S]*(<!-- end of figures -->)/;
  if (!marks.test(page)) throw new Error('docs/quality.md has no marks for the figures');
  writeFileSync(
    PAGE,
    page.replace(marks, (_, start, end) => `${start}\n${text}\n\n${end}`),
  );
}
