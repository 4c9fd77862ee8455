import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFailure } from '../commit/failure.ts';
import { CtxError, inputError, usageError, writeError } from '../errors.ts';
import { plural } from '../marker/marker.ts';
import { manualKey } from '../plan/manual-key.ts';
import {
  type PlanFile,
  type PlannedRun,
  planEntries,
  planSteps,
  readPlan,
} from '../plan/plan-file.ts';
import type { PrepareOptions } from '../prepare.ts';
import type { Report, Warning } from '../report/report.ts';
import { type PlanFlags, readPlanFlags } from './plan-flags.ts';

/** Blocks that a warning names. */
const MOST_SHOWN = 3;

/** A plan on disk: options of the run that it asks for, flags that it remembers, and what each block should end as. */
export interface Planned {
  readonly options: Partial<PrepareOptions>;
  readonly flags: PlanFlags;
  readonly actions: PlannedRun['actions'];
}

/** @throws CtxError: 2 no plan, 3 can't be read. */
export function openPlan(path: string): Planned {
  const { sha256, flags, actions, ...run } = readPlan(readJson(path));
  return {
    options: { ...run, plannedFor: sha256 },
    flags: readPlanFlags(flags),
    actions,
  };
}

/** Blocks that ended otherwise than the plan says: every rule of the steps holds for edited entries too. */
export function planWarnings({ actions }: Planned, { blocks }: Report): Warning[] {
  const other = blocks.filter(({ conversation, index, action, kind, strategy }) => {
    const asked = actions.get(manualKey(conversation, index));
    // The action `removed` takes the whole group of a block.
    if (kind === 'copy' || kind === 'record' || (action === 'removed' && strategy === 'plan'))
      return false;
    return asked !== undefined && asked !== action;
  });
  if (other.length === 0) return [];
  const shown = other.slice(0, MOST_SHOWN).map(({ index, conversation, action, reason }) => {
    const asked = actions.get(manualKey(conversation, index));
    return `block ${index} is ${action} and not ${asked} (${reason})`;
  });
  const left = other.length - shown.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  const text = `${plural(other.length, 'block')} ended otherwise than in the plan: ${[...shown, ...more].join('; ')}`;
  return [{ code: 'plan-differs', text }];
}

/** Writes a plan; an older plan at the same place is replaced, anything else is somebody's file. */
export function writePlan(
  path: string,
  report: Report,
  options: PrepareOptions,
  flags: PlanFlags,
  planned: Report['blocks'] = report.blocks,
): void {
  if (existsSync(path) && !isPlan(path))
    throw writeError(`${path} exists and is no plan of ctx`, {
      hint: 'name another file with --plan-out',
    });
  const plan: PlanFile = {
    schema: 'ctx.plan/1',
    input: report.input,
    format: report.format,
    counter: report.counter.name,
    window: report.window.tokens,
    steps: planSteps(options.specs),
    emergency: options.emergency ?? false,
    protectEnds: options.protectEnds ?? true,
    flags,
    tokens: { before: report.tokens.before, after: report.tokens.after },
    entries: planEntries(report.blocks, planned),
  };
  try {
    writeFileSync(path, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

function isPlan(path: string): boolean {
  try {
    readPlan(readJson(path));
    return true;
  } catch (cause) {
    if (cause instanceof CtxError) return false;
    throw cause;
  }
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw inputError(`the plan ${path} can't be read`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(
      `the plan ${path} is not JSON`,
      'make a new one with ctx explain FILE --plan-out plan.json',
    );
  }
}
