import type { View } from '../plan/view.ts';
import type { Policy } from './policy.ts';
import { type Skipped, skip } from './skipped.ts';
import { savingOf, type Unit } from './units.ts';

export interface Allowance {
  readonly maxSourceTokens: Policy['maxSourceTokens'];
  /** Tokens still to free; what comes after the unit that reaches it is left. */
  readonly toFree: number;
}

/**
 * The units of one pass, oldest first: complete groups that fit the room that is left; one that does not is passed
 * over, later smaller ones may still be taken (masking and summary, section 3.6).
 */
export function takeUnits(units: readonly Unit[], { maxSourceTokens, toFree }: Allowance): Unit[] {
  let room = maxSourceTokens === 'none' ? Number.POSITIVE_INFINITY : maxSourceTokens;
  let left = toFree;
  const taken: Unit[] = [];
  for (const unit of units) {
    if (left <= 0) break;
    if (unit.cost > room) continue;
    const part = upTo(unit, left);
    room -= unit.cost;
    left -= savingOf([part]);
    taken.push(part);
  }
  return taken;
}

/** Stops after the body that frees enough. */
function upTo(unit: Unit, toFree: number): Unit {
  let saved = 0;
  const edits = unit.edits.filter(({ tokensBefore, tokensAfter }) => {
    const wanted = saved < toFree;
    saved += wanted ? tokensBefore - tokensAfter : 0;
    return wanted;
  });
  return edits.length === unit.edits.length ? unit : { ...unit, edits };
}

/** Units that no pass could take: larger than the whole allowance. */
export function withinCapacity(
  view: View,
  units: readonly Unit[],
  { maxSourceTokens }: Policy,
  skipped: Skipped,
): Unit[] {
  return units.filter(({ cost, edits }) => {
    const fits = maxSourceTokens === 'none' || cost <= maxSourceTokens;
    if (!fits)
      for (const { block } of edits) skip(view, skipped, view.block(block), 'source-capacity');
    return fits;
  });
}
