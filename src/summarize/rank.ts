import type { Candidate } from './lines.ts';

/** Below this a line is not worth its tokens, however much room there is. */
const WORTHLESS = 1.5;

/** An item pays this share of the budget before the value of its further lines is halved. */
const ITEM_SHARE = 0.2;

/** For lines that matter in themselves: errors and decisions of one item may take most of the budget. */
const STRONG_SHARE = 0.8;

const STRONG = 50;

interface Ranked {
  readonly line: Candidate;
  readonly value: number;
}

/**
 * Best first. A line is worth less the more lines of its family or its layout there are (`half` of them halve
 * it; the first few are let off), and the more of the budget its item would already take.
 */
export function rankLines(lines: readonly Candidate[], maxTokens: number): Candidate[] {
  const ranked = byItem(byCrowd(lines), maxTokens);
  return ranked
    .filter((entry) => entry.value >= WORTHLESS)
    .toSorted(better)
    .map((entry) => entry.line);
}

function byCrowd(lines: readonly Candidate[]): Ranked[] {
  const ordered = lines.toSorted(byScore);
  const kins = crowds(ordered, (line) => line.kin);
  const forms = crowds(ordered, (line) =>
    line.form === '' ? undefined : `${line.item} ${line.form}`,
  );
  return ordered.map((line, at) => {
    const crowd = Math.max(kins[at] ?? 0, forms[at] ?? 0);
    return { line, value: line.score / (1 + crowd / line.half) };
  });
}

/** For each line how crowded its group is: the group's size, less for the first few of it. */
function crowds(
  lines: readonly Candidate[],
  groupOf: (line: Candidate) => string | undefined,
): number[] {
  const groups = lines.map((line) => groupOf(line));
  const totals = new Map<string, number>();
  for (const group of groups) {
    if (group !== undefined) totals.set(group, (totals.get(group) ?? 0) + 1);
  }
  const seen = new Map<string, number>();
  return groups.map((group) => {
    if (group === undefined) return 0;
    const before = seen.get(group) ?? 0;
    seen.set(group, before + 1);
    return Math.min((totals.get(group) ?? 1) - 1, 4 * before);
  });
}

function byItem(ranked: readonly Ranked[], maxTokens: number): Ranked[] {
  const spent = new Map<number, number>();
  return ranked.toSorted(better).map(({ line, value }) => {
    const before = spent.get(line.item) ?? 0;
    spent.set(line.item, before + line.text.length / 4 + 1);
    const share = Math.max(100, maxTokens * (line.score >= STRONG ? STRONG_SHARE : ITEM_SHARE));
    return { line, value: value / (1 + before / share) };
  });
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.order - b.order;
}

function better(a: Ranked, b: Ranked): number {
  return b.value - a.value || a.line.order - b.line.order;
}
