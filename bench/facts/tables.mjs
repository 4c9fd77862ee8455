// The figures as Markdown tables, and the bars that they are held to.
import { KINDS, MEANT } from './canary.mjs';
import { census } from './census.mjs';

const EXTRACTIVE_BAR = 0.9;
const MANY = 200;

/** How large the set is: sessions, tokens, the share of canaries and how many there are of each kind. */
export function factsOf(name, seed, sessions) {
  const { share, tokens, counts } = census(sessions);
  const kinds = KINDS.map((kind) => `${kind} ${counts[kind]}`).join(', ');
  const few = KINDS.filter((kind) => counts[kind] < MANY);
  const note = few.length === 0 ? '' : ` (fewer than ${MANY}: ${few.join(', ')})`;
  return `**${name}**: ${sessions.length} sessions from seed ${seed}, ${tokens.toLocaleString('en')} tokens, canaries ${percent(share)} of them: ${kinds}${note}.`;
}

export function roundsTable(rows) {
  const head = ['steps', 'tokens kept', ...KINDS, 'all visible', 'recoverable', 'user messages'];
  return markdown(
    head,
    rows.map((row) => [
      `\`${row.name}\``,
      ...(row.failed === undefined ? figures(row) : [`failed: ${row.failed}`]),
    ]),
  );
}

function figures(row) {
  return [
    percent(row.kept),
    ...KINDS.map((kind) => percent(row.visible[kind])),
    percent(row.all),
    percent(row.recoverable),
    row.users,
  ];
}

export function extractTable(rows) {
  return markdown(
    ['summary of', 'tokens kept', ...MEANT, 'these four', ...KINDS.filter(isOther)],
    rows.map(({ mode, facts, tokens }) => [
      mode,
      percent(tokens.after / tokens.before),
      ...MEANT.map((kind) => keptOf(facts, ({ kind: own }) => own === kind)),
      keptOf(facts, isMeant),
      ...KINDS.filter(isOther).map((kind) => keptOf(facts, ({ kind: own }) => own === kind)),
    ]),
  );
}

export function placeTable(rows) {
  const places = ['head', 'middle', 'tail'];
  return markdown(
    ['summary of', ...places],
    rows.map(({ mode, facts }) => [
      mode,
      ...places.map((place) => keptOf(facts, (fact) => isMeant(fact) && fact.place === place)),
    ]),
  );
}

export function missedBars(set, rounds, extracts) {
  const found = [];
  for (const { name, failed, recoverable, visible, bar, lost } of rounds) {
    if (failed !== undefined) {
      found.push(`${set}, ${name}: ${failed}`);
      continue;
    }
    if (recoverable < 1)
      found.push(`${set}, ${name}: ${lost.length} facts are lost, the first: ${lost[0].core}`);
    if (visible.rule < bar)
      found.push(`${set}, ${name}: ${percent(visible.rule)} of the user rules are visible`);
  }
  if (set !== 'held-out') return found;
  for (const { mode, facts } of extracts) {
    const meant = facts.filter(isMeant);
    const share = meant.filter(({ kept }) => kept).length / meant.length;
    if (share < EXTRACTIVE_BAR)
      found.push(`${set}, extractive on ${mode}: ${percent(share)} of the canaries are kept`);
  }
  return found;
}

/** Lines that the extractive summarizer left out, to work on it. */
export function missedLines(rows) {
  return rows
    .flatMap(({ mode, facts }) =>
      facts
        .filter((fact) => isMeant(fact) && !fact.kept)
        .map(({ kind, line }) => `${mode}  ${kind.padEnd(8)}  ${line.trim()}`),
    )
    .toSorted()
    .join('\n');
}

function isMeant({ kind }) {
  return MEANT.includes(kind);
}

function isOther(kind) {
  return !MEANT.includes(kind);
}

function keptOf(facts, wanted) {
  const list = facts.filter(wanted);
  if (list.length === 0) return '-';
  const kept = list.filter((fact) => fact.kept).length;
  return `${percent(kept / list.length)} of ${list.length}`;
}

/** Rounded down: 99.96 % must not look like all. */
function percent(share) {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

function markdown(head, rows) {
  const cells = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
