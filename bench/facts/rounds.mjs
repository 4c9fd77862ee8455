// Five rounds of compaction, as a client lives them: a piece of session, compact, the next piece, compact again.
import { compact } from '../../dist/index.js';
import { KINDS } from './canary.mjs';
import { behindRefs, visibleText } from './seen.mjs';

/** Window in tokens: smaller than what two pieces add, so that each condition holds from the second round on. */
const WINDOW = 60_000;
/** Share of user rules that must stay, by what became of the worst treated message of a user. */
const RULES_BAR = { kept: 1, summarized: 0.95, dropped: 0 };

/**
 * @param {{ name: string, steps: object[] }[]} sets
 * @param {object[]} sessions
 * @returns {Promise<object[]>} one row for each set of steps
 */
export async function measureRounds(sets, sessions) {
  const whole = await Promise.all(sessions.map(tokensOf));
  const rows = [];
  for (const set of sets) {
    try {
      const runs = [];
      for (const session of sessions) runs.push(await fiveRounds(set, session));
      rows.push(row(set, runs, whole));
    } catch (cause) {
      // The other sets are still worth their figures.
      rows.push({ name: set.name, failed: cause.message });
    }
  }
  return rows;
}

async function fiveRounds({ steps }, session) {
  let bytes = Buffer.alloc(0);
  let stash;
  let tokens = 0;
  let users = 'kept';
  for (const piece of session.pieces) {
    bytes = Buffer.concat([bytes, Buffer.from(piece)]);
    const made = await compact(bytes, {
      steps,
      window: WINDOW,
      now: '2026-01-01T00:00:00.000Z',
      ...(stash === undefined ? {} : { stash }),
    });
    bytes = made.bytes;
    stash = made.stash ?? stash;
    tokens = made.report.tokens.after;
    users = worst(users, made.report.blocks);
  }
  const text = visibleText(bytes);
  const originals = behindRefs(text, stash);
  const facts = session.canaries.map((canary) => {
    const seen = text.includes(canary.core);
    return {
      ...canary,
      seen,
      recovered: seen || originals.some((original) => original.includes(canary.core)),
    };
  });
  return { tokens, users, facts };
}

/** What became of the texts that a user typed, over all rounds: the row of a removed message says it. */
function worst(before, blocks) {
  const actions = blocks
    .filter(({ role, kind }) => role === 'user' && kind === 'text')
    .map(({ action }) => action);
  const order = ['kept', 'summarized', 'dropped'];
  const found = actions.map((action) => {
    if (action === 'summarized') return 'summarized';
    return ['dropped', 'removed', 'truncated'].includes(action) ? 'dropped' : 'kept';
  });
  return order[Math.max(order.indexOf(before), ...found.map((name) => order.indexOf(name)))];
}

function row({ name }, runs, whole) {
  const facts = runs.flatMap((run) => run.facts);
  const visible = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      share(
        facts.filter((fact) => fact.kind === kind),
        'seen',
      ),
    ]),
  );
  const users = runs.map((run) => run.users).reduce((one, other) => worstOf(one, other));
  return {
    name,
    kept: sum(runs.map(({ tokens }) => tokens)) / sum(whole),
    visible,
    all: share(facts, 'seen'),
    recoverable: share(facts, 'recovered'),
    users,
    bar: RULES_BAR[users],
    lost: facts.filter(({ recovered }) => !recovered),
  };
}

function share(list, key) {
  return list.filter((fact) => fact[key]).length / list.length;
}

function worstOf(one, other) {
  const order = Object.keys(RULES_BAR);
  return order[Math.max(order.indexOf(one), order.indexOf(other))];
}

/** Tokens of a session that nobody compacts. */
async function tokensOf({ pieces }) {
  const steps = [['drop', 'toolResults:contextUtilization=100%']];
  const { report } = await compact(Buffer.from(pieces.join('')), { steps, window: 1_000_000_000 });
  return report.tokens.before;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
